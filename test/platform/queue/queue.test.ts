import { encode } from 'cborg'
import { connect, createInbox } from 'nats'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { DataProfile } from '../../../src/domain/data-profile.ts'
import { messageVersion } from '../../../src/domain/message-version.ts'
import type { TablePreview } from '../../../src/domain/table-preview.ts'
import { connectQueue, QueueError, type Queue } from '../../../src/platform/queue/index.ts'
import type { EventMessage } from '../../../src/platform/queue/job-messages.ts'
import type { QuickCheckReply, QuickCheckRequest,
  QuickProfileRequest } from '../../../src/platform/queue/quick-messages.ts'
import { testJob, testLimits, testSpec } from '../../support/job-message.ts'
import { setup, testStreams } from '../../support/nats.ts'
import { silentLog } from '../../support/silent-log.ts'
import { until } from '../../support/until.ts'

const v = messageVersion

function testEvent (jobId: string, run: string): EventMessage {
  return { v, jobId, tenant: 'acme', run, code: null, resultSha256: null, error: null }
}

function code (expected: QueueError['code']) {
  return { name: 'QueueError', code: expected }
}

await t.test('job messages', async (t) => {
  const nats = await setup()
  t.teardown(nats.cleanup)
  const api = await nats.connect('api')
  const worker = await nats.connect('worker')
  const created = (await api.ensureStreams(testStreams)).jobsCreated

  await t.test('streams are created once and then only updated', async (t) => {
    const again = await api.ensureStreams({ ...testStreams, leaseMs: 1000, maxJobs: 20 })
    t.equal(again.jobsCreated, created)
    await api.ensureStreams(testStreams)
  })

  await t.test('a job goes to the consumer of its size and leaves the stream when acknowledged', async (t) => {
    const { seq, duplicate } = await api.publishJob('large', testJob('job_a'))
    t.equal(duplicate, false)
    t.equal(await worker.nextJob('small', 1000), undefined)
    const job = await worker.nextJob('large', 1000)
    t.match(job, { seq, redelivered: false, leaseMs: testStreams.leaseMs, message: testJob('job_a') })
    t.equal(await api.jobMessageExists(seq), true)
    job?.ack()
    await until('the message is gone', async () => !await api.jobMessageExists(seq))
  })

  await t.test('a second publish of the same dispatch stores nothing', async (t) => {
    const first = await api.publishJob('small', testJob('job_b'))
    const second = await api.publishJob('small', testJob('job_b'))
    t.same(second, { seq: first.seq, duplicate: true })
    const third = await api.publishJob('small', testJob('job_b', { dispatch: 2 }))
    t.match(third, { duplicate: false })
    t.equal(await api.deleteJobMessage(first.seq), true)
    t.equal(await api.deleteJobMessage(first.seq), false)
    t.equal(await api.deleteJobMessage(third.seq), true)
    t.equal(await api.jobMessageExists(third.seq), false)
  })

  await t.test('a job without a sign of life is delivered again, one with it is not', async (t) => {
    await api.publishJob('small', testJob('job_c'))
    const first = await worker.nextJob('small', 1000)
    const beat = setInterval(() => first?.working(), 300)
    t.equal(await worker.nextJob('small', 3000), undefined)
    clearInterval(beat)
    const second = await worker.nextJob('small', 5000)
    t.match(second, { redelivered: true, message: { jobId: 'job_c' } })
    second?.nak()
    const third = await worker.nextJob('small', 1000)
    t.match(third, { redelivered: true })
    third?.ack()
  })

  await t.test('are reported to the api, and wait in the stream if it does not apply them', async (t) => {
    const seen: string[] = []
    const before = await api.eventsLastSequence()
    await worker.reportEnd(testEvent('job_nobody', 'r1'), 500)
    t.equal(await api.eventsLastSequence(), before + 1, 'without an api')
    let rejected = 0
    const stop = api.consumeEvents(async (events) => {
      if (events.some(({ jobId }) => jobId === 'job_twice') && rejected++ === 0) throw new Error('disk full')
      seen.push(...events.map(({ jobId }) => jobId))
      return []
    })
    await until('the stored event', () => seen.includes('job_nobody'))
    await worker.reportEnd(testEvent('job_asked', 'r1'), 500)
    t.ok(seen.includes('job_asked'), 'applied before the answer')
    t.equal(await api.eventsLastSequence(), before + 1, 'and not stored')
    await worker.reportEnd(testEvent('job_twice', 'r1'), 500)
    t.equal(await api.eventsLastSequence(), before + 2, 'stored, because it was not applied')
    await until('it is applied then', () => seen.includes('job_twice'))
    stop()
  })

  await t.test('a full stream refuses with full', async (t) => {
    await api.ensureStreams({ ...testStreams, maxJobs: 1 })
    const { seq } = await api.publishJob('small', testJob('job_d'))
    await t.rejects(api.publishJob('small', testJob('job_e')), code('full'))
    await api.deleteJobMessage(seq)
    await api.ensureStreams(testStreams)
  })

  await t.test('a message of the next version is read, one of any other version is refused and kept for a worker ' +
    'that reads it', async (t) => {
    await api.publishJob('small', { ...testJob('job_next', { v: v + 1 }), unknown: 1 } as never)
    const next = await worker.nextJob('small', 1000)
    t.equal(next?.message.jobId, 'job_next')
    next?.ack()
    const { seq } = await api.publishJob('small', testJob('job_far', { v: v + 2 }))
    t.equal(await worker.nextJob('small', 1000), undefined)
    t.equal(await api.jobMessageExists(seq), true)
    await api.deleteJobMessage(seq)
  })
})

