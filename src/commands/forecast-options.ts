import { dirname, format as formatPath, join, parse as parsePath } from 'node:path'
import { parseArgs } from 'node:util'
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
  format: 'csv' | 'parquet' | 'zip'
  force: boolean
}

export const forecastUsage = `  tabcast forecast FILE --key KEY [--url URL] [--horizon N] [--preset NAME] [--freq ALIAS]
      [--item-id-column NAME] [--timestamp-column NAME] [--target-column NAME] [--quantiles a,b] [--covariates a,b]
      [--format csv|parquet | --zip] [--out FILE] [--force] [--job ID]
                                     forecasts a file and writes the result beside it; --job waits for a job again`

/** Form field of each command-line option. */
const fieldOptions = {
  horizon: 'prediction_length',
  preset: 'presets',
  freq: 'freq',
  'item-id-column': 'item_id_column',
  'timestamp-column': 'timestamp_column',
  'target-column': 'target_column',
  quantiles: 'quantile_levels',
  covariates: 'covariates'
} as const

/** Key and address may come from the environment: TABCAST_API_KEY, which no process list shows, and TABCAST_URL. */
export function forecastOptions (args: string[], env: NodeJS.ProcessEnv): ForecastOptions {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(Object.keys(fieldOptions).map((name) => [name, text])),
      key: text,
      url: text,
      out: text,
      job: text,
      format: text,
      zip: { type: 'boolean' },
      force: { type: 'boolean' }
    } as Record<string, { type: 'string' | 'boolean' }>
  })
  const given = values as Record<string, string | undefined> & { zip?: boolean, force?: boolean }
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
  const fields: Record<string, string> = {}
  for (const [option, field] of Object.entries(fieldOptions)) {
    const value = given[option]
    if (value === undefined) continue
    if (file === undefined || jobId !== null) {
      throw new UsageError(`--${option} has no effect on a job that was submitted before`)
    }
    fields[field] = value
  }
  const chosen = given.zip ? 'zip' : format
  return {
    file: file ?? null,
    jobId,
    fields,
    key,
    url,
    out: given['out'] ?? besides(file ?? `${jobId}.csv`, chosen),
    format: chosen,
    force: given.force ?? false
  }
}

/** sales.csv -> sales.forecast.csv */
function besides (file: string, format: string): string {
  return join(dirname(file), formatPath({ name: `${parsePath(file).name}.forecast`, ext: `.${format}` }))
}
