import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { ulid } from 'ulid'
import type { ErrorCode } from '../../../src/domain/error-codes.ts'
import { loadConfig } from '../../../src/platform/config.ts'
import { TabcastError } from '../../../src/platform/errors.ts'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { objectOwnerOf, ownerOf, storedObjectKey } from '../../../src/platform/store/keys.ts'
import { openStore } from '../../../src/platform/store/open-store.ts'
import type { JobFollower } from '../../../src/services/jobs/job-ledger.ts'
import { createObjectService } from '../../../src/services/objects/create-object-service.ts'
import { failedKeptMs, ObjectLedger, uploadGraceMs } from '../../../src/services/objects/object-ledger.ts'
import type { StoredObject } from '../../../src/services/objects/object-record.ts'
import { objectTables } from '../../../src/services/objects/tables.ts'
import { CpuBudgets } from '../../../src/services/quotas/cpu-budgets.ts'

type FollowedJob = Parameters<NonNullable<JobFollower['created']>>[1]

const tenant = 'acme'
const verified = { verify: true, expectedFileSize: null }
const unseen = { verify: false, expectedFileSize: null }

/** Record and store with a clock that the test moves; sweeps only run when they are called. */
async function openStage (t: Test, settings: Record<string, string> = {}) {
  const folder = t.testdir()
  const log = pino({ level: 'silent' })
  const config = loadConfig({ TABCAST_DATA_DIR: folder, TABCAST_SWEEP_MS: '3600000', ...settings })
  const store = await openStore({ driver: 'local', root: join(folder, 'objects'), signingSecret: Buffer.alloc(32, 7) })
  const clock = { nowMs: Date.parse('2026-01-31T23:59:59.500Z') }
  const open = async () => {
    const metadata = await openMetadata({ path: join(folder, 'metadata'), tables: objectTables })
    const ledger = new ObjectLedger(metadata, () => clock.nowMs, undefined, config.MAX_OBJECTS_PER_TENANT)
    const queue = undefined as never
    const objects = createObjectService({
      config,
      ledger,
      store,
      queue,
      takeTurn: async (_tenant, _bytes, read) => await read(),
      budgets: new CpuBudgets({ perMinuteMs: Infinity }),
      log
    })
    return { metadata, ledger, objects }
  }
  const stage = {
    get nowMs () {
      return clock.nowMs
    },
    set nowMs (ms) {
      clock.nowMs = ms
    },
    store,
    ...await open(),
    async restart () {
      await stage.objects.stop()
      await stage.metadata.close()
      Object.assign(stage, await open())
    },
    async presign (fileSize: number | null = null): Promise<StoredObject> {
      const { record } = await stage.objects.presign(tenant, {
        keyId: 'k',
        filename: 'a.csv',
        contentType: 'text/csv',
        fileSize,
        category: 'tmp',
        baseUrl: ''
      })
      return record
    },
    async upload (record: StoredObject, text = 'abc'): Promise<void> {
      const path = join(folder, ulid())
      await writeFile(path, text)
      const upload = await stage.objects.beginUpload(record.key, Buffer.byteLength(text))
      try {
        await upload.take(path, Buffer.byteLength(text))
      } finally {
        upload.end()
      }
    },
    isStored: async ({ key }: StoredObject) => await store.stat(key) !== undefined,
    statusOf: ({ objectId }: StoredObject) => stage.ledger.get(tenant, objectId)?.status,
    /** What is left of index entries. */
    entries: (table: string) => stage.metadata.table(table).count(),
    /** As the job ledger calls it. */
    async follow (event: 'created' | 'ended' | 'buried', record: StoredObject, jobId: string): Promise<void> {
      const job = { tenant, jobId, input: { objectId: record.objectId, key: record.key } } as FollowedJob
      await stage.metadata.transact((tx) => {
        stage.ledger.follower[event]?.(tx, job)
      })
    }
  }
  t.teardown(async () => {
    await stage.objects.stop()
    await stage.metadata.close()
  })
  return stage
}

async function refused (t: Test, work: Promise<unknown>, code: ErrorCode, status: number): Promise<void> {
  try {
    await work
    t.fail(`not refused with ${code}`)
  } catch (error) {
    t.type(error, TabcastError, String(error))
    t.match(error, { code, status })
  }
}