await t.test('claims, cancels, news, announcements and content checks', async (t) => {
  const nats = await setup()
  t.teardown(nats.cleanup)
  const api = await nats.connect('api')
  const worker = await nats.connect('worker')
  const request = { v, jobId: 'job_a', tenant: 'acme', dispatch: 1, workerId: 'w1', run: 'r1' }

  await t.test('a claim without an api is answered by undefined', async (t) => {
    t.equal(await worker.claim(request, 500), undefined)
  })

  await t.test('a claim is answered by the api, and a failing handler by silence', async (t) => {
    const stop = api.serveClaims(async (claim) => {
      if (claim.jobId === 'job_broken') throw new Error('record is away')
      return claim.died ? { v, go: false, reason: 'attempts' } : { v, go: true, attempt: 1 }
    })
    t.same(await until('the subscription', () => worker.claim(request, 2000)), { v, go: true, attempt: 1 })
    t.same(await worker.claim({ ...request, died: { run: 'r0', cause: 'crash' } }, 2000), {
      v,
      go: false,
      reason: 'attempts'
    })
    t.equal(await worker.claim({ ...request, jobId: 'job_broken' }, 300), undefined)
    stop()
  })

  await t.test('news, announcements and cancels arrive', async (t) => {
    const seen: string[] = []
    api.onNews((news) => seen.push(`news ${news.stage} ${news.fraction}`))
    api.onWorkers((message) => seen.push(`worker ${message.workerId}`))
    worker.onCancel('job_a', (isDeleted, run) => seen.push(`${isDeleted ? 'deleted' : 'over'} ${run ?? 'every run'}`))
    await sleep(50)
    worker.publishNews({ v, jobId: 'job_a', tenant: 'acme', run: 'r1', workerId: 'w1', stage: 'fit', fraction: 0.5 })
    worker.announce({
      v,
      workerId: 'w1',
      version: '0',
      slots: 1,
      freeAny: 1,
      freeSmall: 0,
      quick: 1,
      capabilities: [],
      running: [],
      draining: false
    })
    api.publishCancel('job_b', 'deleted')
    api.publishCancel('job_a', 'deleted')
    api.publishCancel('job_a', 'over', 'r1')
    await until('all four', () => seen.length === 4)
    t.same(seen.sort(), ['deleted every run', 'news fit 0.5', 'over r1', 'worker w1'])
    let rollCalls = 0
    worker.onRollCall(() => {
      rollCalls++
    })
    const another = await nats.connect('another api')
    await until('the subscription, and an api that comes and asks who is there', () => {
      another.onWorkers(() => undefined)()
      return rollCalls > 0
    })
  })

  await t.test('a content check needs a worker, and gets its answer', async (t) => {
    const check: QuickCheckRequest = {
      v,
      depth: 'full',
      input: { key: 'acme/job_a/input', format: 'csv', bytes: 1 },
      spec: testSpec,
      limits: testLimits
    }
    await t.rejects(api.quickCheck(check, 500), code('unavailable'))
    const reply: QuickCheckReply = { v, ok: false, busy: true }
    const stop = worker.serveQuick(async () => reply)
    await until('the subscription', () => api.quickCheck(check, 500).catch(() => undefined))
    t.same(await api.quickCheck(check, 2000), reply)
    stop()
  })

  await t.test('a preview travels whole, with cells of every type', async (t) => {
    const request = { v, input: { key: 'acme/obj_a/input', bytes: 10 }, maxBytes: 5, maxRows: 2 }
    await t.rejects(api.quickPreview(request, 500), code('unavailable'))
    const preview: TablePreview = {
      columns: ['a', 'b', 'c', 'd'],
      rows: [['x', 1.5, true, null]],
      truncated: true,
      delimiter: ',',
      encoding: 'utf-8',
      quote: null,
      detected: { timestamp: null, target: 'b', itemId: null, frequency: null }
    }
    const stop = worker.serveQuickPreview(async (asked) =>
      asked.maxRows === 2 ? { v, ok: true, preview } : { v, ok: false, busy: true }
    )
    await until('the subscription', () => api.quickPreview(request, 500).catch(() => undefined))
    t.same(await api.quickPreview(request, 2000), { v, ok: true, preview })
    stop()
  })

  await t.test('a profile travels whole, with what was not found', async (t) => {
    const request: QuickProfileRequest = {
      v,
      input: { key: 'acme/obj_a/input', format: 'csv', bytes: 10, compression: 'gzip' },
      columns: { target: 'y' },
      limits: testLimits
    }
    await t.rejects(api.quickProfile(request, 500), code('unavailable'))
    const profile: DataProfile = {
      columns: [{
        name: 'y',
        kind: 'number',
        nulls: 1,
        distinct: 2,
        values: ['1', '2'],
        min: 1,
        max: 2,
        isStatic: false,
        isKnownAhead: false
      }],
      roles: { timestamp: null, target: 'y', itemId: null, otherTargets: [], otherTimestamps: [] },
      series: null,
      unreadable: 'No column holds times.'
    }
    const stop = worker.serveQuickProfile(async (asked) =>
      asked.columns?.target === 'y' ? { v, ok: true, profile, intent: null } : { v, ok: false, busy: true }
    )
    await until('the subscription', () => api.quickProfile(request, 500).catch(() => undefined))
    t.same(await api.quickProfile(request, 2000), { v, ok: true, profile, intent: null })
    stop()
  })

  await t.test('garbage on a core subject is refused and what follows is read', async (t) => {
    const raw = await connect({ servers: nats.server.url, token: nats.server.token })
    t.teardown(() => raw.close())
    const stop = api.serveClaims(async () => ({ v, go: true, attempt: 7 }))
    for (const bytes of [Uint8Array.of(0xff), encode([1]), encode({ v: 99 }), encode({ v })]) {
      raw.publish('claim.job_a', bytes)
    }
    await raw.flush()
    t.match(await until('the answer', () => worker.claim(request, 2000)), { attempt: 7 })
    stop()
  })
})

