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
import { readResult, resultsFolder } from '../result.ts'
import { benchmarkTables, missedGates } from './benchmark-tables.ts'
import { headlines, headlineTable } from './headlines.ts'
import { commandLine, forecastCommandLine, limitsTable } from './interface-tables.ts'
import { table } from './markdown.ts'
import { answerSections, routeSections } from './route-examples.ts'

/** The generated parts of the pages by the name in their markers. */
export function generateSections (): Map<string, string> {
  return new Map([
    ['routes', routeSections()],
    ['answers', answerSections()],
    ['limits', limitsTable()],
    ['command-line', commandLine()],
    ['forecast-command-line', forecastCommandLine()],
    ['fields', fieldsTable(forecastOptions(loadConfig({}).MAX_HORIZON) as Fields)],
    ['tabular-fields', fieldsTable(withoutLabels(tabularOptions('classification') as Fields))],
    ['explainability-fields', fieldsTable(explainability.properties as Fields)],
    ['preparation-fields', fieldsTable(preparation.properties as Fields)],
    ['covariate-kinds', covariateKindsTable()],
    ['covariate-fields', covariateFieldsTable()],
    ['errors', errorsTable()],
    ['settings', settingsTable()],
    ['sizing', sizingTable()],
    ['readme-headlines', headlineTable(headlines.filter(({ onFirstPage }) => onFirstPage))],
    ['headlines', headlineTable(headlines)],
    ['missed-gates', missedGates()],
    ['benchmarks', benchmarkTables()]
  ])
}

function errorsTable (): string {
  const rows = (Object.keys(errorTable) as ErrorCode[]).map((code) => {
    const row: { status: number, statuses?: readonly number[], retryable: boolean, later?: true, text: string } =
      errorTable[code]
    // The page has a section for every code that there is: a test follows these links.
    const name = row.later ? `\`${code}\`` : `[\`${code}\`](../operate/troubleshooting.md#${code})`
    return [name, (row.statuses ?? [row.status]).join(', '), row.retryable ? 'yes' : 'no',
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
