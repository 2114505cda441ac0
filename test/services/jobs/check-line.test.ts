import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { messageVersion } from '../../../src/domain/message-version.ts'
import { loadConfig } from '../../../src/platform/config.ts'
import { QueueError } from '../../../src/platform/queue/index.ts'
import type { WorkerMessage } from '../../../src/platform/queue/worker-message.ts'
import { CheckLine } from '../../../src/services/jobs/check-line.ts'
import { WorkerPresence } from '../../../src/services/jobs/worker-presence.ts'
import { sandboxTenant } from '../../../src/services/keys/scopes.ts'
import { CpuBudgets } from '../../../src/services/quotas/cpu-budgets.ts'
import { testSpec } from '../../support/job-message.ts'
import { Stage } from '../../support/job-stage.ts'
import { until } from '../../support/until.ts'

const mostSmall = 1024 * 1024
const bytes = { small: mostSmall, large: mostSmall + 1 }
type Size = keyof typeof bytes

function worker (quick: number): WorkerMessage {
  return {
    v: messageVersion,
    workerId: 'w1',
    version: '0',
    slots: 1,
    freeAny: 1,
    freeSmall: 0,
    quick,
    capabilities: [],
    running: [],
    draining: false
  }
}

/** Checks that last until the test ends them. */
class Checks {
  readonly #line: CheckLine
  readonly #ends = new Map<string, () => void>()
  readonly #results: Array<Promise<string>> = []
  /** Those that have begun, in this order. */
  readonly begun: string[] = []

  constructor (places: number) {
    const presence = new WorkerPresence(60_000)
    presence.announce(worker(places))
    this.#line = new CheckLine({ config: loadConfig({}), presence, budgets: new CpuBudgets({ perMinuteMs: Infinity }) })
  }

