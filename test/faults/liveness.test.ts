import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { childrenOf, isRunning, signal } from '../support/processes.ts'
import { Client, panelCsv, startService, type Job, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/* Processes that live and do nothing: what the operating system does not report, and a supervisor has to miss. */

const leaseMs = 2_000
/** Three leases without a heartbeat, one tick to notice, a third of a lease to end in, and a machine that is busy. */
const replacedMs = 3 * leaseMs + 2 * leaseMs / 3 + 4_000
const settings = {
  TABCAST_LEASE_MS: String(leaseMs),
  TABCAST_HEARTBEAT_MS: '300',
  TABCAST_RECONCILE_MS: '300',
  TABCAST_CLAIM_TIMEOUT_MS: '2000',
  TABCAST_DRAIN_MS: '3000',
  TABCAST_SLOTS: '2',
  TABCAST_SLOT_THREADS: '1',
  TABCAST_RATE_LIMITS: 'false'
}
const fields = { prediction_length: '6', presets: 'fast' }
const small = panelCsv(3, 40)
/** Long enough that it is under way whenever its worker dies. */
const long = panelCsv(400, 120)
const longFields = { prediction_length: '12', presets: 'balanced' }

async function open (t: Test, changes: Record<string, string> = {}): Promise<TestService> {
  const service = await startService({ ...settings, ...changes }, undefined, 'test/support/blocked-main-thread.mjs')
  t.teardown(() => service.cleanup())
  return service
}

/** How long it takes until none of these processes is there and others have their places. */
async function replaced (service: TestService, role: 'api' | 'worker', pids: number[]): Promise<number> {
  const startMs = performance.now()
  await until(`another ${role}`, () => {
    const now = service.pids(role)
    return now.length >= pids.length && now.every((pid) => !pids.includes(pid)) && pids.every((pid) => !isRunning(pid))
  })
  return performance.now() - startMs
}

/** A content check that a blocked worker was asked for is refused, and the client comes again. */
async function submitted (client: Client): Promise<Job> {
  return await until('a worker that checks the upload', async () => {
    const answer = await client.submit(small, fields)
    const body = await answer.json() as Job
    if (answer.status !== 202 && answer.status !== 503) {
      throw new Error(`submit answered ${answer.status}: ${JSON.stringify(body)}`)
    }
    return answer.status === 202 ? body : undefined
  }, 60_000)
}

function replacements (service: TestService): number {
  return service.log().split('\n').filter((line) => line.includes('process is replaced')).length
}

for (const [what, name] of [['an event loop that is blocked', 'SIGUSR2'], ['a process that is stopped',
  'SIGSTOP']] as const) {
  t.test(`a worker with ${what} is replaced, its slots end, and its job completes`, async (t) => {
    const service = await open(t, { TABCAST_WORKERS: '1' })
    const client = new Client(service.baseUrl, await service.createKey('acme'))
    const { job_id: id } = await client.submitted(long, longFields)
    await until('the job runs', async () => (await client.job(id, 1)).status === 'running')
    const workers = service.pids('worker')
    const slots = service.pids('slot')
    t.ok(slots.length >= 2)
    for (const pid of workers) signal(pid, name)
    t.ok(await replaced(service, 'worker', workers) < replacedMs, 'within three leases and the time to end')
    await until('its slots have ended', () => slots.every((pid) => !isRunning(pid)))
    t.match(await client.ended(id), { status: 'completed', attempt: 2 })
    t.equal(replacements(service), 1)
  })
}

t.test('an api that is blocked is replaced, and who connected meanwhile is answered by the next one', async (t) => {
  const service = await open(t, { TABCAST_WORKERS: '1' })
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  t.equal((await client.request('GET', '/jobs')).status, 200)
  const apis = service.pids('api')
  for (const pid of apis) signal(pid, 'SIGUSR2')
  await sleep(200)
  // The connection of the first request is kept by the blocked process, so others go without it.
  const waiting = Promise.all(
    Array.from({ length: 4 },
      async () =>
        await client.request('GET', '/jobs', { headers: { connection: 'close' } }).then(({ status }) => status,
          () => 0))
  )
  t.ok(await replaced(service, 'api', apis) < replacedMs)
  t.ok((await waiting).includes(200), 'the listening socket was there all the time')
  t.equal(replacements(service), 1)
})

t.test('a supervisor that was stopped for a while takes nobody for dead', async (t) => {
  const service = await open(t, { TABCAST_WORKERS: '1' })
  const before = [...service.pids('api'), ...service.pids('worker')]
  for (const pid of service.pids('supervisor')) signal(pid, 'SIGSTOP')
  await sleep(4 * leaseMs)
  for (const pid of service.pids('supervisor')) signal(pid, 'SIGCONT')
  await sleep(leaseMs)
  t.strictSame([...service.pids('api'), ...service.pids('worker')], before)
  t.equal(replacements(service), 0)
})

t.test('a blocked worker whose supervisor was killed ends by itself, with its slots', async (t) => {
  const service = await open(t, { TABCAST_WORKERS: '1' })
  const [workers, slots] = [service.pids('worker'), service.pids('slot')]
  for (const pid of workers) signal(pid, 'SIGUSR2')
  for (const pid of service.pids('supervisor')) signal(pid, 'SIGKILL')
  await until('worker and slots have ended', () => [...workers, ...slots].every((pid) => !isRunning(pid)))
})

t.test('a job that blocks every worker costs two of them, fails, and no job beside it does', async (t) => {
  const service = await open(t, { TABCAST_WORKERS: '2' })
  const [poison, innocent, neighbour] = await Promise.all(
    ['poison', 'acme', 'globex'].map(async (tenant) => new Client(service.baseUrl, await service.createKey(tenant)))
  ) as [Client, Client, Client]
  const beside = await Promise.all(Array.from({ length: 2 }, async () => await innocent.submitted(long, longFields)))
  await until('they run',
    async () =>
      (await Promise.all(beside.map(async ({ job_id: id }) => await innocent.job(id, 1)))).every(({ status }) =>
        status === 'running'
      ))
  const { job_id: id } = await poison.submitted(small, fields)
  const others = await Promise.all(Array.from({ length: 4 }, async () => await submitted(neighbour)))
  const end = await poison.ended(id)
  t.match(end, {
    status: 'failed',
    error_code: 'pipeline_failed',
    error: /stopped answering, also in a worker of its own/,
    attempt: 3
  })
  t.equal(replacements(service), 2, 'two workers')
  for (const { job_id: id } of others) t.match(await neighbour.ended(id), { status: 'completed' })
  for (const { job_id: id } of beside) t.match(await innocent.ended(id), { status: 'completed' })
  t.equal(replacements(service), 2, 'and no more')
  const before = service.pids('worker')
  for (const pid of before) {
    t.strictSame(childrenOf(pid).filter(({ command }) => command.includes('lone-worker')), [],
      'its own worker has ended')
  }
})
