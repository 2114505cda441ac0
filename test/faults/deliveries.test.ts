import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { signal } from '../support/processes.ts'
import { startS3, whyNoS3 } from '../support/s3.ts'
import { Client, panelCsv, startService } from '../support/service.ts'
import { TenantStore } from '../support/tenant-store.ts'
import { until } from '../support/until.ts'

/* Row 31 of the crash matrix: whatever dies while a table is written to a tenant's store, it is there once. */

const settings = {
  TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
  TABCAST_CONNECTOR_TIMEOUT_MS: '3000',
  TABCAST_DELIVERY_RETRY_SECONDS: '0,0.5,1,1,1,1,1,1',
  TABCAST_HEARTBEAT_MS: '300',
  TABCAST_LEASE_MS: '2000',
  TABCAST_SLOT_THREADS: '1',
  TABCAST_RATE_LIMITS: 'false'
}

t.test('deliveries', { skip: whyNoS3('minio') }, async (t) => {
  const s3 = await startS3(t, 'minio')
  const service = await startService(settings)
  t.teardown(() => service.cleanup())
  const client = new Client(service.baseUrl, await service.createKey('acme'))

  /** A bucket, and a connection to it through a proxy of its own, as soon as what was killed before is back. */
  const open = async (t: Test, bucket: string) => {
    await until('a service with a worker', async () =>
      await fetch(`${service.baseUrl}/health`).then(
        async (answer) => (await answer.json() as { status: string }).status === 'ok',
        () => false
      ))
    await s3.createBucket(bucket)
    await s3.client.putObject(bucket, 'history/data.csv', panelCsv(3, 40))
    const proxy = await startFaultProxy(t, s3.endpoint)
    const tenant = new TenantStore(client, s3, proxy.endpoint)
    const connection = await tenant.connect({ bucket, prefix: 'history/' })
    const isWrite = ({ method, url }: IncomingMessage): boolean =>
      method === 'PUT' && url?.includes('service-forecasts') === true
    const submit = async (): Promise<string> =>
      (await tenant.post<{ job_id: string }>(`/data-connections/${connection}/forecast`, {
        prediction_length: 3,
        presets: 'fast',
        output: {}
      })).job_id
    return { proxy, tenant, connection, isWrite, submit }
  }

  await t.test('row 31: an object whose answer was lost is recognised by the next attempt', async (t) => {
    const { proxy, tenant, connection, isWrite, submit } = await open(t, 'lost-answer')
    proxy.inject({ kind: 'lost-answer' }, isWrite)
    const id = await submit()
    await until('a write whose answer is lost', () => proxy.faults > 0)
    proxy.heal()
    t.match(await tenant.delivered(id), { status: 'completed', delivery_status: 'delivered' })
    t.equal((await tenant.keys('lost-answer', 'service-forecasts/')).length, 1)
    t.equal((await tenant.audit(connection, 'deliver')).filter(({ outcome }) => outcome === 'success').length, 1)
  })

  for (const role of ['api', 'worker'] as const) {
    await t.test(`row 31: ${role} killed while the store has the object and nobody knows yet`, async (t) => {
      const bucket = `killed-${role}`
      const { proxy, tenant, connection, isWrite, submit } = await open(t, bucket)
      // The store has the object at once, and its answer takes its time.
      proxy.inject({ kind: 'lost-answer' }, isWrite)
      const id = await submit()
      await until('the object is there', async () => (await tenant.keys(bucket, 'service-forecasts/')).length === 1)
      for (const pid of service.pids(role)) signal(pid, 'SIGKILL')
      proxy.heal()
      t.match(await tenant.delivered(id), { status: 'completed', delivery_status: 'delivered' })
      t.equal((await tenant.keys(bucket, 'service-forecasts/')).length, 1)
      t.equal((await tenant.audit(connection, 'deliver')).filter(({ outcome }) => outcome === 'success').length, 1)
    })
  }

  await t.test('killed at any moment, every table is delivered once', async (t) => {
    const { proxy, tenant, connection, submit } = await open(t, 'storm')
    proxy.inject({ kind: 'slow', delayMs: 50 })
    const ids = await Promise.all(Array.from({ length: 12 }, submit))
    for (let round = 0; round < 6; round++) {
      await sleep(700)
      for (const pid of service.pids(round % 2 === 0 ? 'worker' : 'api')) signal(pid, 'SIGKILL')
    }
    proxy.heal()
    for (const id of ids) {
      t.match(await tenant.delivered(id, 120_000), { status: 'completed', delivery_status: 'delivered' })
    }
    t.equal((await tenant.keys('storm', 'service-forecasts/')).length, 12)
    const successes = (await tenant.audit(connection, 'deliver')).filter(({ outcome }) => outcome === 'success')
    t.equal(new Set(successes.map((record) => record['job_id'])).size, 12)
    t.equal(successes.length, 12, 'one success each')
  })

  await t.test('a store that is away for a while is waited for, by reads and by deliveries', async (t) => {
    const { proxy, tenant, submit } = await open(t, 'away')
    proxy.inject({ kind: 'status', status: 503 })
    const id = await submit()
    await until('the read was refused', () => proxy.faults > 2)
    proxy.heal()
    t.match(await tenant.delivered(id), { status: 'completed', delivery_status: 'delivered' })
  })
})
