import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readResult, resultsFolder, type Bar, type BenchResult, type ResultRow } from '../result.ts'
import { table } from './markdown.ts'

/** A result with more rows than these is shown by its gates, folded; the file has all of it. */
const shownRows = 20

export function benchmarkTables (): string {
  return resultFiles().map((path) => formatResult(readResult(path), path)).join('\n\n')
}

/** Every gate that is not met, so that nobody has to look for them. */
export function missedGates (): string {
  const rows = resultFiles().flatMap((path) => {
    const { bench, rows } = readResult(path)
    return rows.filter((row) => row.pass === false).map((row) => [bench, ...formatRow(row).slice(0, 5)])
  })
  if (rows.length === 0) return 'None.'
  return table(['bench', 'what', 'measured', 'peer', 'ratio', 'gate'], rows)
}

function resultFiles (): string[] {
  return readdirSync(resultsFolder).filter((name) => name.endsWith('.json')).sort().map((name) =>
    join(resultsFolder, name)
  )
}

/** One bench as Markdown: what was run, how many gates were met, the rows. */
function formatResult (result: BenchResult, path: string): string {
  const gated = result.rows.filter((row) => row.pass !== undefined)
  const met = gated.filter((row) => row.pass).length
  const gates = gated.length === 0 ? '' : `, ${met} of ${gated.length} gates met`
  const title = `### ${result.bench}\n\`${result.command}\`, ${result.date}, ${result.machine}${gates}`
  const long = result.rows.length > shownRows
  const rows = table(['what', 'measured', 'peer', 'ratio', 'gate', 'aim', ''],
    (long ? gated : result.rows).map(formatRow))
  if (!long) return `${title}\n\n${rows}`
  const others = `The other ${result.rows.length - gated.length} rows are in [${path}](../${path}).`
  return `${title}\n\n<details><summary>the ${gated.length} rows with ` +
    `gates</summary>\n\n${rows}\n\n</details>\n\n${others}`
}

/**
 * The cells of one measurement: what, figure, peer, ratio (gates near 1 ask for its third decimal), gate, aim, verdict.
 */
export function formatRow (row: ResultRow): string[] {
  const verdict = row.pass === undefined ? '' : row.pass ? 'met' : 'MISSED'
  return [
    row.what,
    `${significant(row.figure)} ${row.unit}`.trim(),
    row.peer ? `${row.peer.name}: ${significant(row.peer.figure)} ${row.unit}`.trim() : '',
    row.ratio === undefined ? '' : `${significant(row.ratio, row.ratio < 0.1 ? 2 : 4)} x`,
    formatBar(row.gate, row),
    formatBar(row.aim, row),
    verdict
  ]
}

/** Counts stay whole, in groups of three digits; what is next to nothing has an exponent. */
function significant (value: number, digits = 4): string {
  const shown = Number.isInteger(value) ? value : Number(value.toPrecision(digits))
  if (shown !== 0 && Math.abs(shown) < 1e-6) return String(shown)
  return shown.toLocaleString('en-US', { maximumSignificantDigits: 21 })
}

function formatBar (bar: Bar | undefined, row: ResultRow): string {
  if (!bar) return ''
  const unit = row.ratio === undefined ? row.unit : 'x'
  const { atLeast, atMost, below } = bar
  const figure = (sign: string, value: number | undefined) =>
    value === undefined ? [] : [`${sign} ${significant(value)} ${unit}`.trim()]
  if (atMost === atLeast) return figure('=', atLeast).concat(figure('<', below)).join(', ')
  return [...figure('>=', atLeast), ...figure('<=', atMost), ...figure('<', below)].join(', ')
}
