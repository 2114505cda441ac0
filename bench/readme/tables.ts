import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { errorTable, type ErrorCode } from '../../src/domain/error-codes.ts'
import { covariateKinds } from '../../src/domain/external-covariates-spec.ts'
import { loadConfig, settings } from '../../src/platform/config.ts'
import { explainability } from '../../src/services/forecasts/blocks/explainability.ts'
import { preparation } from '../../src/services/forecasts/blocks/preparation.ts'
import { forecastOptions } from '../../src/services/forecasts/forecast-request.ts'
import { labelFields } from '../../src/services/forecasts/label-fields.ts'
import { tabularOptions } from '../../src/services/tables/tabular-request.ts'
import { externalCovariates } from '../../src/sources/covariates/external-covariates-block.ts'
import { knownVariables } from '../../src/sources/covariates/variables.ts'
import { readResult, resultsFolder, type Bar, type BenchResult, type ResultRow } from '../result.ts'

/** The generated parts of the README by the name in their markers. */
export function generateSections (): Map<string, string> {
  return new Map([
    ['fields', fieldsTable(forecastOptions(loadConfig({}).MAX_HORIZON) as Fields)],
    ['tabular-fields', fieldsTable(withoutLabels(tabularOptions('classification') as Fields))],
    ['explainability-fields', fieldsTable(explainability.properties as Fields)],
    ['preparation-fields', fieldsTable(preparation.properties as Fields)],
    ['covariate-kinds', covariateKindsTable()],
    ['covariate-fields', covariateFieldsTable()],
    ['errors', errorsTable()],
    ['settings', settingsTable()],
    ['sizing', sizingTable()],
    ['benchmarks', benchmarkTables()]
  ])
}

/** Puts each section between `<!-- NAME:begin -->` and `<!-- NAME:end -->`; a missing pair of markers is an error. */
export function fillSections (text: string, sections: Map<string, string>): string {
  let filled = text
  for (const [name, body] of sections) {
    const begin = `<!-- ${name}:begin -->`
    const end = `<!-- ${name}:end -->`
    const from = filled.indexOf(begin)
    const to = filled.indexOf(end)
    if (from < 0 || to < from) throw new Error(`the page has no ${begin} ... ${end}`)
    filled = `${filled.slice(0, from + begin.length)}\n${body}\n${filled.slice(to)}`
  }
  return filled
}

export function table (header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(header), `|${' --- |'.repeat(header.length)}`, ...rows.map(line)].join('\n')
}

function errorsTable (): string {
  const rows = (Object.keys(errorTable) as ErrorCode[]).map((code) => {
    const row: { status: number, statuses?: readonly number[], retryable: boolean, later?: true, text: string } =
      errorTable[code]
    return [`\`${code}\``, (row.statuses ?? [row.status]).join(', '), row.retryable ? 'yes' : 'no',
      row.later ? `${row.text} *(not in this release)*` : row.text]
  })
  return table(['error_code', 'HTTP', 'retryable', 'meaning'], rows)
}

interface Field {
  default?: unknown
  description?: string
}
type Fields = Record<string, Field>

/** What every job takes stands in the table of forecasts. */
function withoutLabels (fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in labelFields)))
}

/** The fields of a form that do something in this release. */
function fieldsTable (options: Fields): string {
  const fields = Object.entries(options)
  const rows = fields.filter(([, { description = '' }]) => !/not (?:available|used) yet/i.test(description)).map(
    ([name, field]) => {
      return [`\`${name}\``, field.default === undefined ? '' : `\`${shown(field.default)}\``, field.description ?? '']
    }
  )
  return table(['field', 'default', 'meaning'], rows)
}

