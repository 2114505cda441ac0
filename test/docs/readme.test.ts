import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { fillSections, formatRow, generateSections } from '../../bench/readme/tables.ts'
import { errorTable } from '../../src/domain/error-codes.ts'

t.test('the tables of the README say what the sources and the benchmark results say', async (t) => {
  const readme = readFileSync('README.md', 'utf8')
  t.equal(fillSections(readme, generateSections()), readme, '`make docs` regenerates them')
})

t.test('a code is marked for a later release as long as nothing answers with it', async (t) => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts') && path !== 'errors.ts'
  )
  const text = sources.map((path) => readFileSync(join('src', path), 'utf8')).join('\n')
  for (const [code, row] of Object.entries(errorTable)) t.equal('later' in row, !text.includes(`'${code}'`), code)
})

t.test('figures and bars are written for people', async (t) => {
  const row = { what: 'x', figure: 12345.678, unit: 'jobs' }
  t.strictSame(
    formatRow({ ...row, peer: { name: 'p', figure: 2_560_000 }, ratio: 0.004822, gate: { below: 1 }, pass: true }),
    ['x', '12,350 jobs', 'p: 2,560,000 jobs', '0.0048 x', '< 1 x', '', 'met']
  )
  t.strictSame(
    formatRow({
      ...row,
      figure: 10_000,
      gate: { atLeast: 10_000, atMost: 10_000 },
      aim: { atLeast: 0.5, atMost: 20_000 }
    }).slice(4, 6),
    ['= 10,000 jobs', '>= 0.5 jobs, <= 20,000 jobs']
  )
})

t.test('a README without the markers of a section is refused', async (t) => {
  t.throws(() => fillSections('# nothing here', new Map([['errors', 'x']])), /errors:begin/)
})

t.test('filling is stable and keeps what is around the markers', async (t) => {
  const sections = new Map([['a', '| x |']])
  const once = fillSections('before\n<!-- a:begin -->old<!-- a:end -->\nafter', sections)
  t.equal(once, 'before\n<!-- a:begin -->\n| x |\n<!-- a:end -->\nafter')
  t.equal(fillSections(once, sections), once)
})
