import { join } from 'node:path'
import t from 'tap'
import { ulid } from 'ulid'
import { messageVersion } from '../../../src/domain/message-version.ts'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { inputKey, jobPrefix, outputKey, runPrefix } from '../../../src/platform/store/keys.ts'
import { StoreError } from '../../../src/platform/store/store-error.ts'
import type { JobRecord } from '../../../src/services/jobs/job-record.ts'
import { jobTables } from '../../../src/services/jobs/tables.ts'
import { Stage, tenant } from '../../support/job-stage.ts'
import { until } from '../../support/until.ts'

t.test('a job goes from submission to a result, and a long poll sees each state', async (t) => {
  const stage = await Stage.open(t)
  const record = await stage.submit()
  t.match(record, { status: 'pending', dispatch: 1, size: 'small', modelVersion: '0.1.0+fast' })
  const signal = new AbortController().signal
  const running = stage.jobs.wait(tenant, record.jobId, 30, signal)
  const handle = await stage.next()
  t.match(handle.message, {
    jobId: record.jobId,
    tenant,
    input: { key: inputKey(tenant, record.jobId) },
    outputPrefix: jobPrefix(tenant, record.jobId)
  })
  const run = ulid()
  t.match(await stage.claim(handle.message, run), { go: true, attempt: 1 })
  t.match(await running, { status: 'running', run })
  stage.worker.publishNews({
    v: messageVersion,
    jobId: record.jobId,
    tenant,
    run,
    workerId: 'w1',
    stage: 'fit',
    fraction: 0.5
  })
  await until('progress', () => stage.jobs.progress(stage.jobs.get(tenant, record.jobId)!)?.fraction === 0.5)
  const done = stage.jobs.wait(tenant, record.jobId, 30, signal)
  await stage.announceEnd(handle.message, run, await stage.publishOutputs(handle.message, run))
  handle.ack()
  t.match(await done, { status: 'completed', winner: run, numItems: 2, attempt: 1 })
  const aborted = new AbortController()
  aborted.abort()
  t.match(await stage.jobs.wait(tenant, record.jobId, 30, aborted.signal), { status: 'completed' })
  t.equal(stage.jobs.get('other', record.jobId), undefined, 'another tenant sees nothing')
})

t.test('jobs that wait count those before them, published or not, until they are claimed', async (t) => {
  const stage = await Stage.open(t)
  const records: JobRecord[] = []
  // Four are published for two slots.
  for (let job = 0; job < 6; job++) records.push(await stage.submit())
  const positions = () => records.map(({ jobId }) => stage.jobs.progress(stage.jobs.get(tenant, jobId)!)?.queuePosition)
  t.strictSame(positions(), [0, 1, 2, 3, 4, 5])
  const handle = await stage.next()
  t.equal(handle.message.jobId, records[0]?.jobId)
  await stage.claim(handle.message, ulid())
  t.strictSame(positions(), [null, 0, 1, 2, 3, 4])
  await stage.jobs.delete(tenant, records[2]!.jobId)
  records.splice(2, 1)
  t.strictSame(positions(), [null, 0, 1, 2, 3])
})

t.test('of large jobs, one tenant with many leaves the next place to another that comes later', async (t) => {
  const stage = await Stage.open(t)
  // Large, by its profile. Of two slots, one takes large jobs.
  stage.checkReply = {
    v: messageVersion,
    ok: true,
    profile: { rows: 1e6, series: 5_000, minLength: 200, maxLength: 200, freq: 'MS' },
    warnings: []
  }
  const many = [await stage.submit('evil'), await stage.submit('evil'), await stage.submit('evil'),
    await stage.submit('evil')]
  t.strictSame(many.map(({ size }) => size), ['large', 'large', 'large', 'large'])
  const running = await stage.next('large')
  await stage.claim(running.message, ulid())
  const one = await stage.submit('good')
  const order: string[] = []
  for (let job = 0; job < 4; job++) {
    const handle = await stage.next('large')
    order.push(handle.message.tenant)
    const run = ulid()
    await stage.claim(handle.message, run)
    await stage.announceEnd(handle.message, run, await stage.publishOutputs(handle.message, run))
    handle.ack()
    await until('its end', () => stage.jobs.get(handle.message.tenant, handle.message.jobId)?.status === 'completed')
  }
  t.strictSame(order, ['evil', 'good', 'evil', 'evil'], 'one message of the flood was in the stream already')
  t.equal(stage.jobs.get('good', one.jobId)?.status, 'completed')
})

