import t from 'tap'
import { runKeys } from '../support/command.ts'
import { signal } from '../support/processes.ts'
import { openReceiver, status, type Receiver } from '../support/receiver.ts'
import { Client, panelCsv, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { verifyWebhook } from '../support/verify-webhook.ts'

/* Row 30 and C6: announcements are made at least once, under one id, whenever the api process dies. */
const fields = { prediction_length: '3', presets: 'fast' }
const data = panelCsv(2, 30)

const receivers = await Promise.all(Array.from({ length: 4 }, () => openReceiver(t)))
const [between, during, storm, closed] = receivers as [Receiver, Receiver, Receiver, Receiver]
const service = await startService({
  TABCAST_LEASE_MS: '2000',
  TABCAST_HEARTBEAT_MS: '300',
  TABCAST_RECONCILE_MS: '300',
  TABCAST_SLOT_THREADS: '1',
  TABCAST_RATE_LIMITS: 'false',
  TABCAST_CALLBACK_ALLOW_HOSTS: receivers.map(({ host }) => host).join(),
  TABCAST_CALLBACK_RETRY_SECONDS: `0${',0.5'.repeat(40)}`
})
t.teardown(() => service.cleanup())
const admin = new Client(service.baseUrl,
  (await runKeys(service, 'create', '--tenant', 'acme', '--scopes', 'admin')).last)
const { secret } = await (await admin.request('GET', '/webhooks/secret')).json() as { secret: string }
const client = new Client(service.baseUrl, await service.createKey('acme'))

function killApi (): void {
  for (const pid of service.pids('api')) signal(pid, 'SIGKILL')
}

/** Waits until the callback of a job has been delivered, across restarts of the api. */
async function delivered (jobId: string): Promise<void> {
  await client.ended(jobId)
  await until('the callback is delivered',
    async () => await client.job(jobId).then((job) => job['callback_status'] === 'delivered', () => undefined), 60_000)
}

async function attempts (
  jobId: string
): Promise<Array<{ webhook_id: string, attempt: number, error: string | null, status_code: number | null }>> {
  const answer = await client.request('GET', `/jobs/${jobId}/callback-attempts`)
  return (await answer.json() as { attempts: Awaited<ReturnType<typeof attempts>> }).attempts
}

t.test('an api that is killed between two attempts goes on with the next one', async (t) => {
  const receiver = between
  receiver.answer = status(503)
  const { job_id: jobId } = await client.submitted(data, { ...fields, callback_url: receiver.url })
  await until('an attempt is on record', async () => (await attempts(jobId)).length >= 1)
  killApi()
  const before = receiver.deliveries.length
  await until('it is tried again', () => receiver.deliveries.length > before)
  receiver.answer = status(200)
  await delivered(jobId)
  t.equal(new Set(receiver.deliveries.map(({ id }) => id)).size, 1)
  const list = await attempts(jobId)
  t.ok(list.slice(0, -1).every(({ error }) => error === 'http_status') && list.at(-1)?.error === null)
  for (const delivery of receiver.deliveries) t.equal(verifyWebhook(secret, delivery).type, 'job.completed')
})

t.test('an api that is killed during an attempt makes it again, under the same id', async (t) => {
  const receiver = during
  receiver.answer = () => undefined
  const { job_id: jobId } = await client.submitted(data, { ...fields, callback_url: receiver.url })
  await receiver.received(1)
  receiver.answer = status(200)
  killApi()
  await delivered(jobId)
  t.equal(new Set(receiver.deliveries.map(({ id }) => id)).size, 1)
  t.match(await attempts(jobId), [{ attempt: 1, error: null }], 'what was broken off is not on record')
})

t.test('whenever the api is killed, every job is announced, and none under two ids', async (t) => {
  const receiver = storm
  receiver.answer = (response, index, delivery) => status(index % 3 === 0 ? 503 : 204)(response, index, delivery)
  const jobs = await Promise.all(
    Array.from({ length: 20 },
      async () => (await client.submitted(data, { ...fields, callback_url: receiver.url })).job_id)
  )
  for (const count of [1, 8, 16]) {
    await receiver.received(count)
    killApi()
  }
  for (const jobId of jobs) await delivered(jobId)
  const idOf = new Map<string, string>()
  for (const delivery of receiver.deliveries) {
    const jobId = String(verifyWebhook(secret, delivery).data['job_id'])
    t.equal(idOf.get(jobId) ?? delivery.id, delivery.id)
    idOf.set(jobId, delivery.id)
  }
  t.strictSame([...idOf.keys()].sort(), [...jobs].sort())
  t.equal(new Set(idOf.values()).size, 20)
  t.notMatch(service.log(), receiver.url, 'the log names the host alone')
})

t.test('a host that the settings close after a restart is not visited again, and the attempts say why', async (t) => {
  const receiver = closed
  receiver.answer = status(503)
  const { job_id: jobId } = await client.submitted(data, { ...fields, callback_url: receiver.url })
  await until('an attempt is on record', async () => (await attempts(jobId)).length >= 1)
  await service.restart({ TABCAST_CALLBACK_ALLOW_HOSTS: 'elsewhere.example' })
  const before = receiver.deliveries.length
  const list = await until('an attempt is refused', async () => {
    const found = await attempts(jobId)
    return found.some(({ error }) => error === 'refused_by_policy') ? found : undefined
  })
  t.match(list.at(-1), { webhook_id: receiver.deliveries[0]?.id, error: 'refused_by_policy', status_code: null })
  t.equal(receiver.deliveries.length, before)
  t.match(await client.job(jobId), { status: 'completed', callback_status: 'delivering' })
})
