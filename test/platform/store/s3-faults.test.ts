import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ObjectStore } from '../../../src/platform/store/object-store.ts'
import { openStore } from '../../../src/platform/store/open-store.ts'
import type { StoreErrorCode } from '../../../src/platform/store/store-error.ts'
import { startFaultProxy, type Fault, type FaultProxy } from '../../support/fault-proxy.ts'
import { seededRandom } from '../../support/random.ts'
import { s3StoreConfig, startS3, whyNoS3, type TestS3 } from '../../support/s3.ts'
import { keysOf, refused } from './conformance.ts'
import { contentOf, versionOf } from './content.ts'

const MiB = 1024 * 1024

t.test('faults between the store and its server', { skip: whyNoS3('minio') }, async (t) => {
  const server = await startS3(t)
  const proxy = await startFaultProxy(t, server.endpoint)
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  let buckets = 0
  // A timeout that a busy machine can reach would make requests of its own: it is short only where it is what is
  // tested.
  const open = async (timeoutMs = 30_000): Promise<ObjectStore> => {
    const name = `faults-${++buckets}`
    await server.createBucket(name)
    proxy.heal()
    return await openStore(s3StoreConfig(server, name, { endpoint: proxy.endpoint, timeoutMs }))
  }

  await t.test('each operation is unavailable while the server is away, answers 503, resets or says nothing, and ' +
    'works afterwards', async (t) => {
    const store = await open(1_500)
    const faults: Fault[] = [{ kind: 'status', status: 503 }, { kind: 'status', status: 500 }, { kind: 'reset' }, {
      kind: 'silent'
    }, { kind: 'slow', delayMs: 5_000 }]
    for (const fault of faults) {
      await everyOperation(t, store, fault.kind, 'unavailable', () => proxy.inject(fault), () => proxy.heal())
    }
    await everyOperation(t, store, 'server stopped', 'unavailable', () => server.stop(), () => server.restart())
    await everyOperation(t, store, 'wrong rights', 'unavailable',
      () => proxy.inject({ kind: 'status', status: 403, code: 'AccessDenied' }), () => proxy.heal())
  })

  await t.test('a full store is told apart, and a write that is refused leaves nothing', async (t) => {
    const store = await open()
    for (const [status, code] of [[507, 'XMinioStorageFull'], [403, 'QuotaExceeded'], [507,
      'InsufficientStorage']] as const) {
      proxy.inject({ kind: 'status', status, code }, ({ method }) => method === 'PUT' || method === 'POST')
      await refused(t, 'no_space', store.putBytes('t/full', Buffer.from('x')), code)
      await refused(t, 'no_space', store.probe(), code)
      proxy.heal()
      t.same(await keysOf(store, ''), [])
    }
  })

  await t.test('an answer that breaks off is never taken for the object', async (t) => {
    const store = await open()
    const folder = t.testdir({})
    await store.putBytes('t/object', Buffer.alloc(MiB, 7))
    proxy.inject({ kind: 'truncate', bytes: 300_000 }, ({ method }) => method === 'GET')
    await refused(t, 'unavailable', store.getBytes('t/object', MiB))
    await refused(t, 'unavailable', store.getToFile('t/object', join(folder, 'copy')))
    t.same(readdirSync(folder), [], 'no part of it is left')
    const { stream } = await store.openRead('t/object')
    let bytes = 0
    await t.rejects((async () => {
      for await (const chunk of stream as AsyncIterable<Buffer>) bytes += chunk.length
    })(), 'the stream ends with an error')
    t.equal(bytes, 300_000)
    // Half a listing must not look like a short one.
    proxy.inject({ kind: 'truncate', bytes: 100 }, ({ method }) => method === 'GET')
    await refused(t, 'unavailable', keysOf(store, ''))
    proxy.heal()
    await store.getToFile('t/object', join(folder, 'copy'))
    t.ok(readFileSync(join(folder, 'copy')).every((byte) => byte === 7))
  })

  await t.test('an answer that is lost does not make a write fail that happened, nor one happen twice', async (t) => {
    const store = await open()
    const folder = t.testdir({ small: 'x' })
    const once = loseFirst(proxy, 'PUT')
    await store.putBytes('t/object', Buffer.from('written'))
    t.equal(once(), 1)
    t.equal(Buffer.from(await store.getBytes('t/object', 100)).toString(), 'written')
    loseFirst(proxy, 'DELETE')
    await store.deleteKey('t/object')
    t.equal(await store.stat('t/object'), undefined)
    // Whether it was stored cannot be known from one answer that is lost: the caller is told that it failed, and not
    // that somebody else was first.
    loseFirst(proxy, 'PUT')
    await refused(t, 'unavailable', store.putFile('t/once', join(folder, 'small'), { ifAbsent: true, move: true }))
    t.ok(existsSync(join(folder, 'small')), 'the file is still there')
  })

  await t.test('with 20 % errors every write that was acknowledged is there, whole', async (t) => {
    const store = await open()
    const random = seededRandom(t)
    const folder = t.testdir({})
    const large = join(folder, 'large')
    const content = Buffer.alloc(40 * MiB)
    for (let offset = 0; offset < content.length; offset += 4) content.writeUInt32LE(offset, offset)
    writeFileSync(large, content)
    proxy.inject({ kind: 'status', status: 500 }, () => random() < 0.2)
    const before = proxy.faults
    const acknowledged = new Set<number>()
    await Promise.all(Array.from({ length: 100 }, async (_, number) => {
      await store.putBytes(`t/many/n${number}`, contentOf(number, 1)).then(() => acknowledged.add(number),
        (error: unknown) => t.match(error, { name: 'StoreError', code: 'unavailable' }))
    }))
    for (const number of acknowledged) {
      const bytes = await persistently(() => store.getBytes(`t/many/n${number}`, MiB))
      if (versionOf(number, bytes) !== 1) t.fail(`object ${number} is not what was written`)
    }
    await persistently(() => store.putFile('t/large', large))
    await persistently(() => store.getToFile('t/large', join(folder, 'back')))
    t.equal(sha256(readFileSync(join(folder, 'back'))), sha256(content))
    t.equal((await persistently(() => keysOf(store, 't/many/'))).length >= acknowledged.size, true)
    t.ok(acknowledged.size >= 90 && proxy.faults > before,
      `${acknowledged.size} of 100 writes were acknowledged; ${proxy.faults - before} requests failed`)
    await persistently(() => store.deletePrefix('t/'))
    proxy.heal()
    t.same(await keysOf(store, ''), [])
  })

  await t.test('parts of an upload that broke off are no object, and are aborted', async (t) => {
    const store = await open()
    const folder = t.testdir({})
    writeFileSync(join(folder, 'large'), Buffer.alloc(40 * MiB))
    proxy.inject({ kind: 'status', status: 503 },
      ({ method, url }) => method === 'PUT' && (url ?? '').includes('partNumber=2'))
    await refused(t, 'unavailable', store.putFile('t/large', join(folder, 'large'), { move: true }))
    proxy.heal()
    t.ok(existsSync(join(folder, 'large')), 'the file is still there')
    t.same(await keysOf(store, ''), [])
    t.equal(proxy.requests.filter((request) => request.startsWith('DELETE') && request.includes('uploadId')).length, 1)
    t.equal(await server.client.findUploadId(`faults-${buckets}`, 't/large'), undefined)
  })

  t.same(unhandled, [], 'no rejection was unhandled')
})

