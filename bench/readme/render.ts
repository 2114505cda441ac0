import { readFileSync, writeFileSync } from 'node:fs'
import { badInputsTable, testsOfRows } from './bad-input-tests.ts'
import { fillSections, generateSections } from './tables.ts'

/*
 * Rewrites the generated tables of README.md from src/platform/errors.ts, src/platform/config.ts and bench/results,
 * and that of test/hostile from the names of tests.
 */
writeFileSync('README.md', fillSections(readFileSync('README.md', 'utf8'), generateSections()))
const badInputsPage = 'test/hostile/README.md'
writeFileSync(badInputsPage,
  fillSections(readFileSync(badInputsPage, 'utf8'), new Map([['bad-inputs', badInputsTable(testsOfRows('test'))]])))