t.test('large jobs that were given back take no place from those of other tenants', async (t) => {
  const stage = await Stage.open(t, { TABCAST_LEASE_MS: '30000' })
  stage.checkReply = {
    v: messageVersion,
    ok: true,
    profile: { rows: 1e6, series: 5_000, minLength: 200, maxLength: 200, freq: 'MS' },
    warnings: []
  }
  // One of the two slots takes large jobs, so two messages may wait.
  for (const evil of ['evil-1', 'evil-2', 'evil-3', 'evil-4']) {
    await stage.submit(evil)
    const handle = await stage.next('large')
    const run = ulid()
    await stage.claim(handle.message, run)
    const { jobId, tenant, dispatch } = handle.message
    const back = { v: messageVersion, jobId, tenant, dispatch, workerId: 'w1', run, givenBack: 'stopping' as const }
    await stage.worker.claim(back, 2_000)
    handle.nak(60_000)
  }
  const { jobId } = await stage.submit('good')
  t.match((await stage.next('large')).message, { jobId })
})

t.test('a refused upload leaves nothing behind', async (t) => {
  const stage = await Stage.open(t)
  stage.checkReply = {
    v: messageVersion,
    ok: false,
    error: {
      code: 'missing_column',
      status: 422,
      message: 'no column "target"',
      column: 'target',
      row: null,
      item: null,
      count: null,
      suggestion: null
    }
  }
  await t.rejects(stage.submit(), {
    code: 'validation_error',
    status: 422,
    fields: [{ loc: ['body', 'file', 'target'], type: 'missing_column' }]
  })
  stage.checkReply = { v: messageVersion, ok: false, busy: true }
  await t.rejects(stage.submit(), { code: 'server_overloaded', status: 503 })
  stage.checkReply = { v: messageVersion, ok: false, failed: 'pipeline_failed' }
  await t.rejects(stage.submit(), { code: 'pipeline_failed' })
  for await (const { key } of stage.store.list('')) t.fail(`left behind: ${key}`)
  t.equal(stage.jobs.state().waiting, 0)
})

t.test('row 28: ten copies of a message make one run while the api is up', async (t) => {
  const stage = await Stage.open(t)
  const record = await stage.submit()
  const handle = await stage.next()
  const replies = await Promise.all(Array.from({ length: 10 }, async () => await stage.claim(handle.message, ulid())))
  t.equal(replies.filter(({ go }) => go).length, 1)
  t.equal(stage.jobs.get(tenant, record.jobId)?.attempt, 1)
})

t.test("rows 6 and 9: after a lost worker the job runs again; the zombie's end changes nothing and its objects go", async (t) => {
  const stage = await Stage.open(t)
  const record = await stage.submit()
  const first = await stage.next()
  const zombie = ulid()
  await stage.claim(first.message, zombie)
  const second = await stage.next()
  t.ok(second.redelivered, 'the lease of the silent worker ran out')
  const winner = ulid()
  t.match(await stage.claim(second.message, winner), { go: true, attempt: 2 })
  await stage.announceEnd(second.message, winner, await stage.publishOutputs(second.message, winner))
  second.ack()
  const done = await stage.ended(record.jobId)
  t.match(done, { status: 'completed', winner, lostWorkers: 1 })
  await stage.announceEnd(first.message, zombie, await stage.publishOutputs(first.message, zombie))
  await until("the zombie's objects are swept",
    async () =>
      !(await stage.objects(record.jobId)).some((key) =>
        key.startsWith(runPrefix(jobPrefix(tenant, record.jobId), zombie))
      ))
  t.strictSame(stage.jobs.get(tenant, record.jobId), done)
  t.ok((await stage.objects(record.jobId)).includes(outputKey(jobPrefix(tenant, record.jobId), winner, 'forecast.csv')))
  t.match(await stage.claim(first.message, ulid()), { go: false, reason: 'terminal' })
})

