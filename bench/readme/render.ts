import { readFileSync, writeFileSync } from 'node:fs'
import { badInputsTable, testsOfRows } from './bad-input-tests.ts'
import { fillPages, fillSections } from './markdown.ts'
import { readPages } from './pages.ts'
import { generateSections } from './tables.ts'

/*
 * Rewrites the generated parts of README.md and docs from the sources, src/api/openapi.json, `tabcast --help` and
 * bench/results, and that of test/hostile from the names of tests.
 */
const pages = readPages()
for (const [path, text] of fillPages(pages, generateSections())) {
  if (text !== pages.get(path)) writeFileSync(path, text)
}
const badInputsPage = 'test/hostile/README.md'
writeFileSync(badInputsPage,
  fillSections(readFileSync(badInputsPage, 'utf8'), new Map([['bad-inputs', badInputsTable(testsOfRows('test'))]])))
