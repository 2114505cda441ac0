import t, { type Test } from 'tap'
import { completedJob } from '../support/completed-job.ts'
import { parseCsv } from '../support/csv.ts'
import { expectError, fieldsOf } from '../support/expect-error.ts'
import { Client, startService, type Job } from '../support/service.ts'

/* How rows become one, over series and over time, through HTTP and the whole service: the numbers are computed here. */

const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))

const stations = { alpha: 'North', beta: 'North', gamma: 'South' } as const
type Station = keyof typeof stations
const days = 56
/** Their peaks are at different hours, and each weekday has a factor of its own. */
function load (station: Station, hour: number): number {
  const clock = hour % 24
  const weekday = 1 + (Math.floor(hour / 24) % 7) / 10
  return weekday *
    ({ alpha: 20 + 3 * clock, beta: 200 - 4 * Math.abs(clock - 8), gamma: 50 + 10 * Math.sin(clock) })[station]
}

const price = (station: Station, hour: number): number => ({ alpha: 40, beta: 60, gamma: 95 })[station] + hour % 24

/** From a Monday on. */
const rows = Array.from({ length: 24 * days }, (_, hour) => {
  const stamp = new Date(Date.UTC(2024, 0, 1, hour)).toISOString().slice(0, 19)
  return (Object.keys(stations) as Station[]).map((station) =>
    `${stamp},${station},${stations[station]},${load(station, hour).toFixed(4)},${price(station, hour)}`
  )
}).flat()
const table = `time,substation,region,load_mw,price_eur\n${rows.join('\n')}\n`

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const largest = (values: number[]): number => Math.max(...values)
const total = (values: number[]): number => values.reduce((sum, value) => sum + value, 0)

/**
 * Of the seven days that come, which are as the first: of each what `over` makes of its hours, of which each is what
 * `across` makes of these stations.
 */
function expected (of: Station[], across: (values: number[]) => number, over: (values: number[]) => number,
  value = load): number[] {
  return Array.from({ length: 7 },
    (_, day) =>
      over(Array.from({ length: 24 }, (_, clock) => across(of.map((station) => value(station, 24 * day + clock))))))
}

const completed = async (t: Test, answer: Response): Promise<Job> => await completedJob(t, client, answer)

async function means (job: Job, series: string): Promise<number[]> {
  const [header = [], ...lines] = parseCsv(await client.table(job.job_id))
  return lines.filter((line) => line[0] === series).map((line) => Number(line[header.indexOf('mean')]))
}

/** Of wrong axes the numbers would be others by more than a quarter. */
function isNear (t: Test, found: number[], wanted: number[], what: string): void {
  t.ok(
    found.length === wanted.length &&
      found.every((value, step) =>
        Math.abs(value - (wanted[step] as number)) <= 0.03 * Math.abs(wanted[step] as number)
      ),
    `${what}: ${found.map((value) => value.toFixed(1)).join(' ')} of ${
      wanted.map((value) => value.toFixed(1)).join(' ')
    }`
  )
}

const columns = {
  item_id_column: 'substation',
  timestamp_column: 'time',
  target_column: 'load_mw',
  prediction_length: '7',
  presets: 'fast'
}
const all = Object.keys(stations) as Station[]
const north: Station[] = ['alpha', 'beta']

t.test('the daily mean of total power, its peak and its least, as a forecast is asked for them', async (t) => {
  const daily = async (block: object): Promise<Job> =>
    await completed(t, await client.submit(table, { ...columns, preparation: JSON.stringify({ step: 'D', ...block }) }))
  const power = await daily({ series_columns: [], across: 'sum', aggregate: 'mean' })
  isNear(t, await means(power, 'all'), expected(all, total, mean), 'mean of the total')
  t.match(power, {
    effective_config: { preparation: { series_columns: [], step: 'D', aggregate: 'mean', across: 'sum' } },
    preparation: {
      rows_read: 3 * 24 * days,
      rows_combined: 3 * 24 * days - days,
      rows_combined_across: 2 * 24 * days,
      incomplete_periods_dropped: 0
    }
  })
  const page = await (await client.request('GET', String(power['report_url']))).text()
  t.match(page, /Rows combined.*rows with the same time by their sum, then steps of D by their mean/s)
  const peak = await daily({ series_columns: ['region'], across: 'sum', aggregate: 'max' })
  isNear(t, await means(peak, 'North'), expected(north, total, largest), 'peak of the total')
  isNear(t, await means(peak, 'South'), expected(['gamma'], total, largest), 'peak of one')
  const sums = await daily({ series_columns: [], aggregate: 'sum' })
  isNear(t, await means(sums, 'all'), expected(all, total, total), 'as before there was a choice')
  t.match(sums, { effective_config: { preparation: { aggregate: 'sum', across: null } } })
})