t.test('a run that a stopping worker gives back counts as no lost worker, however often, and its job is neither ' +
  'apart nor failed', async (t) => {
  const stage = await Stage.open(t)
  const record = await stage.submit()
  const lostBefore = 1
  const lost = await stage.next()
  await stage.claim(lost.message, ulid())
  for (let attempt = 2; attempt <= 16; attempt++) {
    const handle = await stage.next()
    const run = ulid()
    const reply = await stage.claim(handle.message, run)
    t.match(reply, { go: true, attempt })
    t.notOk('alone' in reply)
    t.match(await stage.giveBack(handle, run), { go: false })
    // An announcement on its way says that the run is alive, and is older than that.
    stage.running = [{ jobId: record.jobId, run }]
  }
  const handle = await stage.next()
  const winner = ulid()
  t.match(await stage.claim(handle.message, winner), { go: true, attempt: 17 })
  await stage.announceEnd(handle.message, winner, await stage.publishOutputs(handle.message, winner))
  t.match(await stage.ended(record.jobId), { status: 'completed', winner, lostWorkers: lostBefore })
})

t.test('a job that was given back waits again for a worker, also for an api that starts then', async (t) => {
  const stage = await Stage.open(t, { TABCAST_LEASE_MS: '30000' })
  const { jobId } = await stage.submit()
  const handle = await stage.next()
  const run = ulid()
  await stage.claim(handle.message, run)
  const position = () => stage.jobs.progress(stage.jobs.get(tenant, jobId)!)?.queuePosition
  t.equal(position(), null)
  await stage.giveBack(handle, run)
  t.equal(position(), 0)
  await stage.stopApi()
  await stage.startApi()
  await stage.jobs.restored
  t.equal(position(), 0)
  const again = await stage.next()
  await stage.claim(again.message, ulid())
  t.equal(position(), null)
})

t.test('a run that is given back while the api is away counts as no lost worker either', async (t) => {
  const stage = await Stage.open(t)
  const record = await stage.submit()
  const handle = await stage.next()
  const run = ulid()
  await stage.claim(handle.message, run)
  await stage.stopApi()
  const { jobId, dispatch } = handle.message
  await stage.worker.publishGivenBack({
    v: messageVersion,
    jobId,
    tenant,
    dispatch,
    workerId: 'w1',
    run,
    givenBack: 'stopping'
  })
  handle.nak()
  await stage.startApi()
  await until('the api knows', () => stage.jobs.get(tenant, jobId)?.givenBack === run)
  const reply = await stage.claim((await stage.next()).message, ulid())
  t.match(reply, { go: true, attempt: 2 })
  t.match(stage.jobs.get(tenant, record.jobId), { status: 'running', lostWorkers: 0 })
})

t.test('rows 10 and 29: the third dead slot ends the job, and others go on', async (t) => {
  const stage = await Stage.open(t)
  const poisoned = await stage.submit()
  const handle = await stage.next()
  let run = ulid()
  await stage.claim(handle.message, run)
  for (const attempt of [2, 3]) {
    const next = ulid()
    t.match(await stage.claim(handle.message, next, { run, cause: 'crash' }), { go: true, attempt })
    run = next
  }
  t.match(await stage.claim(handle.message, ulid(), { run, cause: 'crash' }), { go: false, reason: 'attempts' })
  handle.ack()
  t.match(await stage.ended(poisoned.jobId), { status: 'failed', errorCode: 'pipeline_failed', slotDeaths: 3 })
  const neighbour = await stage.submit()
  const next = await stage.next()
  const good = ulid()
  await stage.claim(next.message, good)
  await stage.announceEnd(next.message, good, await stage.publishOutputs(next.message, good))
  t.match(await stage.ended(neighbour.jobId), { status: 'completed' })
})

