import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { csv, series } from '../support/csv.ts'
import { expectError } from '../support/expect-error.ts'
import { deletedButOpen, expectHealthy, objectsOf } from '../support/leftovers.ts'
import { openRaw, requestHead } from '../support/raw-http.ts'
import { Client, panelCsv, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/* Deletions while somebody reads or computes what is deleted. */
const service = await startService({ TABCAST_RATE_LIMITS: 'false', TABCAST_SWEEP_MS: '500' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))

t.test('downloads under way break off when their job is deleted, and its bytes leave the disk', async (t) => {
  const authorization = `Bearer ${client.key}`
  const { job_id: jobId } = await client.submitted(panelCsv(1000, 24), { prediction_length: '300', presets: 'fast' })
  t.equal((await client.ended(jobId)).status, 'completed')
  const signed = new URL((await client.request('GET', `/jobs/${jobId}/download`)).headers.get('location') ?? '')
  const targets = [`/jobs/${jobId}/download?format=csv`, `/jobs/${jobId}/download?format=zip`,
    signed.pathname + signed.search]
  const readers = await Promise.all(targets.map(async (path) => {
    const raw = await openRaw(service.baseUrl)
    let received = 0
    raw.socket.on('data', (bytes: Buffer) => {
      received += bytes.length
      // As a reader who takes what the socket has, once, and then nothing more.
      raw.socket.pause()
    })
    raw.send(requestHead('GET', path, { authorization }))
    await until(`the first bytes of ${path}`, () => received > 0)
    return { path, raw, received: () => received }
  }))
  const whole = Number(
    (await client.request('HEAD', `/jobs/${jobId}/download?format=csv`)).headers.get('content-length')
  )
  t.ok(whole > 30_000_000, `the table has ${whole} bytes, more than sockets hold`)
  t.equal((await client.request('DELETE', `/jobs/${jobId}`)).status, 204)
  await until('the files to be closed', () => deletedButOpen(service).length === 0)
  t.strictSame(await objectsOf(service, 'acme', jobId), [])
  for (const { path, raw, received } of readers) {
    raw.socket.removeAllListeners('data').on('data', () => undefined).resume()
    await raw.ended()
    t.ok(raw.socket.bytesRead < whole,
      `${path} was cut off after ${received()} and at most ${raw.socket.bytesRead} bytes`)
  }
  await expectError(t, await fetch(signed), 404, 'not_found')
  await expectHealthy(t, service)
})

t.test('a job that is deleted while it ends is not said to run again', async (t) => {
  const jobs = await Promise.all(Array.from({ length: 60 }, async (_, at) => {
    const { job_id: jobId } = await client.submitted(csv(series()), { prediction_length: '3', presets: 'fast' })
    await sleep(at * 5)
    t.equal((await client.request('DELETE', `/jobs/${jobId}`)).status, 204)
    return jobId
  }))
  const last = await client.submitted(csv(series()), { prediction_length: '3', presets: 'fast' })
  t.equal((await client.ended(last.job_id)).status, 'completed')
  await until('nothing of the deleted jobs',
    async () => (await objectsOf(service, 'acme')).every((path) => path.includes(last.job_id)), 60_000)
  t.notMatch(service.log(), /the job runs again/)
  for (const jobId of jobs) t.equal((await client.request('GET', `/jobs/${jobId}`)).status, 404)
})
