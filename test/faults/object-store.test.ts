import type { IncomingMessage } from 'node:http'
import t, { type Test } from 'tap'
import { expectError } from '../support/expect-error.ts'
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy.ts'
import { spooled } from '../support/leftovers.ts'
import { holdSlot, oneSlot } from '../support/long-job.ts'
import { seededRandom } from '../support/random.ts'
import { startS3, whyNoS3, type TestS3 } from '../support/s3.ts'
import { Client, panelCsv, startService, type Job, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/*
 * Rows 15 to 17 of the crash matrix: the whole service with its objects in a real S3 server, and a proxy between
 * them that fails.
 */

const quick = {
  TABCAST_LEASE_MS: '2000',
  TABCAST_HEARTBEAT_MS: '300',
  TABCAST_RECONCILE_MS: '300',
  TABCAST_SWEEP_MS: '300',
  TABCAST_DRAIN_MS: '3000',
  TABCAST_WORKERS: '1',
  TABCAST_SLOTS: '2',
  TABCAST_SLOT_THREADS: '1',
  TABCAST_RATE_LIMITS: 'false',
  TABCAST_S3_TIMEOUT_MS: '8000'
}
const fields = { prediction_length: '6', presets: 'fast' }
const small = panelCsv(3, 40)

/** A write of anything but an upload's input and a probe: what a run publishes. */
const publishes = ({ method, url = '' }: IncomingMessage) =>
  method === 'PUT' && !url.endsWith('/input') && !url.includes('/.probe/')

interface Stage {
  s3: TestS3
  proxy: FaultProxy
  service: TestService
}

async function open (t: Test, settings: Record<string, string> = {}): Promise<Stage> {
  const s3 = await startS3(t)
  await s3.createBucket('forecasts')
  const proxy = await startFaultProxy(t, s3.endpoint)
  const service = await startService({
    ...quick,
    ...s3.settings('forecasts', { TABCAST_S3_ENDPOINT: proxy.endpoint }),
    ...settings
  })
  t.teardown(() => service.cleanup())
  return { s3, proxy, service }
}

/** A tenant of its own for each row; `keys` are its objects. */
async function tenantOf ({ s3, service }: Stage, tenant: string) {
  const keys = async () => {
    const { objects } = await s3.client.listObjectsV2Query('forecasts', `${tenant}/`, '', '', 1000, '')
    return objects.map(({ name }) => name ?? '')
  }
  return { client: new Client(service.baseUrl, await service.createKey(tenant)), keys }
}

t.test('object store', { skip: whyNoS3('minio') }, async (t) => {
  const stage = await open(t)
  const { s3, proxy, service } = stage

  await t.test('row 15: while the store is down an upload is refused with 503, and nothing of it is left', async (t) => {
    const { client, keys } = await tenantOf(stage, 'uploads')
    await s3.stop()
    const answer = await client.submit(small, fields)
    await expectError(t, answer, 503, 'storage_error')
    t.ok(Number(answer.headers.get('retry-after')) > 0)
    await until('an empty spool', async () => (await spooled(service)).length === 0)
    const health = await until('the fault in the health report', async () => {
      const answer = await fetch(`${service.baseUrl}/health`)
      const body = await answer.json() as { status: string, checks: Record<string, string> }
      return body.checks['object_store'] === 'ok' ? undefined : { code: answer.status, ...body }
    })
    t.match(health, {
      code: 200,
      status: 'degraded',
      checks: { output_dir: 'ok', metadata_store: 'ok', object_store: /^error: unavailable/ }
    }, 'records can still be read')
    await s3.restart()
    t.strictSame(await keys(), [])
    t.strictSame((await (await client.request('GET', '/jobs')).json() as { jobs: unknown[] }).jobs, [])
    t.equal((await client.ended((await client.submitted(small, fields)).job_id)).status, 'completed',
      'it works again when the store is back')
  })

  await t.test('row 15: down when a result is published: the job waits for the store and is not computed again', async (t) => {
    const { client, keys } = await tenantOf(stage, 'publishes')
    proxy.inject({ kind: 'reset' }, publishes)
    const { job_id: id } = await client.submitted(small, fields)
    const logged = (message: string) =>
      service.log().split('\n').filter((line) => line.includes(id) && line.includes(`"${message}"`)).length
    await until('the worker tries to publish', () => logged('result not stored yet') > 2)
    t.equal((await client.job(id)).status, 'running')
    proxy.heal()
    t.match(await client.ended(id), { status: 'completed', attempt: 1 })
    t.match(await client.table(id), /^item_id,timestamp,/)
    t.equal((await keys()).filter((key) => key.endsWith('/result.cbor')).length, 1, 'one run stored its result')
    t.equal(logged('run ended'), 1, 'one run')
  })

  await t.test('row 15: down until the budget is over: storage_error, and the next job is unaffected', async (t) => {
    const short = await open(t, { TABCAST_JOB_BUDGET_SECONDS: '3' })
    const { proxy } = short
    const { client } = await tenantOf(short, 'acme')
    proxy.inject({ kind: 'status', status: 503 }, publishes)
    const { job_id: id } = await client.submitted(small, fields)
    const end = await client.ended(id)
    t.match(end, { status: 'failed', error_code: 'storage_error', attempt: 1 })
    await expectError(t, await client.request('GET', `/jobs/${id}/download`), 409, 'job_not_completed')
    proxy.heal()
    t.equal((await client.ended((await client.submitted(small, fields)).job_id)).status, 'completed')
  })

  await t.test('row 15: down at a download: 503 in every form, and the same bytes when it is back', async (t) => {
    const { client, keys } = await tenantOf(stage, 'downloads')
    const { job_id: id } = await client.submitted(small, fields)
    t.equal((await client.ended(id)).status, 'completed')
    const table = await client.table(id)
    await s3.stop()
    for (const form of ['', '?format=csv', '?format=parquet', '?format=zip', '?format=presign']) {
      const answer = await client.request('GET', `/jobs/${id}/download${form}`)
      await expectError(t, answer, 503, 'storage_error')
    }
    t.equal((await client.job(id)).status, 'completed', 'the record is read without the store')
    await s3.restart()
    t.equal(await client.table(id), table)
    await s3.stop()
    t.equal((await client.request('DELETE', `/jobs/${id}`)).status, 204, 'a deletion does not wait for the store')
    t.equal((await client.request('GET', `/jobs/${id}`)).status, 404)
    await s3.restart()
    await until('the objects of the deleted job are gone', async () => (await keys()).length === 0)
  })

  await t.test('row 16: with 5 s an operation, and with 500 for one in five, jobs complete with the same bytes', async (t) => {
    const { client } = await tenantOf(stage, 'slow')
    const random = seededRandom(t)
    const earlier = proxy.faults
    const undisturbed = await client.table((await client.ended((await client.submitted(small, fields)).job_id)).job_id)
    proxy.inject({ kind: 'slow', delayMs: 5_000 })
    const slow = await client.ended((await client.submitted(small, fields)).job_id)
    t.match(slow, { status: 'completed', attempt: 1 })
    t.equal(await client.table(slow.job_id), undisturbed)

    proxy.inject({ kind: 'status', status: 500 }, () => random() < 0.2)
    const jobs = await Promise.all(
      Array.from({ length: 20 }, async () =>
        await until('an upload to be taken', async () => {
          const answer = await client.submit(small, fields)
          if (answer.status === 202) return (await answer.json() as { job_id: string }).job_id
          await expectError(t, answer, 503, 'storage_error')
          return undefined
        }))
    )
    const before = proxy.faults
    const ends = await Promise.all(jobs.map(async (id) => await client.ended(id)))
    t.strictSame([...new Set(ends.map(({ status, error_code: code }) => `${status} ${code}`))], ['completed null'])
    for (const id of jobs) {
      const table = await until('a download', async () => {
        const answer = await client.request('GET', `/jobs/${id}/download?format=csv`)
        return answer.status === 200 ? await answer.text() : undefined
      })
      if (table !== undisturbed) t.fail(`${id} has another table`)
    }
    proxy.heal()
    t.comment(
      `${proxy.faults - earlier} requests to the store failed, ${proxy.faults - before} of them after the uploads`
    )
  })

  await t.test('row 16: a store whose answers break off cuts downloads off, and no client takes them for whole', async (t) => {
    const { client } = await tenantOf(stage, 'cut')
    const { job_id: id } = await client.submitted(panelCsv(400, 40), fields)
    t.equal((await client.ended(id)).status, 'completed')
    const whole = await client.table(id)
    const isFile = ({ method, url = '' }: IncomingMessage) => method === 'GET' && url.includes('/forecast.')
    proxy.inject({ kind: 'truncate', bytes: 5_000 }, isFile)
    for (const form of ['csv', 'parquet', 'zip']) {
      const answer = await client.request('GET', `/jobs/${id}/download?format=${form}`)
      t.equal(answer.status, 200, 'it had begun')
      await t.rejects(answer.arrayBuffer(), `${form} ends with an error`)
    }
    proxy.heal()
    t.equal(await client.table(id), whole)
    t.equal(service.pids('api').length, 1)
    t.notMatch(service.log(), '"process died')
  })

  await t.test('row 17: a result that was deleted behind our back is a storage_error, and the record says what was ' +
    'there', async (t) => {
    const { client, keys } = await tenantOf(stage, 'emptied')
    const { job_id: id } = await client.submitted(small, fields)
    t.equal((await client.ended(id)).status, 'completed')
    for (const key of (await keys()).filter((key) => !key.endsWith('/input'))) {
      await s3.client.removeObject('forecasts', key)
    }
    for (const form of ['', '?format=csv', '?format=parquet', '?format=zip', '?format=presign']) {
      const answer = await client.request('GET', `/jobs/${id}/download${form}`)
      const body = await expectError(t, answer, 503, 'storage_error')
      t.equal(body['retryable'], false, 'trying again does not bring it back')
    }
    t.match(await client.job(id), { status: 'completed', error_code: null })
    t.equal((await client.request('DELETE', `/jobs/${id}`)).status, 204)
  })

  await t.test('row 17: an input that was deleted before the job began fails the job with storage_error', async (t) => {
    const narrow = await open(t, oneSlot)
    const { s3 } = narrow
    const { client, keys } = await tenantOf(narrow, 'acme')
    await holdSlot(t, client)
    const { job_id: id } = await client.submitted(small, fields)
    t.equal((await client.job(id)).status, 'pending')
    for (const key of (await keys()).filter((key) => key.includes(id))) await s3.client.removeObject('forecasts', key)
    for (const { job_id: other, status } of (await (await client.request('GET', '/jobs')).json() as { jobs: Job[] })
      .jobs) {
      if (status === 'running') await client.request('DELETE', `/jobs/${other}`)
    }
    t.match(await client.ended(id), { status: 'failed', error_code: 'storage_error', error: /input is gone/ })
  })
})