  send (tenant: string, size: Size, name = `${tenant} ${size}`): void {
    this.#results.push(this.#line.run(tenant, `job ${this.#results.length}`, bytes[size], async () => {
      this.begun.push(name)
      await new Promise<void>((resolve) => this.#ends.set(name, resolve))
      return name
    }))
  }

  async end (name: string): Promise<void> {
    this.#ends.get(name)?.()
    await this.settled()
  }

  /** Resolves once everything has begun that may. */
  async settled (): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
  }

  /** Ends one check after the other, and returns the order in which they began. */
  async endAll (): Promise<string[]> {
    for (let ended = 0; ended < this.#results.length; ended++) await this.end(this.begun[ended] ?? '')
    await Promise.all(this.#results)
    return this.begun
  }
}

t.test('large checks leave one place to small ones, which use all', async (t) => {
  const checks = new Checks(3)
  for (const tenant of ['a', 'b', 'c']) checks.send(tenant, 'large')
  await checks.settled()
  t.strictSame(checks.begun, ['a large', 'b large'])
  checks.send('d', 'small')
  await checks.settled()
  t.strictSame(checks.begun, ['a large', 'b large', 'd small'])
  t.strictSame(await checks.endAll(), ['a large', 'b large', 'd small', 'c large'])

  for (const tenant of ['e', 'f', 'g', 'h']) checks.send(tenant, 'small')
  await checks.settled()
  t.strictSame(checks.begun.slice(4), ['e small', 'f small', 'g small'])
  await checks.endAll()
})

t.test('a tenant has no more places for checks of both sizes, and neither size waits for all of the other', async (t) => {
  const checks = new Checks(2)
  for (let part = 1; part <= 3; part++) checks.send('a', 'large', `large ${part}`)
  checks.send('a', 'small', 'small')
  await checks.settled()
  t.strictSame(checks.begun, ['large 1'])
  await sleep(40)
  t.strictSame(await checks.endAll(), ['large 1', 'small', 'large 2', 'large 3'])
})

t.test('small checks of a tenant whose check took long wait with the large ones', async (t) => {
  const checks = new Checks(2)
  checks.send('slow', 'small')
  await checks.settled()
  await sleep(300)
  await checks.end('slow small')
  checks.send('b', 'large')
  checks.send('slow', 'small', 'another')
  checks.send('c', 'small')
  await checks.settled()
  t.strictSame(checks.begun, ['slow small', 'b large', 'c small'])
  t.strictSame(await checks.endAll(), ['slow small', 'b large', 'c small', 'another'])
})

t.test('at a single place the check that takes less goes first', async (t) => {
  const checks = new Checks(1)
  checks.send('a', 'large')
  checks.send('b', 'large')
  checks.send('c', 'small')
  await checks.settled()
  t.strictSame(checks.begun, ['a large'])
  t.strictSame(await checks.endAll(), ['a large', 'c small', 'b large'])
})

t.test('a tenant whose checks were quick goes before newcomers, whose checks may be stopped', async (t) => {
  const checks = new Checks(1)
  checks.send('known', 'small')
  await checks.settled()
  await checks.end('known small')
  checks.send('busy', 'large')
  for (const tenant of ['a', 'b', 'c']) checks.send(tenant, 'small')
  checks.send('known', 'small', 'known again')
  await checks.settled()
  t.strictSame((await checks.endAll()).slice(2), ['known again', 'a small', 'b small', 'c small'])
})

t.test('the sandbox comes after checks of both sizes, and has one place', async (t) => {
  const checks = new Checks(2)
  checks.send('a', 'small')
  checks.send('b', 'small')
  checks.send(sandboxTenant, 'small', 'visitor 1')
  checks.send(sandboxTenant, 'small', 'visitor 2')
  checks.send('c', 'large')
  checks.send('d', 'small')
  await checks.settled()
  await checks.end('a small')
  t.strictSame(checks.begun, ['a small', 'b small', 'd small'])
  await checks.end('b small')
  await checks.end('d small')
  t.strictSame(checks.begun.slice(3), ['c large', 'visitor 1'])
  await checks.end('c large')
  t.equal(checks.begun.length, 5, 'the second one waits for the first')
  await checks.end('visitor 1')
  t.equal(checks.begun[5], 'visitor 2')
  await checks.end('visitor 2')
})

t.test('two tenants upload large files, and the check of a small upload begins at once', async (t) => {
  const stage = await Stage.open(t, { TABCAST_CHECK_SLOTS: '2', TABCAST_QUICK_TIMEOUT_MS: '60000' })
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const large: string[] = []
  stage.answerCheck = async ({ tenant = '', input }) => {
    if (input.bytes > mostSmall) {
      large.push(tenant)
      await released
    }
    return stage.checkReply
  }
  const text = 'x'.repeat(bytes.large)
  const uploads = ['a', 'b', 'a', 'b'].map(async (owner) => await stage.submit(owner, testSpec, text))
  await until('the check of a large file is under way', () => large.length > 0)
  await until('the others wait', () => stage.jobs.state().waiting === 4)
  for (let turn = 0; turn < 3; turn++) t.equal((await stage.submit('c')).status, 'pending')
  t.equal(large.length, 1, 'and no second large one has begun')
  release()
  await Promise.all(uploads)
  t.strictSame(large.sort(), ['a', 'a', 'b', 'b'])
})

t.test('a small input whose check takes long is stopped, and has its turn after small ones of others', async (t) => {
  const stage = await Stage.open(t, { TABCAST_CHECK_SLOTS: '2' })
  const turns: string[] = []
  stage.answerCheck = async ({ tenant = '', mostMs }) => {
    turns.push(`${tenant} ${mostMs === undefined ? 'whole' : 'limited'}`)
    if (tenant !== 'a') return stage.checkReply
    if (mostMs !== undefined) return { v: messageVersion, ok: false, stopped: true, cpuMs: 260 }
    await sleep(300)
    return stage.checkReply
  }
  t.equal((await stage.submit('a')).status, 'pending')
  const second = stage.submit('a')
  await until('the second one is read', () => turns.length === 3)
  t.equal((await stage.submit('b')).status, 'pending')
  t.equal((await second).status, 'pending')
  t.strictSame(turns, ['a limited', 'a whole', 'a whole', 'b limited'], 'the second one is not tried as a small one')
})

t.test('an estimate while the queue is away says that no worker answered', async (t) => {
  const stage = await Stage.open(t, {})
  stage.answerCheck = async () => {
    throw new QueueError('unavailable', 'no connection to the queue')
  }
  const input = { key: 'acme/any/input', format: 'csv' as const, bytes: 100 }
  await t.rejects(stage.jobs.check('acme', input, testSpec), { code: 'compute_unavailable' })
})