t.test('row 26: deletion beats an end that comes later, and a late claim is told to drop', async (t) => {
  const stage = await Stage.open(t)
  const record = await stage.submit()
  const handle = await stage.next()
  const run = ulid()
  await stage.claim(handle.message, run)
  let cancelled = false
  stage.worker.onCancel(record.jobId, () => {
    cancelled = true
  })
  t.equal(await stage.jobs.delete(tenant, record.jobId), true)
  t.equal(stage.jobs.get(tenant, record.jobId), undefined)
  t.strictSame(await stage.objects(record.jobId), [])
  await until('the run is cancelled', () => cancelled)
  t.equal(await stage.jobs.delete(tenant, record.jobId), false)
  await stage.announceEnd(handle.message, run, await stage.publishOutputs(handle.message, run))
  await until('what the run wrote is gone', async () => (await stage.objects(record.jobId)).length === 0)
  t.equal(stage.jobs.get(tenant, record.jobId), undefined, 'it is not resurrected')
  t.match(await stage.claim(handle.message, ulid()), { go: false, reason: 'deleted' })
})

t.test('the claim writes down that the message was sent; without one that takes a moment', async (t) => {
  const stage = await Stage.open(t)
  const claimed = await stage.submit()
  const handle = await stage.next()
  await stage.claim(handle.message, ulid())
  t.equal(stage.jobs.get(tenant, claimed.jobId)?.streamSequence, handle.seq)
  t.equal(stage.metadata.table('outbox').count(), 0)
  const waiting = await stage.submit()
  await until('its outbox entry is gone', () => stage.metadata.table('outbox').count() === 0)
  t.type(stage.jobs.get(tenant, waiting.jobId)?.streamSequence, 'number')
})

t.test('row 4: a job that was published just before the api died is published again without harm', async (t) => {
  const stage = await Stage.open(t)
  const record = await stage.submit()
  const handle = await stage.next()
  await until('the outbox entry is gone', () => stage.jobs.get(tenant, record.jobId)?.streamSequence !== null)
  await stage.stopApi()
  // What LMDB holds when the api dies between the publish and the removal of the outbox entry.
  const metadata = await openMetadata({ path: join(stage.folder, 'metadata'), tables: jobTables })
  const jobs = metadata.table<JobRecord>('jobs')
  await metadata.transact((tx) => {
    tx.put(jobs, [tenant, record.jobId], { ...tx.get(jobs, [tenant, record.jobId])!.value, streamSequence: null })
    tx.put(metadata.table('outbox'), [record.jobId], { tenant })
  })
  await metadata.close()
  await stage.startApi()
  await until('it is published again', () => stage.jobs.get(tenant, record.jobId)?.streamSequence !== null)
  const run = ulid()
  t.match(await stage.claim(handle.message, run), { go: true, attempt: 1 })
  await stage.announceEnd(handle.message, run, await stage.publishOutputs(handle.message, run))
  handle.ack()
  t.match(await stage.ended(record.jobId), { status: 'completed', winner: run, attempt: 1 })
  t.equal(await stage.worker.nextJob('small', 1_000), undefined, 'there was one message')
})

t.test('row 8: an end that was recorded before the acknowledgement is not computed again', async (t) => {
  const stage = await Stage.open(t)
  const record = await stage.submit()
  const handle = await stage.next()
  const run = ulid()
  await stage.claim(handle.message, run)
  await stage.announceEnd(handle.message, run, await stage.publishOutputs(handle.message, run))
  await stage.ended(record.jobId)
  const again = await stage.next()
  t.ok(again.redelivered)
  t.match(await stage.claim(again.message, ulid()), { go: false, reason: 'terminal' })
})

