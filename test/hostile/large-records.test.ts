import t from 'tap'
import { Client, startService, type Job } from '../support/service.ts'
import type { Upload } from '../support/storage.ts'
import { until } from '../support/until.ts'

/* What customers name their things is kept with each job and told in batches: item ids as long as a cell may be. */

const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))
const jobs = 10

async function post<T> (path: string, body: unknown): Promise<T> {
  const answer = await client.request('POST', path, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' }
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${text}`)
  return JSON.parse(text) as T
}

async function store (content: string): Promise<string> {
  const { object_id: id, upload_url: address, required_headers: headers } = await post<Upload>(
    '/storage/uploads/presign',
    { filename: 'a.csv', content_type: 'text/csv' }
  )
  const { status } = await fetch(address, { method: 'PUT', headers, body: content })
  if (status !== 200) throw new Error(`the upload answered ${status}`)
  await post(`/storage/uploads/${id}/complete`, {})
  return id
}

t.test('item ids of 32,768 characters make no large jobs, and a batch of them holds up nobody', async (t) => {
  const id = '😀'.repeat(32_768)
  const rows = Array.from({ length: 90 },
    (_, day) =>
      `${id},${new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)},${
        day > 10 && day % 4 === 3 ? 90_000 + 7 * day : 100 + day % 5
      }`)
  const objectId = await store(`item_id,timestamp,target\n${rows.join('\n')}\n`)
  const defaults = { object_id: objectId, prediction_length: 1, presets: 'fast', preparation: { anomalies: 'flag' } }
  const { batch_id: batchId } = await post<{ batch_id: string }>('/forecast/batch', {
    defaults,
    requests: Array.from({ length: jobs }, (_, index) => ({ custom_id: `c${index}` }))
  })
  const path = `/forecast/batch/${batchId}`
  const text = await until('the batch is completed', async () => {
    const answer = await (await client.request('GET', path)).text()
    return (JSON.parse(answer) as { status: string }).status === 'completed' ? answer : undefined
  }, 240_000)
  t.ok(Buffer.byteLength(text) < jobs * 64 * 1024, `${Buffer.byteLength(text)} bytes`)
  const batch = JSON.parse(text) as { counts: Record<string, number>,
    jobs: Array<Job & { preparation: { anomalies: { examples: Array<{ item_id: string }> } } }> }
  t.match(batch.counts, { completed: jobs })
  for (const { preparation: { anomalies } } of batch.jobs) {
    t.equal(anomalies.examples.length, 20)
    t.ok(anomalies.examples.every((example) => example.item_id === `${'😀'.repeat(200)}…`))
  }
  const table = await client.table(batch.jobs[0]?.job_id ?? '')
  t.ok(table.includes(`\n${id},`), 'the forecast has the whole id')

  t.equal((await client.request('DELETE', path)).status, 204)
  for (const url of [path, ...batch.jobs.map(({ job_id: jobId }) => `/jobs/${jobId}`)]) {
    t.equal((await client.request('GET', url)).status, 404, url)
  }
})