t.test('unfinished uploads and probes of dead writers are swept by age', { skip: whyNoS3('versitygw') }, async (t) => {
  const server: TestS3 = await startS3(t, 'versitygw')
  await server.createBucket('sweeps')
  const store = await openStore(s3StoreConfig(server, 'sweeps'))
  await server.client.initiateNewMultipartUpload('sweeps', 't/j/input', {})
  await server.client.putObject('sweeps', '.probe/left', Buffer.from('probe'))
  t.same(await keysOf(store, ''), [], 'they are not objects')
  t.equal(await store.sweepUnfinished(3_600_000), 0, 'they are too young')
  t.equal(await store.sweepUnfinished(-5_000), 2)
  t.equal(await store.sweepUnfinished(-5_000), 0)
  t.equal(await server.client.findUploadId('sweeps', 't/j/input'), undefined)
})

/** Every operation of a store while something is wrong, and once again when it is not. */
async function everyOperation (t: Test, store: ObjectStore, name: string, code: StoreErrorCode, breakIt: () => unknown,
  mendIt: () => unknown): Promise<void> {
  const folder = t.testdir({ source: 'content' })
  await store.putBytes('t/j/object', Buffer.from('content'))
  const operations: Record<string, () => Promise<unknown>> = {
    stat: () => store.stat('t/j/object'),
    getBytes: () => store.getBytes('t/j/object', 100),
    openRead: async () => {
      ;(await store.openRead('t/j/object')).stream.destroy()
    },
    getToFile: () => store.getToFile('t/j/object', join(folder, 'target')),
    list: () => keysOf(store, ''),
    putBytes: () => store.putBytes('t/j/object', Buffer.from('content')),
    putFile: () => store.putFile('t/j/object', join(folder, 'source')),
    putFolder: () =>
      store.putFolder('t/j/', { path: folder, names: ['source'], last: { name: 'b', bytes: Buffer.from('b') } }),
    probe: () => store.probe(),
    sweepUnfinished: () => store.sweepUnfinished(3_600_000),
    deleteKey: () => store.deleteKey('t/j/other'),
    deletePrefix: () => store.deletePrefix('t/none/')
  }
  await breakIt()
  await Promise.all(
    Object.entries(operations).map(async ([operation, run]) => await refused(t, code, run(), `${name}: ${operation}`))
  )
  t.notOk(existsSync(join(folder, 'target')))
  await mendIt()
  for (const [operation, run] of Object.entries(operations)) await t.resolves(run(), `${name} is over: ${operation}`)
  t.equal(Buffer.from(await store.getBytes('t/j/object', 100)).toString(), 'content')
}

/** The server does the first request of this method from now on, and its answer is lost. */
function loseFirst (proxy: FaultProxy, method: string): () => number {
  let lost = 0
  proxy.inject({ kind: 'lost-answer' }, (request) => request.method === method && lost++ === 0)
  return () => Math.min(lost, 1)
}

async function persistently<T> (work: () => Promise<T>): Promise<T> {
  for (let attempt = 1;; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 10) throw error
    }
  }
}

function sha256 (bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