t.test('an end announced while the api is down is taken when it is back', async (t) => {
  const stage = await Stage.open(t)
  const record = await stage.submit()
  const handle = await stage.next()
  const run = ulid()
  await stage.claim(handle.message, run)
  const sha256 = await stage.publishOutputs(handle.message, run)
  await stage.stopApi()
  await stage.announceEnd(handle.message, run, sha256)
  handle.ack()
  await stage.startApi()
  t.match(await stage.ended(record.jobId), { status: 'completed', winner: run })
})

t.test('row 7: a result whose event was lost is adopted; a job whose message was lost is dispatched anew', async (t) => {
  const stage = await Stage.open(t)
  const adopted = await stage.submit()
  const first = await stage.next()
  const run = ulid()
  await stage.claim(first.message, run)
  await stage.publishOutputs(first.message, run)
  first.ack()
  t.match(await stage.ended(adopted.jobId), { status: 'completed', winner: run, dispatch: 1 })

  const lost = await stage.submit()
  const second = await stage.next()
  second.ack()
  const third = await stage.next()
  t.match(third.message, { jobId: lost.jobId, dispatch: 2 })
  t.match(await stage.claim(second.message, ulid()), { go: false, reason: 'superseded' })
  t.match(await stage.claim(third.message, ulid()), { go: true })
})

t.test('an announced result that is not in the store makes the job run again', async (t) => {
  const stage = await Stage.open(t)
  const record = await stage.submit()
  const handle = await stage.next()
  const run = ulid()
  await stage.claim(handle.message, run)
  await stage.announceEnd(handle.message, run, 'f'.repeat(64))
  handle.ack()
  const again = await stage.next()
  t.match(again.message, { jobId: record.jobId, dispatch: 2 })
  t.match(await stage.claim(again.message, ulid()), { go: true })
  await stage.announceEnd(handle.message, run, 'e'.repeat(64))
  t.match(stage.jobs.get(tenant, record.jobId), { lostResults: 1, lostWorkers: 0 })
})

t.test('a result that cannot be read holds up no other end, and counts when it can be read', async (t) => {
  const stage = await Stage.open(t, { TABCAST_LEASE_MS: '30000' })
  const read = stage.store.getBytes.bind(stage.store)
  let broken = ''
  stage.store.getBytes = async (key, maxBytes) => {
    if (broken !== '' && key.includes(broken)) throw new StoreError('unavailable', `${key}: no answer`)
    return await read(key, maxBytes)
  }
  const ends = []
  for (let job = 0; job < 3; job++) {
    await stage.submit()
    const handle = await stage.next()
    const run = ulid()
    await stage.claim(handle.message, run)
    ends.push({ handle, run, sha256: await stage.publishOutputs(handle.message, run) })
  }
  const [bad, ...good] = ends as [typeof ends[0], ...typeof ends]
  broken = bad.run
  for (const { handle, run, sha256 } of ends) {
    await stage.announceEnd(handle.message, run, sha256)
    handle.ack()
  }
  for (const { handle } of good) t.match(await stage.ended(handle.message.jobId), { status: 'completed' })
  t.match(stage.jobs.get(tenant, bad.handle.message.jobId), { status: 'running' })
  broken = ''
  t.match(await stage.ended(bad.handle.message.jobId), { status: 'completed', winner: bad.run, dispatch: 1 })
})

t.test('a result that can never be read is computed again', async (t) => {
  const stage = await Stage.open(t, { TABCAST_LEASE_MS: '500' })
  const read = stage.store.getBytes.bind(stage.store)
  const record = await stage.submit()
  const handle = await stage.next()
  const run = ulid()
  stage.store.getBytes = async (key, maxBytes) => {
    if (key.includes(run)) throw new StoreError('unavailable', `${key}: EIO`)
    return await read(key, maxBytes)
  }
  await stage.claim(handle.message, run)
  await stage.announceEnd(handle.message, run, await stage.publishOutputs(handle.message, run))
  handle.ack()
  const again = await stage.next()
  t.match(again.message, { jobId: record.jobId, dispatch: 2 })
  t.match(stage.jobs.get(tenant, record.jobId), { lostResults: 1 })
  const winner = ulid()
  await stage.claim(again.message, winner)
  await stage.announceEnd(again.message, winner, await stage.publishOutputs(again.message, winner))
  again.ack()
  t.match(await stage.ended(record.jobId), { status: 'completed', winner })
})