await t.test('events', async (t) => {
  const nats = await setup()
  t.teardown(nats.cleanup)
  const api = await nats.connect('api')
  const worker = await nats.connect('worker')
  await api.ensureStreams(testStreams)

  await t.test('are drained up to a sequence, each once, and come again when the handler rejects', async (t) => {
    for (let n = 0; n < 20; n++) await worker.publishEvent(testEvent(`job_${n}`, 'r1'))
    await worker.publishEvent(testEvent('job_0', 'r1'))
    const last = await api.eventsLastSequence()
    t.equal(last, 20)
    const seen: string[] = []
    let rejected = 0
    const stop = api.consumeEvents(async (events) => {
      if (rejected++ === 0) throw new Error('disk full')
      seen.push(...events.map((event) => event.jobId))
      return []
    })
    await api.drainEventsTo(last)
    t.same(seen.sort(), Array.from({ length: 20 }, (_, n) => `job_${n}`).sort())
    stop()
    await sleep(100)
    await worker.publishEvent(testEvent('job_late', 'r1'))
    t.notOk(seen.includes('job_late'))
  })

  await t.test('a full stream refuses with full', async (t) => {
    await api.ensureStreams({ ...testStreams, maxEventBytes: 1 })
    await t.rejects(worker.publishEvent(testEvent('job_full', 'r1')), code('full'))
    await api.ensureStreams(testStreams)
  })

  await t.test('go on after the server was killed', async (t) => {
    const seen = new Set<string>()
    api.consumeEvents(async (events) => {
      for (const event of events) seen.add(event.jobId)
      return []
    })
    await until('job_late', () => seen.has('job_late'))
    nats.kill()
    await until('the event is stored',
      () => worker.publishEvent(testEvent('job_after', 'r1')).then(() => true, () => undefined))
    await until('the event is handled', () => seen.has('job_after'))
  })
})

