import t from 'tap'
import { expectError } from '../support/expect-error.ts'
import { Client, panelCsv, startService } from '../support/service.ts'

/* Options are stored with their job, read with it, and sent to a worker in one message. */

const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))
const other = new Client(service.baseUrl, await service.createKey('other'))
const post = async (path: string, body: unknown): Promise<Response> =>
  await client.request('POST', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

/** Filters of so many bytes. */
function filters (bytes: number): unknown {
  const values = Array.from({ length: 500 }, (_, index) => `${index}`.padEnd(240, 'x'))
  const count = Math.ceil(bytes / (values.length * 240))
  return Array.from({ length: count }, () => ({ column: 'item_id', op: 'not_in', values }))
}

async function store (): Promise<string> {
  const presigned = await (await post('/storage/uploads/presign', { filename: 'a.csv', content_type: 'text/csv' }))
    .json() as { object_id: string, upload_url: string, required_headers: Record<string, string> }
  await fetch(presigned.upload_url, { method: 'PUT', headers: presigned.required_headers, body: panelCsv(2, 40) })
  await post(`/storage/uploads/${presigned.object_id}/complete`, {})
  return presigned.object_id
}

t.test('options above 128 KiB are refused before a job is made: of one job, and of one among several', async (t) => {
  const limits = await (await client.request('GET', '/limits')).json() as { max_specification_bytes: number }
  t.equal(limits.max_specification_bytes, 131_072)
  const objectId = await store()
  const large = { object_id: objectId, prediction_length: 3, preparation: { filters: filters(500_000) } }
  const one = await expectError(t, await post('/forecast/storage-object', large), 413, 'validation_error')
  t.match(JSON.stringify(one.detail), /The options come to \d{6} bytes; a job takes 131072\..*max_specification_bytes/)
  const several = {
    requests: [{ custom_id: 'a', object_id: objectId, prediction_length: 3 }, { custom_id: 'b', ...large }]
  }
  const inBatch = await expectError(t, await post('/forecast/batch', several), 413, 'validation_error')
  t.match(JSON.stringify(inBatch.detail), /bytes, in requests\.1; a job/)
  const repeated = {
    requests: Array.from({ length: 100 }, (_, index) => ({ custom_id: `c${index}`, object_id: objectId })),
    defaults: { prediction_length: 3, preparation: { filters: filters(100_000) } }
  }
  const inDefaults = await expectError(t, await post('/forecast/batch', repeated), 413, 'validation_error')
  t.match(JSON.stringify(inDefaults.detail), /The defaults have 12\d{4} bytes and stand for 100 requests/)
  t.match(await (await client.request('GET', '/jobs')).json(), { jobs: [] })

  const allowed = { ...large, preparation: { filters: filters(100_000) } }
  const { job_id: jobId } = await (await post('/forecast/storage-object', allowed)).json() as { job_id: string }
  t.equal((await client.ended(jobId)).status, 'completed', 'what is below the bound is done')
})

t.test('a page of jobs with large options is short, and the next ones give the rest', async (t) => {
  const objectId = await store()
  const requests = Array.from({ length: 8 },
    (_, index) => ({ custom_id: `c${index}`, object_id: objectId, prediction_length: 3 }))
  for (let round = 0; round < 3; round++) {
    const answer = await post('/forecast/batch', { requests, defaults: { preparation: { filters: filters(100_000) } } })
    t.equal(answer.status, 202)
  }
  const ids = new Set<string>()
  const pages: number[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await (await client.request('GET', `/jobs?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`))
      .json() as { jobs: Array<{ job_id: string }>, next_cursor: string | null }
    for (const { job_id: id } of page.jobs) ids.add(id)
    pages.push(page.jobs.length)
    cursor = page.next_cursor
  }
  t.equal(ids.size, 25)
  t.ok(pages.length > 1, `pages of ${pages.join(', ')}`)
  const small = await other.submitted(panelCsv(1, 30), { prediction_length: '3', presets: 'fast' })
  t.equal((await other.ended(small.job_id)).status, 'completed')
})
