import { join } from 'node:path'
import t, { type Test } from 'tap'
import { renderAuditText } from '../../../src/api/render-connection.ts'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { AuditLog, auditTables } from '../../../src/services/audit/audit-log.ts'
import { AuditTrail, type AuditEvent, type AuditRecord } from '../../../src/services/connections/audit-trail.ts'
import { connectionTables } from '../../../src/services/connections/tables.ts'

const event: AuditEvent = {
  action: 'read',
  outcome: 'success',
  keyId: 'AbCd1234',
  requestId: 'req_1',
  objectUri: 's3://data/in/',
  bytes: 5,
  rows: 2
}

async function openTrail (t: Test) {
  const metadata = await openMetadata({
    path: join(t.testdir({}), 'metadata'),
    tables: [...connectionTables, ...auditTables]
  })
  t.teardown(() => metadata.close())
  const clock = { ms: Date.UTC(2026, 0, 1) }
  return {
    metadata,
    trail: new AuditTrail(metadata, () => clock.ms++),
    clock,
    records: metadata.table<string>('connectionAudit')
  }
}

t.test('records are chained, and each alteration of them is found', async (t) => {
  const { metadata, trail, records } = await openTrail(t)
  for (let index = 0; index < 20; index++) await trail.add('acme', 'conn_1', { ...event, bytes: index })
  await trail.add('acme', 'conn_2', event)
  t.strictSame(trail.verify('acme', 'conn_1'), { ok: true, records: 20 })
  t.strictSame(trail.verify('acme', 'conn_3'), { ok: true, records: 0 })
  const inShort = new AuditLog(metadata)
  t.strictSame(inShort.verify('acme'), { ok: true, records: 21 }, 'and all of them in the chain of the tenant')
  t.match(inShort.page('acme', 1, null).records, [{
    ...trail.page('acme', 'conn_2', 1, null).records.map(({ auditId, atMs }) => ({ auditId, atMs }))[0],
    action: 'connection.read',
    target: 'conn_2'
  }])
  const original = JSON.parse(records.get(['acme', 'conn_1', 7])?.value ?? '') as AuditRecord
  const change = async (sequence: number, value: AuditRecord | undefined) =>
    await metadata.transact((tx) => {
      if (value === undefined) tx.delete(records, ['acme', 'conn_1', sequence])
      else tx.put(records, ['acme', 'conn_1', sequence], JSON.stringify(value))
    })
  for (const altered of [{ ...original, bytes: 8 }, { ...original, keyId: 'someone0' }, {
    ...original,
    atMs: original.atMs + 1
  }, undefined]) {
    await change(7, altered)
    const verdict = trail.verify('acme', 'conn_1')
    t.equal(verdict.ok, false)
    t.ok(!verdict.ok && [7, 8].includes(verdict.at), 'where it is, or right behind it')
    await change(7, original)
    t.equal(trail.verify('acme', 'conn_1').ok, true)
  }
  const [first, last] = [0, 19].map((sequence) =>
    JSON.parse(records.get(['acme', 'conn_1', sequence])?.value ?? '') as AuditRecord
  )
  await change(0, undefined)
  t.equal(trail.verify('acme', 'conn_1').ok, false, 'cut at its beginning')
  await change(0, first)
  await change(19, undefined)
  t.equal(trail.verify('acme', 'conn_1').ok, false, 'cut at its end')
  await change(19, { ...last as AuditRecord, outcome: 'failure' })
  t.equal(trail.verify('acme', 'conn_1').ok, false, 'the last record has no follower that names it')
  t.equal(trail.verify('acme', 'conn_2').ok, true)
})

t.test('a record is written with the change that it describes, or not at all', async (t) => {
  const { metadata, trail } = await openTrail(t)
  await t.rejects(metadata.transact((tx) => {
    trail.append(tx, 'acme', 'conn_1', event)
    throw new Error('the change fails')
  }), /the change fails/)
  t.equal(trail.has('acme', 'conn_1'), false)
  t.strictSame(trail.page('acme', 'conn_1', 10, null), { records: [], next: null })
})

t.test('pages of a long trail are whole and in order, whatever others write meanwhile', async (t) => {
  const { metadata, trail } = await openTrail(t)
  const count = 10_000
  for (let from = 0; from < count; from += 1000) {
    await metadata.transact((tx) => {
      for (let index = from; index < from + 1000; index++) {
        trail.append(tx, 'acme', 'conn_1', { ...event, bytes: index })
      }
    })
  }
  const seen: number[] = []
  let before: number | null = null
  do {
    const { records, next } = trail.page('acme', 'conn_1', 1000, before)
    seen.push(...records.map(({ bytes }) => bytes as number))
    before = next
    await trail.add('acme', 'conn_1', { ...event, bytes: -1 })
  } while (before !== null)
  t.strictSame(seen, Array.from({ length: count }, (_one, index) => count - 1 - index))
  t.equal(
    (JSON.parse(renderAuditText('conn_1', trail.page('acme', 'conn_1', 1000, null).records, null)) as {
      records: unknown[]
    }).records.length,
    1000
  )
  t.equal(trail.verify('acme', 'conn_1').ok, true)
})

