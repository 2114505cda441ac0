import t from 'tap'
import { csv, series } from '../support/csv.ts'
import { expectError, fieldsOf } from '../support/expect-error.ts'
import { Client, startService, type Job } from '../support/service.ts'

/* GET /jobs: filters, pages and cursors. */
const service = await startService({ TABCAST_RATE_LIMITS: 'false', TABCAST_SYNC_CHECK_MAX_BYTES: '2000' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))
const other = new Client(service.baseUrl, await service.createKey('other'))
const quick = { prediction_length: '3', presets: 'fast' }
const good = csv(series())
const bad = csv([...series({ length: 200 }), ...series({ length: 1 })])
let ended: Job[] = []
let newestFirst: string[] = []
let foreign = ''

t.before(async () => {
  const submitted: Job[] = []
  for (const data of [good, bad, good, good, bad, good, good]) submitted.push(await client.submitted(data, quick))
  foreign = (await other.submitted(good, quick)).job_id
  ended = await Promise.all(submitted.map(async ({ job_id: jobId }) => await client.ended(jobId)))
  newestFirst = ids(submitted).reverse()
})

interface Page {
  jobs: Job[]
  next_cursor: string | null
}

async function page (query: string, from: Client = client): Promise<Page> {
  const answer = await from.request('GET', `/jobs${query}`)
  const body = await answer.json() as Page
  if (answer.status !== 200) throw new Error(`GET /jobs${query} answered ${answer.status}: ${JSON.stringify(body)}`)
  t.strictSame(Object.keys(body).sort(), ['jobs', 'next_cursor'])
  return body
}

async function pages (query: string, limit: number): Promise<Job[]> {
  const jobs: Job[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const found: Page = await page(
      `?limit=${limit}${query}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    )
    t.ok(found.jobs.length <= limit)
    jobs.push(...found.jobs)
    cursor = found.next_cursor
  }
  return jobs
}

const ids = (jobs: Job[]): string[] => jobs.map((job) => job.job_id)

t.test("lists the tenant's own jobs, newest first, each as GET /jobs/{id} shows it", async (t) => {
  const { jobs, next_cursor: next } = await page('')
  t.strictSame(jobs, ended.toReversed())
  t.equal(next, null)
  t.strictSame(ids((await page('', other)).jobs), [foreign])
})

t.test('filters by status, type and time', async (t) => {
  const where = (status: string) => ids(ended.filter((job) => job.status === status)).reverse()
  t.strictSame(ids((await page('?status=failed')).jobs), where('failed'))
  t.strictSame(ids((await page('?status=completed')).jobs), where('completed'))
  t.strictSame(ids((await page('?status=failed&status=completed')).jobs), newestFirst, 'status may be repeated')
  t.strictSame((await page('?status=pending&status=running')).jobs, [])
  t.strictSame(ids((await page('?job_type=forecast')).jobs), newestFirst)
  t.strictSame((await page('?job_type=classification')).jobs, [])
  const third = ended[2]?.['created_at'] as string
  t.strictSame(ids((await page(`?created_after=${encodeURIComponent(third)}`)).jobs), newestFirst.slice(0, 4))
})

t.test('pages have a cursor until the last one, and every job comes once', async (t) => {
  for (const limit of [1, 2, 3, 7, 8, 200]) t.strictSame(ids(await pages('', limit)), newestFirst, `by ${limit}`)
  t.strictSame(ids(await pages('&status=failed', 1)), [newestFirst[2], newestFirst[5]])
})

t.test('jobs that come or go between two pages neither repeat nor hide others', async (t) => {
  const first = await page('?limit=3')
  const late = await client.submitted(good, quick)
  await client.request('DELETE', `/jobs/${newestFirst[2]}`)
  const second = await page(`?limit=200&cursor=${encodeURIComponent(first.next_cursor ?? '')}`)
  t.strictSame(ids(second.jobs), newestFirst.slice(3), 'after the deleted job that the cursor stands on')
  t.equal((await client.request('DELETE', `/jobs/${late.job_id}`)).status, 204)
})

t.test('a cursor works only for its tenant and its filter, and only unchanged', async (t) => {
  const { next_cursor: cursor } = await page('?limit=2')
  const own = encodeURIComponent(cursor ?? '')
  t.equal((await client.request('GET', `/jobs?limit=5&cursor=${own}`)).status, 200, 'the page may have another length')
  const changed = own.slice(0, -2) + (own.endsWith('AA') ? 'BB' : 'AA')
  const refused: Array<[Client, string]> = [
    [other, `?limit=2&cursor=${own}`],
    [client, `?limit=2&status=failed&cursor=${own}`],
    [client, `?cursor=${changed}`],
    [client, '?cursor=zzz'],
    [client, `?cursor=${Buffer.from(newestFirst[0] ?? '').toString('base64url')}`]
  ]
  for (const [caller, query] of refused) {
    const envelope = await expectError(t, await caller.request('GET', `/jobs${query}`), 422, 'validation_error')
    t.strictSame(fieldsOf(envelope)[0]?.loc, ['query', 'cursor'])
  }
  t.notMatch(Buffer.from(cursor ?? '', 'base64').toString('latin1'), 'acme', 'a cursor does not show the tenant')
})

t.test('parameters out of their bounds are a 422 that names them', async (t) => {
  const wrong: Record<string, string> = {
    'limit=0': 'limit',
    'limit=201': 'limit',
    'limit=x': 'limit',
    'status=done': 'status',
    'job_type=x': 'job_type',
    'created_after=yesterday': 'created_after',
    'bogus=1': 'bogus'
  }
  for (const [query, name] of Object.entries(wrong)) {
    const envelope = await expectError(t, await client.request('GET', `/jobs?${query}`), 422, 'validation_error')
    t.strictSame(fieldsOf(envelope)[0]?.loc.slice(0, 2), ['query', name], query)
  }
})