t.test('keys of stored objects and of jobs are told apart, whatever a tenant is called', (t) => {
  const object = {
    category: 'raw',
    tenant: 'raw',
    objectId: 'obj_01M7YNBDWT1F4CHDZAC9JCRGFD',
    createdAtMs: Date.parse('2026-01-31T23:59:59.999Z'),
    filename: 'a.csv'
  }
  t.equal(storedObjectKey(object), 'raw/raw/2026/01/obj_01M7YNBDWT1F4CHDZAC9JCRGFD/a.csv')
  t.strictSame(objectOwnerOf(storedObjectKey(object)), { tenant: 'raw', objectId: object.objectId })
  for (const key of ['raw/job_01M7YNBDWT1F4CHDZAC9JCRGFD/input', 'raw/job_1/run/forecast.csv',
    'acme/raw/2026/01/obj_1/a.csv', 'raw/acme/2026/01/obj_1', 'raw/acme/2026/01/obj_1/a/b', '']) {
    t.equal(objectOwnerOf(key), undefined, key)
  }
  t.not(ownerOf(storedObjectKey(object)).jobId, object.objectId)
  t.end()
})

t.test('an upload that never came fails when its time is over, and so does one that was never completed', async (t) => {
  const stage = await openStage(t)
  const [unused, sent, completed] = [await stage.presign(), await stage.presign(), await stage.presign()]
  for (const record of [sent, completed]) await stage.upload(record)
  t.match(await stage.objects.complete(tenant, completed.objectId, verified), { status: 'uploaded', fileSize: 3 })
  stage.nowMs = unused.presignExpiresAtMs + uploadGraceMs - 1
  await stage.objects.sweep()
  t.strictSame([unused, sent, completed].map(stage.statusOf), ['presigned', 'presigned', 'uploaded'],
    'an upload that began in time may still go on')
  stage.nowMs += 2
  await stage.restart()
  await stage.objects.sweep()
  t.strictSame([unused, sent, completed].map(stage.statusOf), ['failed', 'failed', 'uploaded'],
    'a restart loses nothing')
  t.strictSame(await Promise.all([unused, sent, completed].map(stage.isStored)), [false, false, true])
  await refused(t, stage.objects.complete(tenant, sent.objectId, verified), 'object_not_ready', 409)
  await refused(t, stage.upload(sent), 'object_not_ready', 409)
})

t.test('an upload that failed is forgotten after a day, as is one that was found to be another file', async (t) => {
  const stage = await openStage(t)
  const [unused, wrong, deleted] = [await stage.presign(), await stage.presign(2), await stage.presign()]
  await stage.upload(wrong, 'abc')
  await refused(t, stage.objects.complete(tenant, wrong.objectId, verified), 'validation_error', 400)
  t.equal(stage.statusOf(wrong), 'failed')
  stage.nowMs = unused.presignExpiresAtMs + uploadGraceMs
  await stage.objects.sweep()
  await stage.objects.delete(tenant, deleted.objectId)
  stage.nowMs += failedKeptMs - 1
  await stage.objects.sweep()
  t.strictSame([unused, wrong, deleted].map(stage.statusOf), ['failed', 'failed', undefined],
    'until then its owner sees what became of it')
  stage.nowMs += 1
  await stage.objects.sweep()
  for (const table of ['objects', 'objectUploads', 'objectSweeps']) t.equal(stage.entries(table), 0, table)
  t.strictSame(stage.metadata.table('objectTotals').get([tenant])?.value, { objects: 0 })
  await refused(t, stage.objects.complete(tenant, unused.objectId, verified), 'not_found', 404)
})

