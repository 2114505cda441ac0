import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { compileValidator } from '../../../src/api/validation/compile-validator.ts'
import { explainContentError } from '../../../src/domain/content-error.ts'
import type { DataProfile } from '../../../src/domain/data-profile.ts'
import type { DatasetProfile } from '../../../src/domain/dataset-profile.ts'
import type { ForecastIntent } from '../../../src/domain/forecast-intent.ts'
import { createTask, EngineError } from '../../../src/engine/index.ts'
import { closedObject } from '../../../src/platform/closed-object.ts'
import { acceptedForecast, type AcceptedForecast } from '../../../src/services/recommendations/accepted-forecast.ts'
import type { RowCheck } from '../../../src/services/recommendations/recommendation.ts'
import { settleIntent } from '../../../src/services/agent/settle-intent.ts'
import { storedForecast, type StoredForecast } from '../../../src/services/forecasts/batch-request.ts'
import { resolveForecast } from '../../../src/services/forecasts/resolve-forecast.ts'
import { contentRefusal } from '../../../src/services/jobs/content-refusal.ts'
import { noSources } from '../../../src/sources/covariates/resolve-external-covariates.ts'
import { runCheck } from '../../../src/worker/check-pipeline.ts'
import { runProfile } from '../../../src/worker/profile-pipeline.ts'
import { parseCsv } from '../../support/csv.ts'
import { testLimits } from '../../support/job-message.ts'
import { randomPrompt, randomTable } from '../../support/random-tables.ts'
import { uniform } from '../../support/random.ts'

/* What is recommended, held against the data as a job of a forecast route is. */

const checkRequest = compileValidator(closedObject(storedForecast(1000)), 'body', false)
const { maxCsvBytes: _csv, ...limits } = testLimits

let folder: string
t.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'accepted-'))
})
t.after(() => rm(folder, { recursive: true, force: true }))

interface Outcome extends AcceptedForecast {
  intent: ForecastIntent
  data: DataProfile
  csv: string
}

/** undefined: the file has no series, which the profile says. */
async function recommended (csv: string, prompt: string): Promise<Outcome | undefined> {
  const path = join(folder, 'table.csv')
  await writeFile(path, csv)
  const dataset = { inputPaths: [path], format: 'csv' as const, compression: null, limits, threads: 2 }
  const { profile, intent } = await runProfile({ kind: 'profile', ...dataset, columns: {}, prompt }, createTask())
  if (intent === null) throw new Error('a prompt was sent')
  if (profile.series === null) {
    t.ok(profile.unreadable)
    return undefined
  }
  const settled = settleIntent({
    ...intent,
    forecast_target: intent.forecast_target ?? profile.roles.target,
    time_column: intent.time_column ?? profile.roles.timestamp
  }, { horizon: null, columns: {} })
  const check: RowCheck = async (config) => {
    const request = checkRequest(JSON.parse(JSON.stringify({ ...config, object_id: 'obj_1' })))
    if ('error' in request) throw request.error
    const { object_id: _id, ...options } = request.value as StoredForecast
    try {
      const found = await runCheck({
        kind: 'check',
        spans: { dailyYears: 200, hourlyYears: 20 },
        depth: 'full',
        ...dataset,
        spec: resolveForecast(options, () => undefined, noSources),
        preparedPath: `${path}.prepared`
      }, createTask())
      return { freq: (found.profile as DatasetProfile).freq }
    } catch (error) {
      if (!(error instanceof EngineError) || error.content === undefined) throw error
      return {
        code: error.content.code,
        message: explainContentError(error.content),
        column: error.content.column,
        error: contentRefusal(error.content)
      }
    }
  }
  return {
    ...await acceptedForecast({
      intent: settled,
      data: profile,
      horizon: null,
      maxHorizon: 1000,
      addsCovariates: true,
      p90Seconds: () => 1
    }, check),
    intent: settled,
    data: profile,
    csv
  }
}

/** Data, or a wish, that no configuration can help. */
const hopeless: Record<string, (outcome: Outcome) => boolean> = {
  column_name_too_long: ({ data }) => data.columns.some(({ name }) => name.length > 200),
  no_rows_left: ({ config }) => (config.preparation?.filters.length ?? 0) > 0,
  too_few_observations: isShort,
  all_null_target: isShort,
  no_complete_period: isShort,
  frequency_conflict: asksForSteps,
  step_too_fine: isShort,
  gap_too_long: asksForSteps,
  ambiguous_item_id: ({ config }) => (config.preparation?.series_columns?.length ?? 0) > 1,
  duplicate_rows: repeatsRows,
  timestamp_out_of_range: ({ data }) => (data.series?.end ?? '') > '9'
}

