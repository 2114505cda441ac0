import { readFileSync, writeFileSync } from 'node:fs'
import { fillSections, generateSections } from './tables.ts'

/* Rewrites the generated tables of README.md from src/errors.ts, src/config.ts and bench/results. */
writeFileSync('README.md', fillSections(readFileSync('README.md', 'utf8'), generateSections()))