t.test('objects of a tenant are counted: what it presigns and deletes in a loop too, until nothing is left of it', async (t) => {
  const stage = await openStage(t, { TABCAST_MAX_OBJECTS_PER_TENANT: '30' })
  const kept = await stage.presign()
  await stage.upload(kept)
  await stage.objects.complete(tenant, kept.objectId, verified)
  const inLoop = async () => {
    for (;;) await stage.objects.delete(tenant, (await stage.presign()).objectId)
  }
  await refused(t, inLoop(), 'validation_error', 400)
  t.equal(stage.entries('objects'), 1)
  t.ok(stage.entries('objectSweeps') <= 3 * 30)
  await stage.restart()
  await refused(t, inLoop(), 'validation_error', 400)
  const { record } = await stage.objects.presign('beta', {
    keyId: 'k',
    filename: 'a.csv',
    contentType: 'text/csv',
    fileSize: null,
    category: 'tmp',
    baseUrl: ''
  })
  t.equal(record.status, 'presigned', 'another tenant has its own')
  stage.nowMs = kept.presignExpiresAtMs + failedKeptMs + uploadGraceMs
  await stage.objects.sweep()
  t.strictSame([stage.entries('objects'), stage.entries('objectSweeps'), stage.entries('objectUploads')], [2, 0, 1],
    'the one that is kept, and the one of the other tenant, which has failed')
  for (let at = 1; at < 30; at++) await stage.presign()
  await refused(t, stage.presign(), 'validation_error', 400)
})

t.test('objects from before they were counted count too', async (t) => {
  const stage = await openStage(t, { TABCAST_MAX_OBJECTS_PER_TENANT: '3' })
  const [first] = [await stage.presign(), await stage.presign()]
  await stage.metadata.transact((tx) => tx.delete(stage.metadata.table('objectTotals'), [tenant]))
  await stage.objects.delete(tenant, first.objectId)
  await stage.presign()
  await refused(t, stage.presign(), 'validation_error', 400)
})

t.test('sweeps that are due go in one run, however many there are', async (t) => {
  const stage = await openStage(t)
  await stage.metadata.transact((tx) => {
    for (let at = 0; at < 1100; at++) {
      stage.ledger.bytes.schedule(tx, stage.nowMs - 1, `tmp/acme/2026/01/obj_${at}/a.csv`, `obj_${at}`)
    }
  })
  await stage.objects.sweep()
  t.equal(stage.entries('objectSweeps'), 0)
})

t.test('an upload that is called complete once more without being looked at changes nothing', async (t) => {
  const stage = await openStage(t)
  const record = await stage.presign()
  let changes = 0
  for (let turn = 0; turn < 5; turn++) {
    await stage.objects.complete(tenant, record.objectId, unseen, () => {
      changes++
    })
  }
  t.equal(changes, 1)
})

t.test('an upload that comes after its object was given up or deleted does not stay', async (t) => {
  const stage = await openStage(t)
  const [failed, deleted] = [await stage.presign(9), await stage.presign()]
  await stage.upload(failed)
  await refused(t, stage.objects.complete(tenant, failed.objectId, verified), 'validation_error', 400)
  await stage.objects.delete(tenant, deleted.objectId)
  t.notOk(await stage.isStored(failed))
  for (const seconds of [30, 120, 90_000]) {
    // A store of its own takes what has a signature, and knows nothing of the record.
    for (const record of [failed, deleted]) await stage.store.putBytes(record.key, Buffer.from('late'))
    stage.nowMs = failed.presignExpiresAtMs + seconds * 1000
    await stage.objects.sweep()
    t.strictSame(await Promise.all([failed, deleted].map(stage.isStored)), [false, false],
      `${seconds} s after the address expired`)
  }
  t.equal(stage.entries('objectSweeps'), 0, 'then nothing is left to do')
  await refused(t, stage.upload(deleted), 'not_found', 404)
})

t.test('two completes give one object', async (t) => {
  const stage = await openStage(t)
  const record = await stage.presign()
  await stage.upload(record)
  const [one, two] = await Promise.all([stage.objects.complete(tenant, record.objectId, verified),
    stage.objects.complete(tenant, record.objectId, verified)])
  t.strictSame(one, two)
  const other = await stage.presign()
  await stage.upload(other)
  const mixed = await Promise.allSettled([
    stage.objects.complete(tenant, other.objectId, verified),
    stage.objects.complete(tenant, other.objectId, { verify: true, expectedFileSize: 4 })
  ])
  const isUploaded = stage.statusOf(other) === 'uploaded'
  t.equal(mixed[1].status, 'rejected', 'who expects something else is told so')
  t.equal(mixed[0].status, isUploaded ? 'fulfilled' : 'rejected', 'and nobody is told what is not so')
  t.equal(await stage.isStored(other), isUploaded)
})

