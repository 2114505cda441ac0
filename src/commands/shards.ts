import { existsSync } from 'node:fs'
import { access, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { Type } from 'typebox'
import Value from 'typebox/value'
import type { ForecastSpec } from '../domain/forecast-spec.ts'
import { forecastShard, joinShards, planShards } from '../engine/index.ts'
import type { Config } from '../platform/config.ts'
import { defined } from '../platform/defined.ts'
import { TabcastError } from '../platform/errors.ts'
import { forecastOptions, type ForecastRequest } from '../services/forecasts/forecast-request.ts'
import { formatOfFilename } from '../services/forecasts/input-format.ts'
import { resolveForecast } from '../services/forecasts/resolve-forecast.ts'
import { tenantBounds } from '../services/jobs/tenant-bounds.ts'
import { noSources } from '../sources/covariates/resolve-external-covariates.ts'
import { fieldOptions } from './forecast-options.ts'
import { nearestOption } from './nearest-option.ts'
import { UsageError } from './usage-error.ts'

/*
 * A forecast in shards without the service: one process plans, any number forecast shards, one joins the parts. A
 * scheduler such as Kubernetes or Spark starts them; the files are those that workers exchange.
 */

const text = { type: 'string' } as const

/** The options of a plan and the fields of a request that they fill. Rows are prepared before, not here. */
const planOptions = new Map<string, string>(Object.entries(fieldOptions).filter(([name]) => name !== 'missing'))

/** `tabcast plan FILE --out FOLDER`. Throws a UsageError. */
export async function runPlanCommand (config: Config, args: string[], print: (line: string) => void): Promise<number> {
  const options = Object.fromEntries([...planOptions.keys(), 'out'].map((name) => [name, text]))
  const { given, positionals: [file, ...more] } = readPlanArguments(args, options)
  if (file === undefined || more.length > 0) throw new UsageError('plan takes one file')
  const out = required(given, 'out')
  await mkdir(out, { recursive: true })
  if ((await readdir(out)).length > 0) throw new UsageError(`--out ${out}: the folder is not empty`)
  await access(file)
  const { tables, maxOutputBytes } = tenantBounds(config, '')
  const { shards, summary } = await planShards({
    ...{ inputPaths: [file], format: formatOfFilename(file), compression: null },
    spec: specification(config, given),
    limits: { ...tables, maxOutputBytes, maxForecastPoints: config.MAX_FORECAST_POINTS },
    ...{ threads: config.SLOT_THREADS, shardSeconds: config.SHARD_SECONDS, budgetSeconds: Number.MAX_SAFE_INTEGER },
    ...outputIn(config, out),
    planFolder: out
  })
  print(summary === undefined
    ? `${shards} shards: ${join(out, 'series-0.bin')} to series-${shards - 1}.bin, of ${join(out, 'plan.bin')}`
    : `1 shard, which is done: ${join(out, 'forecast.parquet')}`)
  return 0
}

/** `tabcast shard --plan FILE --shard FILE --out FOLDER`. A part that is there already is left alone. */
export async function runShardCommand (config: Config, args: string[], print: (line: string) => void): Promise<number> {
  const { values } = parseArgs({ args, options: { plan: text, shard: text, out: text, model: text } })
  const folder = required(values, 'out')
  if (existsSync(join(folder, 'part.bin'))) {
    print(`${folder}: done before`)
    return 0
  }
  const [planPath, seriesPath] = [required(values, 'plan'), required(values, 'shard')]
  await mkdir(folder, { recursive: true })
  const { series } = await forecastShard({
    ...{ planPath, seriesPath, folder, modelPath: values.model ?? null },
    ...{ maxCsvBytes: config.MAX_CSV_BYTES, threads: config.SLOT_THREADS, budgetSeconds: null }
  })
  print(`${folder}: ${series} series`)
  return 0
}

/** `tabcast join --plan FILE --parts FOLDER --out FOLDER`: the parts are in folders named by their numbers. */
export async function runJoinCommand (config: Config, args: string[], print: (line: string) => void): Promise<number> {
  const { values } = parseArgs({ args, options: { plan: text, parts: text, out: text, model: text } })
  const [planPath, folder, out] = [required(values, 'plan'), required(values, 'parts'), required(values, 'out')]
  const numbers = (await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number).sort((a, b) => a - b)
  const missing = numbers.findIndex((number, place) => number !== place)
  if (numbers.length === 0 || missing >= 0) {
    throw new UsageError(`--parts ${folder}: the part ${Math.max(missing, 0)} is missing`)
  }
  await mkdir(out, { recursive: true })
  const { numItems, rows } = await joinShards({
    planPath,
    explainedPath: join(dirname(planPath), 'explained.bin'),
    parts: numbers.map((number) => join(folder, String(number))),
    ...{ threads: config.SLOT_THREADS, budgetSeconds: null },
    ...outputIn(config, out),
    ...defined({ modelPath: values.model })
  })
  print(`${join(out, 'forecast.parquet')}: ${rows} rows of ${numItems} series`)
  return 0
}

function readPlanArguments (args: string[], options: Record<string, { type: 'string' }>) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    return { given: values as Record<string, string | undefined>, positionals }
  } catch (error) {
    throw nearestOption(error, Object.keys(options))
  }
}

function required (given: Record<string, string | undefined>, name: string): string {
  const value = given[name]
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing`)
  return value
}

/** The specification that a request with these fields has. Throws a UsageError for a field that is wrong. */
function specification (config: Config, given: Record<string, string | undefined>): ForecastSpec {
  const fields: Record<string, string> = {}
  for (const [option, field] of planOptions) if (given[option] !== undefined) fields[field] = given[option]
  const schema = Type.Object(forecastOptions(config.MAX_HORIZON))
  const request = Value.Default(schema, Value.Convert(schema, fields)) as ForecastRequest
  const wrong = Value.Errors(schema, request)[0]
  if (wrong !== undefined) {
    const [option] = [...planOptions].find(([, field]) => `/${field}` === wrong.instancePath) ?? ['']
    throw new UsageError(`--${option} ${given[option]}: ${wrong.message}`)
  }
  try {
    return resolveForecast(request, () => undefined, noSources)
  } catch (error) {
    if (!(error instanceof TabcastError)) throw error
    const [first] = error.fields ?? []
    throw new UsageError(first === undefined ? error.message : `${String(first.loc.at(-1))}: ${first.msg}`)
  }
}

function outputIn (config: Config, folder: string) {
  return {
    parquetPath: join(folder, 'forecast.parquet'),
    csvPath: join(folder, 'forecast.csv'),
    maxCsvBytes: config.MAX_CSV_BYTES,
    reportPath: join(folder, 'report.json'),
    findingsPath: join(folder, 'findings.json')
  }
}
