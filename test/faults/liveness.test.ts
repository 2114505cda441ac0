import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { isRunning, signal } from '../support/processes.ts'
import { Client, panelCsv, startService, type TestService } from '../support/service.ts'
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

function replacements (service: TestService): number {
  return service.log().split('\n').filter((line) => line.includes('process is replaced')).length
}

for (const [what, name] of [['an event loop that is blocked', 'SIGUSR2'], ['a process that is stopped', 'SIGSTOP']] as const) {
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
  const waiting = Promise.all(Array.from({ length: 4 }, async () => await client.request('GET', '/jobs', { headers: { connection: 'close' } }).then(({ status }) => status, () => 0)))
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