function shown (value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

interface KindSchema extends Field {
  anyOf: [{ properties: Fields }, unknown]
}

const kindSchemas = externalCovariates.properties as unknown as Record<typeof covariateKinds[number], KindSchema>

function covariateKindsTable (): string {
  return table(['kind', 'what it is', 'variables, the first three where none are named'], covariateKinds.map((kind) => {
    const raw = kind === 'macro' || kind === 'rates' ? ', or the id of a series of FRED or the ECB' : ''
    return [`\`${kind}\``, kindSchemas[kind].description ?? '',
      `${knownVariables(kind).map((name) => `\`${name}\``).join(', ')}${raw}`]
  }))
}

/** Fields of several kinds that say the same stand once. */
function covariateFieldsTable (): string {
  const rows = new Map<string, { kinds: string[], name: string, field: Field }>()
  for (const kind of covariateKinds) {
    for (const [name, field] of Object.entries(kindSchemas[kind].anyOf[0].properties)) {
      const key = JSON.stringify([name, field.default, field.description])
      const row = rows.get(key)
      if (row === undefined) rows.set(key, { kinds: [kind], name, field })
      else row.kinds.push(kind)
    }
  }
  return table(['field', 'of', 'default', 'meaning'], [...rows.values()].map(({ kinds, name, field }) => {
    return [`\`${name}\``, kinds.length === covariateKinds.length ? 'all' : kinds.join(', '),
      field.default === undefined ? '' : `\`${String(field.default)}\``, field.description ?? '']
  }))
}

/** Defaults that depend on the machine are described, or the table would differ from one machine to the next. */
const machineDefaults: Record<string, string> = {
  SLOTS: 'number of CPUs, at least 2',
  SLOT_THREADS: 'number of CPUs'
}

function settingsTable (): string {
  const rows = settings.map(([name, schema]) => {
    const given = machineDefaults[name] ?? (schema.default === '' ? '' : `\`${String(schema.default)}\``)
    return [`\`TABCAST_${name}\``, given, schema.description]
  })
  return table(['variable', 'default', 'meaning'], rows)
}

/** What an operator plans with, as `make bench-operations` measured it. */
function sizingTable (): string {
  const { rows, machine, date } = readResult(join(resultsFolder, 'operations.json'))
  const figure = (preset: string, unit: string) => {
    const row = rows.find(({ what, unit: measured }) => what.startsWith(`${preset}:`) && measured === unit)
    if (row === undefined) throw new Error(`operations.json has no row of ${preset} in ${unit}`)
    return row.figure.toLocaleString('en-US', { maximumSignificantDigits: 2 })
  }
  const lines = ['fast', 'balanced', 'best'].map((
    preset
  ) => [`\`${preset}\``, figure(preset, 'series a core second'), figure(preset, 'MiB a million rows')])
  return `Daily series of 500 values, 28 steps ahead, one thread of ${machine} (\`make bench-operations\`, ${date}):\n\n${
    table(['preset', 'series a core second', 'memory of a slot, MiB a million rows'], lines)
  }`
}

/** A result with more rows than these is shown by its gates, folded; the file has all of it. */
const shownRows = 20

function benchmarkTables (): string {
  const files = existsSync(resultsFolder)
    ? readdirSync(resultsFolder).filter((name) => name.endsWith('.json')).sort()
    : []
  if (files.length === 0) return 'No results yet: `make bench` writes them.'
  return files.map((name) => {
    const path = join(resultsFolder, name)
    return formatResult(readResult(path), path)
  }).join('\n\n')
}

/** One bench as Markdown: what was run, how many gates were met, the rows. */
function formatResult (result: BenchResult, path: string): string {
  const gated = result.rows.filter((row) => row.pass !== undefined)
  const met = gated.filter((row) => row.pass).length
  const gates = gated.length === 0 ? '' : `, ${met} of ${gated.length} gates met`
  const title = `\`${result.command}\`, ${result.date}, ${result.machine}${gates}`
  const long = result.rows.length > shownRows
  const rows = table(['what', 'measured', 'peer', 'ratio', 'gate', 'aim', ''],
    (long ? gated : result.rows).map(formatRow))
  if (!long) return `${title}\n\n${rows}`
  const others = `The other ${result.rows.length - gated.length} rows are in [${path}](${path}).`
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
