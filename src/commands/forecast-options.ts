import { dirname, format as formatPath, join, parse as parsePath } from 'node:path'
import { parseArgs } from 'node:util'
import { nearestOption } from './nearest-option.ts'
import { UsageError } from './usage-error.ts'

export interface ForecastOptions {
  /** The dataset; null when the command only waits for a job. */
  file: string | null
  /** A job that was submitted before. */
  jobId: string | null
  /** Form fields of POST /forecast. */
  fields: Record<string, string>
  key: string
  url: string | null
  out: string
  /** Where the report goes. */
  report: string
  format: 'csv' | 'parquet' | 'zip'
  force: boolean
}

/** Form field of each command-line option. */
export const fieldOptions = {
  horizon: 'prediction_length',
  preset: 'presets',
  freq: 'freq',
  'item-id-column': 'item_id_column',
  'timestamp-column': 'timestamp_column',
  'target-column': 'target_column',
  quantiles: 'quantile_levels',
  covariates: 'covariates',
  missing: 'preparation'
} as const

/** Key and address may come from the environment: TABCAST_API_KEY, which no process list shows, and TABCAST_URL. */
export function forecastOptions (args: string[], env: NodeJS.ProcessEnv): ForecastOptions {
  const { given, positionals } = readArguments(args)
  const [file, ...more] = positionals
  if (more.length > 0) throw new UsageError(`one file at a time; ${more[0]} is one too many`)
  const jobId = given['job'] ?? null
  if (file === undefined && jobId === null) throw new UsageError('the file to forecast is missing')
  const key = given['key'] ?? env['TABCAST_API_KEY']
  if (!key) throw new UsageError('a key is missing: --key, or TABCAST_API_KEY in the environment')
  const format = given['format'] ?? 'csv'
  if (format !== 'csv' && format !== 'parquet') throw new UsageError(`--format ${format}: csv or parquet`)
  if (given.zip && given['format'] !== undefined) {
    throw new UsageError('--zip has the tables of both formats; --format goes without it')
  }
  const url = given['url'] ?? (env['TABCAST_URL'] || null)
  if (url !== null && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) {
    throw new UsageError(`--url ${url}: an address that begins with http:// or https://`)
  }
  const fields = fieldsOf(given, file !== undefined && jobId === null)
  const chosen = given.zip ? 'zip' : format
  const out = given['out'] ?? besides(file ?? `${jobId}.csv`, chosen)
  return {
    file: file ?? null,
    jobId,
    fields,
    key,
    url,
    out,
    report: join(dirname(out), `${parsePath(out).name}.report.html`),
    format: chosen,
    force: given.force ?? false
  }
}

type Given = Record<string, string | undefined> & { zip?: boolean, force?: boolean }

function readArguments (args: string[]): { given: Given, positionals: string[] } {
  const text = { type: 'string' } as const
  const options = {
    ...Object.fromEntries(Object.keys(fieldOptions).map((name) => [name, text])),
    key: text,
    url: text,
    out: text,
    job: text,
    format: text,
    zip: { type: 'boolean' },
    force: { type: 'boolean' }
  } as Record<string, { type: 'string' | 'boolean' }>
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    return { given: values as Given, positionals }
  } catch (error) {
    throw nearestOption(error, Object.keys(options))
  }
}

function fieldsOf (given: Given, isSubmitted: boolean): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [option, field] of Object.entries(fieldOptions)) {
    const value = given[option]
    if (value === undefined) continue
    if (!isSubmitted) throw new UsageError(`--${option} has no effect on a job that was submitted before`)
    fields[field] = option === 'missing' ? JSON.stringify({ missing: value }) : value
  }
  return fields
}

/** Fields of the API that no sentence has as an ordinary word. */
const fieldNames = Object.entries(fieldOptions).filter(([option, field]) => option !== field && option !== 'missing')

/** A text of the service with this command's options in place of the fields of the API. Names in quotes are kept. */
export function inOptions (text: string): string {
  return fieldNames.reduce(
    (left, [option, field]) => left.replaceAll(new RegExp(`(?<!['"“\\w-])${field}(?!['"”\\w-])`, 'g'), `--${option}`),
    text.replaceAll(/preparation(?:\.missing|=\{"missing": "(\w+)"\})/g,
      (_, rule?: string) => rule === undefined ? '--missing' : `--missing ${rule}`)
  ).replaceAll(/^( *)(freq|covariates)(?=: |, )/gm, '$1--$2').replaceAll(/\b([Gg]ive|[Ll]eave|[Ss]end) freq\b/g,
    '$1 --freq')
}

/** sales.csv -> sales.forecast.csv */
function besides (file: string, format: string): string {
  return join(dirname(file), formatPath({ name: `${parsePath(file).name}.forecast`, ext: `.${format}` }))
}