t.test('a result that is larger than one may be ends its job and says so', async (t) => {
  const stage = await Stage.open(t)
  const record = await stage.submit()
  const handle = await stage.next()
  const run = ulid()
  await stage.claim(handle.message, run)
  const warnings = [{ code: 'c', message: 'm'.repeat(1024 * 1024), count: 1 }]
  await stage.announceEnd(handle.message, run, await stage.publishOutputs(handle.message, run, { warnings }))
  handle.ack()
  t.match(await stage.ended(record.jobId), {
    status: 'failed',
    errorCode: 'pipeline_failed',
    error: /more than 1048576 bytes/,
    winner: null,
    dispatch: 1
  })
})

t.test('large results that come together all end their jobs', async (t) => {
  const stage = await Stage.open(t, { TABCAST_LEASE_MS: '30000' })
  const warnings = [{ code: 'c', message: 'm'.repeat(250_000), count: 1 }]
  const ends = []
  for (let job = 0; job < 6; job++) {
    await stage.submit()
    const handle = await stage.next()
    const run = ulid()
    await stage.claim(handle.message, run)
    ends.push({ handle, run, sha256: await stage.publishOutputs(handle.message, run, { warnings }) })
  }
  await Promise.all(ends.map(({ handle, run, sha256 }) => stage.announceEnd(handle.message, run, sha256)))
  for (const { handle, run } of ends) {
    t.match(await stage.ended(handle.message.jobId), { status: 'completed', winner: run, warnings })
    handle.ack()
  }
})

t.test('row 25: expired jobs go with their objects, running ones stay', async (t) => {
  const stage = await Stage.open(t, { TABCAST_JOB_RETENTION_SECONDS: '1' })
  const short = await stage.submit()
  const handle = await stage.next()
  const run = ulid()
  await stage.claim(handle.message, run)
  await stage.announceEnd(handle.message, run, await stage.publishOutputs(handle.message, run))
  handle.ack()
  t.match(await stage.ended(short.jobId), { status: 'completed' })
  const open = await stage.submit()
  await stage.claim((await stage.next()).message, ulid())
  await until('it expired', () => stage.jobs.get(tenant, short.jobId) === undefined)
  await until('its objects are gone', async () => (await stage.objects(short.jobId)).length === 0)
  t.match(stage.jobs.get(tenant, open.jobId), { status: 'running', expiresAtMs: null })
})

t.test('without queue, worker or room nothing is taken', async (t) => {
  const stage = await Stage.open(t, { TABCAST_MAX_QUEUED: '3', TABCAST_MAX_QUEUED_PER_TENANT: '2' })
  await stage.submit()
  await stage.submit()
  t.throws(() => stage.jobs.admit(tenant), { code: 'server_overloaded', retryAfterSeconds: 5 })
  await stage.submit('globex')
  t.throws(() => stage.jobs.admit('globex'), { code: 'server_overloaded' }, 'the queue is full')
  t.throws(() => stage.jobs.admit('initech', 2), { code: 'server_overloaded' })
  await stage.submit('initech')
  t.throws(() => stage.jobs.admit('initech'), { code: 'server_overloaded' },
    'who had nothing in it had room for that one')
  stage.stopHeartbeat()
  await until('the silent worker is given up', () => stage.jobs.state().workers === 0)
  t.throws(() => stage.jobs.admit('initech'), { code: 'compute_unavailable' })
  await t.rejects(stage.submit('initech'), { code: 'compute_unavailable' })
})