t.test('whichever of complete, deletion and the end of the upload comes first decides', async (t) => {
  const stage = await openStage(t)
  for (let round = 0; round < 20; round++) {
    const record = await stage.presign()
    await stage.upload(record)
    stage.nowMs = record.presignExpiresAtMs + uploadGraceMs + 1
    const [completed] = await Promise.allSettled([
      stage.objects.complete(tenant, record.objectId, round % 2 === 0 ? verified : unseen),
      stage.objects.sweep()
    ])
    await stage.objects.sweep()
    t.equal(stage.statusOf(record), completed.status === 'fulfilled' ? 'uploaded' : 'failed')
    t.equal(await stage.isStored(record), completed.status === 'fulfilled',
      'an uploaded object keeps its bytes, a failed one has none')

    const doomed = await stage.presign()
    const sent = stage.upload(doomed)
    const [, deleted] = await Promise.allSettled([sent, stage.objects.delete(tenant, doomed.objectId)])
    t.equal(deleted.status, 'fulfilled')
    await stage.objects.sweep()
    t.notOk(await stage.isStored(doomed), 'a deletion during the upload wins')
  }
})

t.test('bytes that jobs read stay until the last of them has ended', async (t) => {
  const stage = await openStage(t)
  const record = await stage.presign()
  await refused(t, stage.follow('created', record, 'job_1'), 'object_not_ready', 409)
  await stage.upload(record)
  await stage.objects.complete(tenant, record.objectId, verified)
  for (const jobId of ['job_1', 'job_2']) await stage.follow('created', record, jobId)
  await stage.objects.delete(tenant, record.objectId)
  await refused(t, stage.follow('created', record, 'job_3'), 'not_found', 404)
  const sweepAt = async (ms: number) => {
    stage.nowMs = ms
    await stage.objects.sweep()
    return await stage.isStored(record)
  }
  t.ok(await sweepAt(stage.nowMs))
  t.ok(await sweepAt(record.presignExpiresAtMs + 90_000_000), 'also when the sweeps of its address are due')
  await stage.follow('ended', record, 'job_1')
  t.ok(await sweepAt(stage.nowMs))
  await stage.restart()
  await stage.follow('buried', record, 'job_2')
  await stage.follow('buried', record, 'job_1')
  t.notOk(await sweepAt(stage.nowMs))
  t.strictSame(['objects', 'objectUses', 'objectUploads', 'objectSweeps'].map(stage.entries), [0, 0, 0, 0])
})

t.test('a store that is away leaves everything due', async (t) => {
  const stage = await openStage(t)
  const record = await stage.presign()
  await stage.upload(record)
  await stage.objects.complete(tenant, record.objectId, verified)
  const deleteKey = stage.store.deleteKey.bind(stage.store)
  stage.store.deleteKey = async () => {
    throw new Error('away')
  }
  await stage.objects.delete(tenant, record.objectId)
  t.throws(() => stage.objects.get(tenant, record.objectId), { code: 'not_found' })
  await t.rejects(stage.objects.sweep())
  t.ok(await stage.isStored(record))
  stage.store.deleteKey = deleteKey
  await stage.objects.sweep()
  t.notOk(await stage.isStored(record))
})

t.test('a service that is not told the truth by its clients', async (t) => {
  const stage = await openStage(t)
  const late = await stage.presign()
  await stage.objects.complete(tenant, late.objectId, unseen)
  await refused(t, stage.objects.asInput(tenant, late.objectId), 'object_not_ready', 409)
  stage.nowMs = late.presignExpiresAtMs + uploadGraceMs
  await refused(t, stage.objects.asInput(tenant, late.objectId), 'object_not_ready', 409)
  t.equal(stage.statusOf(late), 'failed', 'completed unseen, and nothing ever came')
  const huge = await stage.presign()
  await refused(t, stage.objects.complete(tenant, huge.objectId, { verify: false, expectedFileSize: 2 ** 43 }),
    'file_too_large', 413)
  t.equal(stage.statusOf(huge), 'presigned')
})