t.test('what is older than its time goes, and the rest still verifies', async (t) => {
  const { metadata, trail, clock } = await openTrail(t)
  await metadata.transact((tx) => {
    for (let index = 0; index < 2500; index++) trail.append(tx, 'acme', 'conn_1', event)
    trail.append(tx, 'acme', 'conn_2', event)
  })
  const cutMs = clock.ms
  for (let index = 0; index < 3; index++) await trail.add('acme', 'conn_1', event)
  await trail.sweep(cutMs, () => false)
  t.strictSame(trail.verify('acme', 'conn_1'), { ok: true, records: 3 })
  t.strictSame(trail.page('acme', 'conn_1', 2, null).records.length, 2)
  t.equal(trail.page('acme', 'conn_1', 3, null).next, null)
  t.equal(trail.has('acme', 'conn_2'), false, 'nothing is left of a connection that is gone')
  await trail.sweep(clock.ms, (_tenant, connectionId) => connectionId === 'conn_1')
  t.strictSame(trail.verify('acme', 'conn_1'), { ok: true, records: 0 })
  await trail.add('acme', 'conn_1', event)
  t.strictSame(trail.verify('acme', 'conn_1'), { ok: true, records: 1 }, 'the chain of a connection that lives goes on')
})

t.test('the records of a tenant have a bound, in its log and in the trails of its connections, and both are verified ' +
  'from the oldest kept one', async (t) => {
  const { metadata } = await openTrail(t)
  const maxRecords = 30
  const log = new AuditLog(metadata, { maxRecords })
  const trail = new AuditTrail(metadata, Date.now, log)
  const records = metadata.table<string>('connectionAudit')
  // A connection that is made, used and deleted in a loop has a chain each time.
  for (let turn = 0; turn < 40; turn++) {
    for (const action of ['create', 'test', 'delete'] as const) {
      await trail.add('acme', `conn_${turn}`, { ...event, action })
    }
  }
  await trail.add('beta', 'conn_b', event)
  t.equal(records.count({ prefix: ['acme'] }), maxRecords)
  t.equal(metadata.table('audit').count({ prefix: ['acme'] }), maxRecords)
  t.strictSame(log.verify('acme'), { ok: true, records: maxRecords })
  t.strictSame(
    log.page('acme', 100, null).records.map(({ target }) => target).filter((target, at, all) =>
      all.indexOf(target) === at
    ),
    Array.from({ length: 10 }, (_one, index) => `conn_${39 - index}`)
  )
  t.strictSame(log.full(), ['acme'])
  t.match(trail.verify('acme', 'conn_39'), { ok: true, records: 3 })
  t.match(trail.verify('beta', 'conn_b'), { ok: true, records: 1 }, 'another tenant keeps its own')

  await trail.add('acme', 'conn_39', event)
  const [oldest] = log.page('acme', 100, null).records.slice(-1)
  t.match(oldest, { target: 'conn_30', action: 'connection.test', prevHash: /^[0-9a-f]{64}$/ })
  t.match(trail.verify('acme', 'conn_30'), { ok: true, records: 2 })
  t.match(trail.page('acme', 'conn_30', 10, null).records.at(-1), {
    action: 'test',
    auditId: oldest?.auditId,
    prevHash: /^[0-9a-f]{64}$/
  })
  await metadata.transact((tx) => tx.delete(metadata.table('audit'), ['acme', 91]))
  t.match(log.verify('acme'), { ok: false, at: 91 }, 'cut at its oldest kept record')

  t.equal(metadata.table('connectionAuditHeads').count({ prefix: ['acme'] }), 40)
  await trail.sweep(0, () => false)
  t.equal(metadata.table('connectionAuditHeads').count({ prefix: ['acme'] }), 10,
    'chains of which nothing is left go with their connection')
})

t.test('a log that was longer than its bound grows shorter with each record', async (t) => {
  const { metadata } = await openTrail(t)
  const before = new AuditTrail(metadata)
  for (let turn = 0; turn < 100; turn++) await before.add('acme', 'conn_1', event)
  const log = new AuditLog(metadata, { maxRecords: 10 })
  const trail = new AuditTrail(metadata, Date.now, log)
  for (let turn = 0; turn < 25; turn++) await trail.add('acme', 'conn_1', event)
  t.strictSame(log.verify('acme'), { ok: true, records: 10 })
  t.strictSame(trail.verify('acme', 'conn_1'), { ok: true, records: 10 })
})

t.test('the sweep goes through more chains than one page', async (t) => {
  const { metadata, trail, clock } = await openTrail(t)
  await metadata.transact((tx) => {
    for (let at = 0; at < 450; at++) trail.append(tx, 'acme', `conn_${at}`, event)
  })
  await trail.sweep(clock.ms, () => false)
  for (const name of ['connectionAudit', 'connectionAuditHeads']) t.equal(metadata.table(name).count(), 0, name)
})