/** So few rows, or so few once they are filtered, that a step may leave one or none. */
function isShort (outcome: Outcome): boolean {
  const { data, config } = outcome
  return (data.series?.minLength ?? 0) < 10 || (config.preparation?.filters.length ?? 0) > 0 || asksForSteps(outcome)
}

/** Steps of a length that was asked for, of rows that have none. */
function asksForSteps ({ data, intent }: Outcome): boolean {
  return data.series?.freq === null && intent.granularity !== null
}

function repeatsRows ({ csv, config }: Outcome): boolean {
  const [header = [], ...rows] = parseCsv(csv)
  const keys = rows.map((row) =>
    [config.item_id_column, config.timestamp_column].map((name) => row[header.indexOf(name)]).join()
  )
  return new Set(keys).size < keys.length
}

t.test('what is recommended for any table and prompt, a job takes; or the data cannot be forecast, and that is said', async (t) => {
  let accepted = 0
  const rounds = Number(process.env['ROUNDS'] ?? 400)
  for (let seed = 0; seed < rounds; seed++) {
    const random = uniform(seed)
    const table = randomTable(random)
    const prompt = randomPrompt(random, table)
    const outcome = await recommended(table.csv, prompt)
    if (outcome === undefined) continue
    const { refusal } = outcome
    if (refusal === null) accepted++
    else if (hopeless[refusal.code]?.(outcome) !== true) {
      t.fail(`seed ${seed}, ${JSON.stringify(prompt)}: ${refusal.code}: ${refusal.message}`, {
        config: outcome.config,
        series: outcome.data.series
      })
    }
  }
  t.ok(accepted > rounds * 0.6, `${accepted} of ${rounds} are accepted`)
})

const days = (count: number, row: (day: number) => string): string =>
  Array.from({ length: count }, (_, day) =>
    `${new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)},${row(day)}\n`).join('')
const known = async (csv: string, prompt: string): Promise<Outcome> => {
  const outcome = await recommended(csv, prompt)
  if (outcome === undefined) throw new Error('the file has series')
  return outcome
}

t.test('covariates that are not known for every step are left out, and that is said', async (t) => {
  const outcome = await known(
    `date,sales,price,promo\n${
      days(60, (day) => `${day >= 53 ? '' : 10 + day % 7},${day === 56 ? '' : 5 + day % 3},${day % 2}`)
    }`,
    'sales for the next 7 days using price and promo'
  )
  t.equal(outcome.refusal, null)
  t.notMatch(outcome.config.covariates ?? '', /price/)
  t.match(outcome.warnings.join(), /price: .*not used/)
})

t.test('groups have steps of their own', async (t) => {
  const rows = days(120,
    (day) => `${day % 7 === 0 ? 'a,North' : 'b,North'},${day % 7 === 0 || day % 7 === 3 ? 10 + day : ''}`).split('\n')
    .filter((row) => row !== '' && !row.endsWith(','))
  const outcome = await known(`date,store,region,sales\n${rows.join('\n')}\n`, 'sales by region for the next 4 weeks')
  t.equal(outcome.refusal, null)
  t.equal(outcome.config.preparation?.series_columns?.[0], 'region')
})

t.test('a filter that leaves nothing, a name that is too long, and one value are refused with the reason', async (t) => {
  const table = `date,sales,price\n${days(60, (day) => `${10 + day},5`)}`
  t.match(await known(table, 'sales for 7 days where price > 100'), {
    refusal: { code: 'no_rows_left', message: /price gt '100'/ }
  })
  t.match(await known(table.replace('sales', 'net sales '.repeat(25).trim()), 'next 7 days'), {
    refusal: { code: 'column_name_too_long', message: /takes 200/ }
  })
  t.match(await known('date,sales\n2024-01-01,5\n2024-01-02,\n2024-01-03,\n', 'next 7 days'), {
    refusal: { code: /observations|frequency|period/ }
  })
})

t.test('a filter by a value takes rows out of the middle, and that is said', async (t) => {
  const outcome = await known(`date,sales,price\n${days(90, (day) => `${10 + day % 7},${5 + day % 6}`)}`,
    'sales for 7 days where price is below 9')
  t.equal(outcome.refusal, null)
  t.match(outcome.warnings.join(), /"price lt 9" takes rows out of the middle of series/)
})
