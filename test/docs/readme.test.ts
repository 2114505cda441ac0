import { readFileSync } from 'node:fs'
import t from 'tap'
import { fillSections, generateSections } from '../../bench/readme/tables.ts'

t.test('the tables of the README say what the sources and the benchmark results say', async (t) => {
  const readme = readFileSync('README.md', 'utf8')
  t.equal(fillSections(readme, generateSections()), readme, '`make docs` regenerates them')
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