interface Analysis {
  recommended_config: { preparation: Record<string, unknown> | null }
  rationale: string[]
  warnings: string[]
}

async function ask (route: 'analyze' | 'forecast', prompt: string): Promise<Response> {
  const form = new FormData()
  form.append('prompt', prompt)
  form.append('file', new Blob([table]), 'load.csv')
  return await client.request('POST', `/agent/${route}`, { body: form })
}

async function analyze (t: Test, prompt: string): Promise<Analysis> {
  const answer = await ask('analyze', prompt)
  t.equal(answer.status, 200, prompt)
  return await answer.json() as Analysis
}

t.test('an analysis says how rows are combined, on each axis, and why', async (t) => {
  const level = await analyze(t, 'daily load by region for the next 7 days')
  t.match(level.recommended_config.preparation, {
    series_columns: ['region'],
    step: 'D',
    across: 'sum',
    aggregate: 'mean'
  })
  t.match(level.rationale.join('\n'),
    /same time become one by their sum.*load_mw is a level.*steps of D by their mean.*load_mw is a level/s)
  const peak = await analyze(t, 'peak of the total load per day, next 7 days')
  t.match(peak.recommended_config.preparation, { series_columns: [], step: 'D', across: 'sum', aggregate: 'max' })
  t.match(peak.rationale.join('\n'), /by their sum.*as asked for.*by their maximum.*as asked for/s)
  const rate = await analyze(t, 'average price by region, daily, next 7 days')
  t.match(rate.recommended_config.preparation, { series_columns: ['region'], step: 'D', aggregate: 'mean' })
  t.notOk('across' in (rate.recommended_config.preparation ?? {}), 'the same for both')
  const own = await analyze(t, 'average load per substation for the next 24 hours')
  t.notMatch(own.rationale.join('\n'), /become one|combined into/)
  for (const { warnings } of [level, peak, rate, own]) {
    t.notMatch(warnings.join('\n'), /changes nothing|maximum|minimum/)
  }
})

t.test('and a prompt alone is forecast so', async (t) => {
  const power = await completed(t, await ask('forecast', 'total load of all substations, daily, for the next 7 days'))
  t.match(power, {
    prediction_length: 7,
    effective_config: { preparation: { series_columns: [], step: 'D', across: 'sum', aggregate: 'mean' } }
  })
  isNear(t, await means(power, 'all'), expected(all, total, mean), 'total load')
  const peak = await completed(t, await ask('forecast', 'daily peak load by region for the next 7 days'))
  isNear(t, await means(peak, 'North'), expected(north, total, largest), 'peak load')
  const rate = await completed(t, await ask('forecast', 'average price by region, daily, for the next 7 days'))
  isNear(t, await means(rate, 'North'), expected(north, mean, mean, price), 'average price')
})

t.test('a few rows far apart are not made into millions, and a part that is sold now and then is', async (t) => {
  const apart = (days: number): string => {
    const stamps = [0, 1, days].map((day) => new Date(day * 864e5).toISOString().slice(0, 10))
    const lines = Array.from({ length: 700 }, (_, part) => stamps.map((stamp) => `p${part},${stamp},1`)).flat()
    return `item_id,timestamp,target\n${lines.join('\n')}\n`
  }
  const fields = {
    prediction_length: '1',
    presets: 'fast',
    freq: 'D',
    preparation: JSON.stringify({ missing: 'zero' })
  }
  const refused = await expectError(t, await client.submit(apart(9_999), fields), 422, 'validation_error')
  const [field] = fieldsOf(refused)
  t.match(field, { loc: ['body', 'preparation'], type: 'gap_too_long', ctx: { item: 'p0' } })
  t.match(field?.msg, /7000000 rows instead of 2100.*Look for a wrong time stamp/)
  const job = await completed(t, await client.submit(apart(1_094), fields))
  t.match(job, { preparation: { rows_read: 2_100, steps_filled: 700 * 1_092 } })
})
