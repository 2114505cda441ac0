import t, { type Test } from 'tap'
import { completedJob } from '../support/completed-job.ts'
import { parseCsv } from '../support/csv.ts'
import { Client, startService, type Job } from '../support/service.ts'

/* Groups of series, by the whole service: what the file says of its series is not what is forecast. */

const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))

const day = (at: number): string => new Date(Date.UTC(2023, 0, 1 + at)).toISOString().slice(0, 10)
const sold = (store: number, at: number): number =>
  100 + 10 * store + 20 * Math.sin(2 * Math.PI * at / 7) + (at * 7919 + store * 104729) % 11

/** Twelve stores in three regions over 280 days, one of which opened ten days before the end. */
function stores (): string {
  const lines = ['date,region,store,units_sold']
  for (let store = 0; store < 12; store++) {
    for (let at = store === 11 ? 270 : 0; at < 280; at++) {
      lines.push(`${day(at)},${['north', 'south', 'west'][store % 3]},store-${store},${sold(store, at).toFixed(1)}`)
    }
  }
  return lines.join('\n') + '\n'
}

/**
 * Receipts as a till writes them, each at a second of its own: no column tells series apart, and two say of which group
 * a receipt is.
 */
function receipts (): string {
  const lines = ['time,region,channel,amount_eur']
  for (let at = 0; at < 4000; at++) {
    const time = new Date(Date.UTC(2023, 0, 1) + at * 3_600_000 + (at * 7919) % 3000 * 1000).toISOString().slice(0, 19)
    lines.push(
      `${time},${['north', 'south', 'west'][(at * 31) % 7 % 3]},${['web', 'shop'][(at * 17) % 5 % 2]},${
        (20 + (at * 104729) % 50).toFixed(2)
      }`
    )
  }
  return lines.join('\n') + '\n'
}

interface Analysis {
  requires_review: boolean
  recommended_config: { prediction_length: number, freq: string,
    preparation: { series_columns: string[], step: string | null } }
  rationale: string[]
  warnings: string[]
  profile: { min_length: number }
}

async function ask (route: 'analyze' | 'forecast', table: string, prompt: string): Promise<Response> {
  const form = new FormData()
  form.append('prompt', prompt)
  form.append('file', new Blob([table]), 'sales.csv')
  return await client.request('POST', `/agent/${route}`, { body: form })
}

async function analyzed (t: Test, table: string, prompt: string): Promise<Analysis> {
  const answer = await ask('analyze', table, prompt)
  const text = await answer.text()
  t.equal(answer.status, 200, text.slice(0, 500))
  return JSON.parse(text) as Analysis
}

async function seriesOf (t: Test, table: string, prompt: string): Promise<{ job: Job, series: string[] }> {
  const job = await completedJob(t, client, await ask('forecast', table, prompt))
  const [, ...rows] = parseCsv(await client.table(job.job_id))
  return { job, series: [...new Set(rows.map(([item]) => item ?? ''))].sort() }
}

t.test('totals of regions are forecast although one store is ten days old', async (t) => {
  const table = stores()
  for (const [prompt, step, count] of [
    ['monthly units sold by region for the next 3 months', 'MS', 3],
    ['weekly total units sold by region, next 8 weeks', 'W', 3],
    ['total units sold of all stores by month, next 2 months', 'MS', 1]
  ] as const) {
    const analysis = await analyzed(t, table, prompt)
    t.equal(analysis.profile.min_length, 10)
    t.equal(analysis.requires_review, false, `${prompt}: ${analysis.warnings.join(' ')}`)
    t.equal(analysis.recommended_config.preparation.step, step)
    t.match(analysis.rationale.join(' '), `of about ${count} series`, prompt)
    t.notMatch(analysis.warnings.join(' '), /shortest series/, prompt)
  }
  const { series } = await seriesOf(t, table, 'monthly units sold by region for the next 3 months')
  t.strictSame(series, ['north', 'south', 'west'])
  const open = await analyzed(t, table, 'units sold by region')
  t.equal(open.recommended_config.prediction_length, 14, 'two seasons of a region, not a quarter of the youngest store')
  const refused = await ask('forecast', table, 'monthly units sold by store for the next 3 months')
  t.equal(refused.status, 422, 'of the stores themselves one is too young')
  t.match(await refused.json(), { detail: [{ type: 'steps_too_long' }] })
})

t.test('groups of a file without a column of series are counted as groups', async (t) => {
  const table = receipts()
  for (const [prompt, count] of [['daily revenue by region, next 14 days', 3], [
    'daily revenue by region and channel, next 14 days',
    6
  ], ['total daily revenue, next 14 days', 1]] as const) {
    const { rationale, requires_review: review, warnings } = await analyzed(t, table, prompt)
    t.equal(review, false, `${prompt}: ${warnings.join(' ')}`)
    t.match(rationale.join(' '), `of about ${count} series`, prompt)
  }
  const { job, series } = await seriesOf(t, table, 'daily revenue by region, next 14 days')
  t.equal(job['num_items'], 3)
  t.strictSame(series, ['north', 'south', 'west'])
})

t.test('a region that is young as a whole is refused by its rows, with what to do', async (t) => {
  const table = stores().replaceAll(/south,store-(?!11)/g, 'west,store-').replaceAll('west,store-11', 'east,store-11')
  const answer = await ask('forecast', table, 'monthly units sold by region for the next 3 months')
  const text = await answer.text()
  t.equal(answer.status, 422, text.slice(0, 600))
  t.match(JSON.parse(text), { detail: [{ type: 'too_few_observations', ctx: { item: 'east' } }] })
  const analysis = await analyzed(t, table, 'monthly units sold by region for the next 3 months')
  t.equal(analysis.requires_review, true)
})
