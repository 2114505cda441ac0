import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { formatRow } from '../../bench/readme/benchmark-tables.ts'
import { fillPages, fillSections } from '../../bench/readme/markdown.ts'
import { readPages } from '../../bench/readme/pages.ts'
import { generateSections } from '../../bench/readme/tables.ts'
import { linkedDocuments } from '../../scripts/linked-documents.mjs'
import { errorTable } from '../../src/domain/error-codes.ts'

const pages = readPages()

t.test('the generated parts of the pages say what the sources and the benchmark results say', async (t) => {
  for (const [path, text] of fillPages(pages, generateSections())) {
    t.equal(pages.get(path), text, `${path}: \`make docs\` regenerates it`)
  }
})

t.test('the first page is short', async (t) => {
  const first = pages.get('README.md') ?? ''
  t.ok(first.split('\n').length <= 160, `${first.split('\n').length} lines`)
  t.ok(Buffer.byteLength(first) <= 12_000, `${Buffer.byteLength(first)} bytes`)
})

t.test('each page is in the index, and no link of a page leads nowhere', async (t) => {
  const index = pages.get('docs/README.md') ?? ''
  for (const path of pages.keys()) {
    const listed = path === 'README.md' || path === 'docs/README.md' || index.includes(`](${relative('docs', path)})`)
    t.ok(listed, `docs/README.md lists ${path}`)
    t.doesNotThrow(() => linkedDocuments(path), path)
  }
  t.ok(linkedDocuments('README.md').includes('docs/README.md'))
  const folder = relative('.', t.testdir({ 'a.md': 'see [b](b.md#there)', 'b.md': '# Here\n[back](a.md)' }))
  t.throws(() => linkedDocuments(join(folder, 'a.md')), /a\.md: the link to b\.md#there leads to no heading/)
})

t.test('each page whose code can be run is run by a test', async (t) => {
  const run = new Set<string>()
  for (const name of readdirSync('test', { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.test.ts')) continue
    const calls = readFileSync(join('test', name), 'utf8').matchAll(/\b(?:run|blocksOf)\((?:t, )?'([^']+\.md)'/g)
    for (const [, path = ''] of calls) run.add(path)
  }
  for (const [path, text] of pages) {
    const languages = new Set([...text.matchAll(/^```(\w*)\n[^]*?^```$/gm)].map(([, language]) => language))
    for (const language of ['', 'mermaid']) languages.delete(language)
    t.strictSame([...languages].filter((one) => !['bash', 'python', 'ts'].includes(one ?? '')), [],
      `${path} has code in languages that tests run`)
    if (languages.size > 0) t.ok(run.has(path), path)
  }
})

t.test('what the package has to read speaks of `./tabcast`, and of make only for a checkout', async (t) => {
  const targets = new Set([...readFileSync('Makefile', 'utf8').matchAll(/^([a-z][a-z-]*):/gm)].map(([, name]) => name))
  for (const path of new Set(['README.md', 'deploy/README.md'].flatMap(linkedDocuments))) {
    // What is written for whoever changes the sources is about a checkout throughout.
    if (!/^(?:README\.md|(?:docs\/(?!internals\/|benchmarks)|deploy\/|clients\/).*\.md)$/.test(path)) continue
    const text = readFileSync(path, 'utf8').replaceAll(/<!-- ([a-z-]+):begin -->[^]*?<!-- \1:end -->/g, '')
    t.notMatch(text, /npx tabcast/, path)
    for (const section of text.split(/^(?=#)/m)) {
      const commands = [...section.matchAll(/(?:^ {4}|`)make ([a-z-]+)/gm)].map(([, name = '']) => name)
      if (commands.some((name) => targets.has(name))) t.match(section, /checkout/, `${path}: ${commands.join()}`)
    }
  }
})

t.test('no line of a page is longer than 120 characters', async (t) => {
  for (const [path, text] of pages) {
    const written = text.replaceAll(/<!-- ([a-z-]+):begin -->[^]*?<!-- \1:end -->/g, '')
    const prose = written.replaceAll(/^```[^]*?^```$|^\|.*|^ {4}.*/gm, '')
    t.strictSame(prose.split('\n').filter((line) => line.length > 120), [], path)
  }
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

t.test('a section that no page, or more than one, has is refused', async (t) => {
  const sections = new Map([['errors', 'x']])
  t.throws(() => fillPages(new Map([['a.md', '# nothing here']]), sections), /errors:begin --> is on 0 pages/)
  const twice = '<!-- errors:begin --><!-- errors:end -->'
  t.throws(() => fillPages(new Map([['a.md', twice], ['b.md', twice]]), sections), /is on 2 pages, not on one a\.md/)
  t.throws(() => fillSections('<!-- errors:begin -->', sections), /errors:end/)
})

t.test('filling is stable and keeps what is around the markers', async (t) => {
  const sections = new Map([['a', '| x |']])
  const once = fillSections('before\n<!-- a:begin -->old<!-- a:end -->\nafter', sections)
  t.equal(once, 'before\n<!-- a:begin -->\n| x |\n<!-- a:end -->\nafter')
  t.equal(fillSections(once, sections), once)
})
