import t from 'tap'
import { ulid } from 'ulid'
import { messageVersion } from '../../../src/domain/message-version.ts'
import { Stage, tenant } from '../../support/job-stage.ts'
import { until } from '../../support/until.ts'

const large = {
  v: messageVersion,
  ok: true as const,
  profile: { rows: 1e6, series: 5_000, minLength: 200, maxLength: 200, freq: 'MS' },
  warnings: []
}

/** Until the api has heard what the worker announces from now on. */
async function heard (stage: Stage, slots: number): Promise<void> {
  await until('the announcement', () => stage.jobs.state().slots === slots)
}

t.test('the claim of a large forecast is told the slots that compute shards', async (t) => {
  const stage = await Stage.open(t)
  const claimed = async (size: 'small' | 'large') => {
    const handle = await stage.next(size)
    const reply = await stage.claim(handle.message, ulid())
    handle.ack()
    return reply
  }
  stage.checkReply = large
  stage.announced = { slots: 5, shardSlots: 4 }
  await heard(stage, 5)
  await stage.submit()
  t.match(await claimed('large'), { go: true, shardSlots: 4 })
  stage.announced = { slots: 7 }
  await heard(stage, 7)
  await stage.submit()
  t.match(await claimed('large'), { go: true, shardSlots: 0 }, 'a worker of an earlier release computes none')
  stage.checkReply = { ...large, profile: { ...large.profile, rows: 6, series: 2 } }
  await stage.submit()
  t.equal((await claimed('small') as { shardSlots?: number }).shardSlots, undefined)
})

t.test('a job says how many shards are done, and a worker that computes one of a deleted job is told', async (t) => {
  const stage = await Stage.open(t)
  stage.checkReply = large
  const { jobId } = await stage.submit()
  const handle = await stage.next('large')
  const run = ulid()
  await stage.claim(handle.message, run)
  const shards = { done: 3, total: 8 }
  stage.worker.publishNews({
    ...{ v: messageVersion, jobId, tenant, run, workerId: 'w1', stage: 'fit', fraction: 0.5 },
    shards
  })
  const progress = () => stage.jobs.progress(stage.jobs.get(tenant, jobId)!)
  await until('its progress', () => progress()?.shards !== undefined)
  t.strictSame(progress(), { stage: 'fit', fraction: 0.5, shards, queuePosition: null })
  await stage.jobs.delete(tenant, jobId)
  let told = 0
  stage.worker.onCancel(jobId, (isDeleted) => {
    if (isDeleted) told++
  })
  stage.announced = { helping: [jobId] }
  await until('the cancel', () => told > 0)
})
