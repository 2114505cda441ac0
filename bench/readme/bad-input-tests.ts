import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { badInputs } from './bad-inputs.ts'
import { table } from './markdown.ts'

export interface NamedTest {
  file: string
  title: string
  rows: number[]
}

/** Tests whose name begins with the numbers of the rows that they hold. */
export function testsOfRows (folder: string): NamedTest[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))
    .sort()
  return files.flatMap((name) => {
    const file = join(folder, name)
    const named = readFileSync(file, 'utf8').matchAll(
      /^ *(?:await )?t\.test\(\s*(['"`])(\d+(?:, \d+)*): (.*?)(?<!\\)\1,\s/gm
    )
    return [...named].map(([, , numbers = '', title = '']) => ({
      file,
      title: title.replaceAll(/\\(.)/g, '$1').replaceAll(/\$\{[^}]*\}/g, '...'),
      rows: numbers.split(', ').map(Number)
    }))
  })
}

/** Rows, and tests, of which one has no counterpart. */
export function unmatched (tests: readonly NamedTest[]): string[] {
  const held = new Set(tests.flatMap(({ rows }) => rows))
  const unheld = badInputs.flatMap(([input], index) =>
    held.has(index + 1) ? [] : [`no test holds row ${index + 1}: ${input}`]
  )
  const unknown = tests.filter(({ rows }) => rows.some((row) => row < 1 || row > badInputs.length)).map((
    { file, title }
  ) => `${file}: there is no such row: ${title}`)
  return [...unheld, ...unknown]
}

/** As Markdown for a page in `test/hostile`. */
export function badInputsTable (tests: readonly NamedTest[]): string {
  const rows = badInputs.map(([input, outcome], index) => {
    const held = tests.filter(({ rows }) => rows.includes(index + 1))
    return [String(index + 1), input, outcome,
      held.map(({ file, title }) => `[${basename(file, '.test.ts')}](${linkTo(file)}): ${title}`).join('<br>')]
  })
  return table(['', 'bad input or fault', 'outcome', 'tests that hold it'], rows)
}

function linkTo (file: string): string {
  return file.startsWith('test/hostile/') ? basename(file) : `../${file.slice('test/'.length)}`
}
