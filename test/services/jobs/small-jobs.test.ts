import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { ulid } from 'ulid'
import type { ReconciliationSpec } from '../../../src/domain/forecast-spec.ts'
import { messageVersion } from '../../../src/domain/message-version.ts'
import type { JobHandle } from '../../../src/platform/queue/index.ts'
import { testSpec } from '../../support/job-message.ts'
import { Stage, tenant } from '../../support/job-stage.ts'
import { until } from '../../support/until.ts'

const reconciliation: ReconciliationSpec = {
  hierarchyColumns: [],
  method: 'min_trace',
  weights: 'wls_struct',
  topDownMethod: 'proportions_of_historical_totals',
  separator: '/',
  totalLabel: 'total',
  residualWindows: 1
}

t.test('of small jobs, one tenant with many leaves a message to another that comes later', async (t) => {
  const stage = await Stage.open(t)
  // Four messages are published for two slots.
  for (let job = 0; job < 6; job++) await stage.submit('evil')
  for (let job = 0; job < 2; job++) await stage.submit('good')
  const order: string[] = []
  for (let job = 0; job < 8; job++) {
    const handle = await stage.next()
    order.push(handle.message.tenant)
    await stage.claim(handle.message, ulid())
    handle.ack()
  }
  t.ok(order.slice(0, 4).includes('good'))
  t.strictSame(order.slice(0, 6).filter((owner) => owner === 'good'), ['good', 'good'], 'and then they take turns')
})

t.test('a hierarchy of many nodes is no small job, however few series it has', async (t) => {
  const stage = await Stage.open(t)
  const spec = { ...testSpec, preset: 'balanced' as const, reconciliation }
  const profile = { rows: 5_000, series: 1, minLength: 5_000, maxLength: 5_000, freq: 'MS' }
  stage.checkReply = { v: messageVersion, ok: true, profile, warnings: [] }
  t.equal((await stage.submit(tenant, spec)).size, 'small', 'a worker of an earlier build has not counted them')
  stage.checkReply = { v: messageVersion, ok: true, profile: { ...profile, nodes: 21 }, warnings: [] }
  t.match(await stage.submit(tenant, spec), { size: 'large', profile: { nodes: 21 } })
})

/** A small job whose run takes longer than small ones may; the cancels that its worker hears. */
async function longRun (stage: Stage): Promise<{ handle: JobHandle, run: string, cancels: Array<string | undefined> }> {
  const { jobId } = await stage.submit()
  const handle = await stage.next()
  const run = ulid()
  const cancels: Array<string | undefined> = []
  stage.worker.onCancel(jobId, (isDeleted, named) => cancels.push(isDeleted ? 'deleted' : named))
  await stage.claim(handle.message, run)
  return { handle, run, cancels }
}

t.test('a job that was taken for small and is not gives its slot back, and runs again as a large one', async (t) => {
  const stage = await Stage.open(t, { TABCAST_SMALL_JOB_MS: '300', TABCAST_LEASE_MS: '30000' })
  const { handle, run, cancels } = await longRun(stage)
  const { jobId } = handle.message
  stage.running = [{ jobId, run }]
  await until('the run is told to stop', () => cancels.length > 0)
  await until('and is told again as long as it is there', () => cancels.length > 2)
  t.strictSame([...new Set(cancels)], [run], 'this run, and no later one')
  t.match(stage.jobs.get(tenant, jobId), {
    status: 'running',
    size: 'large',
    dispatch: 2,
    lostWorkers: 0,
    slotDeaths: 0
  })
  t.equal((await stage.claim(handle.message, ulid())).go, false, 'its message is worth nothing')
  handle.ack()
  stage.running = []

  const again = await stage.next('large')
  t.match(again.message, { jobId, dispatch: 2 })
  const second = ulid()
  t.match(await stage.claim(again.message, second), { go: true, attempt: 2 })
  stage.running = [{ jobId, run: second }]
  await sleep(1_000)
  t.notOk(cancels.includes(second), 'a large one may take its time')
  await stage.announceEnd(again.message, second, await stage.publishOutputs(again.message, second))
  again.ack()
  t.match(await stage.ended(jobId), { status: 'completed', attempt: 2, lostWorkers: 0, slotDeaths: 0 })
})

t.test('an api that starts while such a run goes on ends it as well', async (t) => {
  const stage = await Stage.open(t, { TABCAST_SMALL_JOB_MS: '1500', TABCAST_LEASE_MS: '30000' })
  const { handle, run, cancels } = await longRun(stage)
  stage.running = [{ jobId: handle.message.jobId, run }]
  await stage.stopApi()
  await stage.startApi()
  await until('the run is told to stop', () => cancels.length > 0)
  t.match(stage.jobs.get(tenant, handle.message.jobId), { size: 'large', dispatch: 2 })
})

t.test("a run that fell silent is a lost worker's, and no long one", async (t) => {
  const stage = await Stage.open(t, { TABCAST_SMALL_JOB_MS: '1000' })
  const { handle, cancels } = await longRun(stage)
  await sleep(2_500)
  t.strictSame(cancels, [])
  const again = await stage.next()
  t.match(again.message, { jobId: handle.message.jobId, dispatch: 1 })
  t.match(await stage.claim(again.message, ulid()), { go: true, attempt: 2 })
  t.match(stage.jobs.get(tenant, handle.message.jobId), { size: 'small', lostWorkers: 1 })
})

t.test('two tenants whose small jobs took long do not hold both slots', async (t) => {
  const stage = await Stage.open(t, { TABCAST_LEASE_MS: '60000' })
  const begin = async (owner: string) => {
    await stage.submit(owner)
    const handle = await stage.next()
    const run = ulid()
    await stage.claim(handle.message, run)
    stage.running = [...stage.running, { jobId: handle.message.jobId, run }]
    return { handle, run }
  }
  const first = [await begin('evil'), await begin('other-evil')]
  await sleep(5_100)
  for (const { handle: { message, ack }, run } of first) {
    await stage.announceEnd(message, run, await stage.publishOutputs(message, run))
    ack()
  }
  for (const { handle: { message } } of first) {
    await until('it has ended', () => stage.jobs.get(message.tenant, message.jobId)?.status === 'completed')
  }
  stage.running = []
  await stage.submit('evil')
  await stage.submit('other-evil')
  await stage.submit('good')
  const next = [(await stage.next()).message.tenant, (await stage.next()).message.tenant]
  t.ok(next.includes('good'), next.join(' and '))
})