await t.test('rebuilt streams have another creation time, and readers find them again', async (t) => {
  const nats = await setup()
  t.teardown(nats.cleanup)
  const api = await nats.connect('api')
  const worker = await nats.connect('worker')
  const { jobsCreated } = await api.ensureStreams(testStreams)
  const seen: string[] = []
  api.consumeEvents(async (events) => {
    seen.push(...events.map((event) => event.jobId))
    return []
  })
  await worker.publishEvent(testEvent('job_before', 'r1'))
  await until('the first event', () => seen.includes('job_before'))
  t.equal(await worker.nextJob('small', 1000), undefined)

  const raw = await connect({ servers: nats.server.url, token: nats.server.token })
  const manager = await raw.jetstreamManager()
  await manager.streams.delete('JOBS')
  await manager.streams.delete('EVENTS')
  await raw.close()
  await t.rejects(api.publishJob('small', testJob('job_nowhere')), code('unavailable'))
  await t.rejects(worker.publishEvent(testEvent('job_nowhere', 'r1')), code('unavailable'))
  await t.rejects(worker.nextJob('small', 1000), code('unavailable'))

  t.not((await api.ensureStreams(testStreams)).jobsCreated, jobsCreated)
  await api.publishJob('small', testJob('job_again'))
  t.match(await worker.nextJob('small', 1000), { message: { jobId: 'job_again' } })
  await worker.publishEvent(testEvent('job_after', 'r1'))
  await until('the event in the new stream', () => seen.includes('job_after'))
})

