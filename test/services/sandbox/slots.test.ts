import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { ulid } from 'ulid'
import type { JobSize } from '../../../src/domain/job.ts'
import { messageVersion } from '../../../src/domain/message-version.ts'
import type { JobMessage } from '../../../src/platform/queue/job-messages.ts'
import { sandboxTenant } from '../../../src/services/keys/scopes.ts'
import { form } from '../../support/form.ts'
import { jobOf, openSandbox, panel, type SandboxStage } from '../../support/sandbox.ts'
import { until } from '../../support/until.ts'

/* A visitor's job and those of tenants on a machine with few slots. The test plays the worker. */

interface Run {
  jobId: string
  run: string
  dispatch: number
  attempt: number
  message: JobMessage
}
interface Cancel {
  isDeleted: boolean
  run: string | undefined
}

const fourAnnouncementsMs = 400
const settings = { TABCAST_HEARTBEAT_MS: '50', TABCAST_LEASE_MS: '30000' }

/** What is posted is taken; the worker of the stage is announced again only within a moment of a change. */
async function taken<A> (post: () => Promise<A>, statusOf: (answer: A) => number): Promise<A> {
  const answer = await until('a worker is there', async () => {
    const first = await post()
    return statusOf(first) === 503 ? undefined : first
  })
  if (statusOf(answer) !== 202) throw new Error(`not taken: ${JSON.stringify(answer)}`)
  return answer
}

/** A visitor's job. */
const visitorsJob = async (stage: SandboxStage, ...what: Parameters<SandboxStage['post']>): Promise<string> =>
  jobOf(await taken(async () => await stage.post(...what), ({ status }) => status)).job_id

/** A visitor's job that a worker computes, which has no other slot for it. */
async function visitorsRun (t: Test, stage: SandboxStage, slots: SandboxStage['announces'] = {}): Promise<Run> {
  const handle = await stage.takeNext('large')
  const { jobId, tenant, dispatch } = handle.message
  t.equal(tenant, sandboxTenant)
  const run = ulid()
  const reply = await stage.worker.claim({ v: messageVersion, jobId, tenant, dispatch, workerId: 'w1', run }, 5_000)
  if (reply?.go !== true) throw new Error(`not granted: ${JSON.stringify(reply)}`)
  handle.ack()
  // The announcement of before may still say that none is free.
  const free = await until('a free slot', () => stage.jobs.state().freeSlots || undefined)
  stage.announces = { freeAny: 0, running: [{ jobId, run }], ...slots }
  await until('the api knows that the slot is taken', () => stage.jobs.state().freeSlots < free)
  return { jobId, run, dispatch, attempt: reply.attempt, message: handle.message }
}

function cancelsOf (stage: SandboxStage, jobId: string): Cancel[] {
  const cancels: Cancel[] = []
  stage.worker.onCancel(jobId, (isDeleted, run) => cancels.push({ isDeleted, run }))
  return cancels
}

/** A tenant's job of this size. */
async function tenantsJob (stage: SandboxStage, size: JobSize): Promise<string> {
  const fields: Array<[string, string]> = size === 'small' ? [] : [['label_column', 'target']]
  const url = size === 'small' ? '/forecast' : '/v2/classify'
  const { headers, payload } = form([...fields, ['file', panel, 'data.csv']])
  const authorization = `Bearer ${stage.key}`
  const answer = await taken(
    async () => await stage.app.inject({ method: 'POST', url, headers: { ...headers, authorization }, payload }),
    ({ statusCode }) => statusCode
  )
  return answer.json<{ job_id: string }>().job_id
}

t.test("a tenant's table does not wait for a visitor's: that makes way, and runs again", async (t) => {
  const stage = await openSandbox(t, settings)
  const jobId = await visitorsJob(stage, 'classify', { label_column: 'target' })
  const first = await visitorsRun(t, stage)
  t.match(first, { jobId, dispatch: 1, attempt: 1 })
  const cancels = cancelsOf(stage, jobId)
  await tenantsJob(stage, 'large')
  await until('the run is told to stop', () => cancels.length > 0)
  await until('and is told again as long as it is there', () => cancels.length > 3)
  t.strictSame(cancels[0], { isDeleted: false, run: first.run }, 'this run, and no later one')
  const { text } = await stage.ask('GET', `/jobs/${jobId}`)
  const waits = { status: 'running', error: null, progress: { stage: 'queue', queue_position: 1 } }
  t.match(JSON.parse(text), waits, 'behind the tenant')
  const late = { v: messageVersion, jobId, tenant: sandboxTenant, dispatch: 1, workerId: 'w1', run: ulid() }
  t.match(await stage.worker.claim(late, 5_000), { go: false, reason: 'superseded' }, 'its message is worth nothing')

  // The worker has stopped it, and takes the tenant's.
  stage.announces = {}
  await stage.finishNext({}, { code: 'validation_error', error: 'as the test says' }, 'large')
  const second = await visitorsRun(t, stage)
  t.match(second, { jobId, dispatch: 2, attempt: 2 })
  t.match(stage.jobs.get(sandboxTenant, jobId), { lostWorkers: 0, slotDeaths: 0 })
  t.notOk(cancels.some(({ run }) => run === second.run))
})

for (const [what, code, status] of [['a result', null, 'completed'], ['a time budget that was used up', 'timeout',
  'failed']] as const) {
  t.test(`${what} that was on its way counts, though the run was told to make way`, async (t) => {
    const stage = await openSandbox(t, settings)
    const jobId = await visitorsJob(stage, 'forecast')
    const { run, message } = await visitorsRun(t, stage)
    const cancels = cancelsOf(stage, jobId)
    await tenantsJob(stage, 'large')
    await until('the run is told to stop', () => cancels.length > 0)
    await stage.publishEnd(message, run, code === null ? { 'forecast.csv': 'x', 'forecast.parquet': 'PAR1' } : {}, {
      code
    })
    const job = await until('its end', async () => {
      const shown = jobOf(await stage.ask('GET', `/jobs/${jobId}?wait=5`))
      return shown.expires_at === null ? undefined : shown
    })
    t.match(job, { status, error_code: code, attempt: 1 })
    stage.announces = {}
    t.not((await stage.takeNext('large')).message.tenant, sandboxTenant)
    t.equal(await stage.worker.nextJob('large', 1_000), undefined, 'it waits no longer')
  })
}

t.test('a run that its worker gave back does not have to make way', async (t) => {
  const stage = await openSandbox(t, settings)
  await visitorsJob(stage, 'forecast')
  const { jobId, run, dispatch } = await visitorsRun(t, stage)
  await stage.worker.claim({
    v: messageVersion,
    jobId,
    tenant: sandboxTenant,
    dispatch,
    workerId: 'w1',
    run,
    givenBack: 'stopping'
  }, 5_000)
  const before = stage.jobs.get(sandboxTenant, jobId)
  t.match(before, { givenBack: run, dispatch: 1 })
  await tenantsJob(stage, 'large')
  await sleep(fourAnnouncementsMs)
  t.strictSame(stage.jobs.get(sandboxTenant, jobId), before)
})

t.test('a job that had to make way too often fails, says what to do, and its domain may have another', async (t) => {
  const stage = await openSandbox(t, settings)
  const jobId = await visitorsJob(stage, 'forecast')
  const cancels = cancelsOf(stage, jobId)
  for (let times = 1; times <= 6; times++) {
    const { run, attempt } = await visitorsRun(t, stage)
    t.equal(attempt, times)
    await tenantsJob(stage, 'large')
    await until('the run is told to stop', () => cancels.some((cancel) => cancel.run === run))
    stage.announces = {}
    await stage.finishNext({}, { code: 'validation_error', error: 'as the test says' }, 'large')
  }
  const job = jobOf(await stage.ask('GET', `/jobs/${jobId}`))
  t.match(job, { status: 'failed', error_code: 'server_overloaded' })
  t.match(job.error,
    /^The job was stopped 6 times, .*Try again when the service is less busy\. It does not count: the company can try again\.$/)
  t.equal(stage.metadata.table('sandboxClaims').count(), 0)
  t.ok(await visitorsJob(stage, 'forecast'))
})

t.test('with one slot for everything a small job is not kept waiting either; with two it has its own', async (t) => {
  const one = { slots: 1, freeAny: 0, freeSmall: 0 }
  for (const [slots, isStopped] of [[one, true], [{ freeAny: 0 }, false]] as const) {
    const stage = await openSandbox(t, settings)
    const jobId = await visitorsJob(stage, 'forecast')
    const { run } = await visitorsRun(t, stage, slots)
    const cancels = cancelsOf(stage, jobId)
    await tenantsJob(stage, 'small')
    if (isStopped) await until('the run is told to stop', () => cancels.some((cancel) => cancel.run === run))
    else {
      t.match((await stage.takeNext('small')).message.tenant, 'acme')
      await sleep(fourAnnouncementsMs)
      t.strictSame(cancels, [])
    }
  }
})

t.test("what is the sandbox's own is not taken: a quarter of four slots for large jobs", async (t) => {
  const stage = await openSandbox(t, settings)
  stage.announces = { slots: 5, freeAny: 4 }
  await until('five slots', () => stage.jobs.state().slots === 5)
  const jobId = await visitorsJob(stage, 'forecast')
  await visitorsRun(t, stage, { slots: 5 })
  const cancels = cancelsOf(stage, jobId)
  for (let at = 0; at < 6; at++) await tenantsJob(stage, 'large')
  for (let at = 0; at < 4; at++) t.equal((await stage.takeNext('large')).message.tenant, 'acme')
  await sleep(fourAnnouncementsMs)
  t.strictSame(cancels, [])
})

t.test('nothing is borrowed while no slot is idle', async (t) => {
  const stage = await openSandbox(t, settings)
  stage.announces = { freeAny: 0 }
  await until('no slot for a large job', () => stage.jobs.state().freeSlots === 1)
  const jobId = await visitorsJob(stage, 'forecast')
  t.equal(await stage.worker.nextJob('large', 1_000), undefined)
  stage.announces = {}
  t.equal((await stage.takeNext('large')).message.jobId, jobId)
})