await t.test('a thousand workers wait for messages at once', async (t) => {
  const nats = await setup()
  t.teardown(nats.cleanup)
  const api = await nats.connect('api')
  await api.ensureStreams(testStreams)
  await api.ensureStreams(testStreams)
  const raw = await connect({ servers: nats.server.url, token: nats.server.token })
  const [inbox, codes] = [createInbox(), new Map<number | undefined, number>()]
  raw.subscribe(`${inbox}.*`, {
    callback: (_err, { headers }) => codes.set(headers?.code, (codes.get(headers?.code) ?? 0) + 1)
  })
  const pull = JSON.stringify({ batch: 1, expires: 1e9 })
  for (let worker = 0; worker < 1_000; worker++) {
    raw.publish('$JS.API.CONSUMER.MSG.NEXT.JOBS.small', pull, { reply: `${inbox}.${worker}` })
  }
  await until('the ends of all pulls', () => [...codes.values()].reduce((sum, count) => sum + count, 0) === 1_000)
  await raw.close()
  t.strictSame([...codes], [[408, 1_000]], 'their time is over, and none is refused')
})

await t.test('a client', async (t) => {
  await t.test('without a server refuses at once, subscribes when it comes, and can be closed', async (t) => {
    const lonely = connectQueue({ url: 'nats://127.0.0.1:1', token: '', name: 'lonely', log: silentLog })
    t.equal(lonely.connected, false)
    await t.rejects(lonely.publishJob('small', testJob('job_a')), code('unavailable'))
    await t.rejects(lonely.nextJob('small', 1000), code('unavailable'))
    await t.rejects(lonely.ready(100), code('unavailable'))
    await lonely.close()
  })

  await t.test('with a wrong token is not let in', async (t) => {
    const nats = await setup()
    t.teardown(nats.cleanup)
    const stranger = connectQueue({ url: nats.server.url, token: 'wrong', name: 'stranger', log: silentLog })
    await t.rejects(stranger.ready(600), code('unavailable'))
    await stranger.close()
  })

  await t.test('of a comma list takes a server that is there', async (t) => {
    const nats = await setup()
    t.teardown(nats.cleanup)
    const queue = connectQueue({
      url: `nats://127.0.0.1:1,${nats.server.url}`,
      token: nats.server.token,
      name: 'cluster',
      log: silentLog
    })
    t.teardown(() => queue.close())
    await queue.ready(10_000)
    await queue.ensureStreams(testStreams)
    t.equal(queue.connected, true)
  })

  await t.test('told to use TLS does not speak with a server without it', async (t) => {
    const nats = await setup()
    t.teardown(nats.cleanup)
    const reasons: string[] = []
    const warn = (fields: object): void => {
      reasons.push(JSON.stringify(fields))
    }
    const queue = connectQueue({
      url: nats.server.url.replace('nats:', 'tls:'),
      token: nats.server.token,
      name: 'careful',
      log: { ...silentLog, warn }
    })
    await t.rejects(queue.ready(1500), code('unavailable'))
    await queue.close()
    t.match(reasons, [/tls/i])
  })

  await t.test('keeps subscriptions, pulls and stored jobs through a killed server', async (t) => {
    const nats = await setup()
    t.teardown(nats.cleanup)
    const api = await nats.connect('api')
    const worker = await nats.connect('worker')
    const changes: boolean[] = []
    api.onConnection((connected) => changes.push(connected))
    const { jobsCreated } = await api.ensureStreams(testStreams)
    api.serveClaims(async () => ({ v, go: true, attempt: 3 }))
    await api.publishJob('small', testJob('job_stored'))
    nats.kill()
    await until('the client notices', () => changes.includes(false))
    await t.rejects(api.publishJob('small', testJob('job_away')), code('unavailable'))
    await until('both are back', () => api.connected && worker.connected)
    t.equal((await ensured(api)).jobsCreated, jobsCreated)
    const job = await until('the stored job', () => worker.nextJob('small', 2000).catch(() => undefined))
    t.equal(job.message.jobId, 'job_stored')
    job.ack()
    t.match(await worker.claim({ v, jobId: 'job_a', tenant: 'acme', dispatch: 1, workerId: 'w1', run: 'r1' }, 2000), {
      attempt: 3
    })
  })
})

/** JetStream answers a little later than the server takes connections. */
async function ensured (api: Queue) {
  return await until('JetStream', () => api.ensureStreams(testStreams).catch(() => undefined))
}
