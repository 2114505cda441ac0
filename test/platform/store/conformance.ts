import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync,
  rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import type { ListOptions, ObjectRead, ObjectStore } from '../../../src/platform/store/object-store.ts'
import { openStore, type StoreConfig } from '../../../src/platform/store/open-store.ts'
import type { StoreErrorCode } from '../../../src/platform/store/store-error.ts'
import { seededRandom } from '../../support/random.ts'
import { startScript } from '../../support/script.ts'
import { contentOf, versionOf } from './content.ts'

const MiB = 1024 * 1024

interface Bench {
  store: ObjectStore
  config: StoreConfig
  /** For the test's own files. */
  folder: string
}

/** What every driver has to do. `setup` gives the configuration of a new, empty store; it may use the empty folder. */
export function objectStoreConformance (t: Test, name: string,
  setup: (t: Test, folder: string) => Promise<StoreConfig>): void {
  const test = (title: string, check: (t: Test, bench: Bench) => Promise<void>) =>
    t.test(`${name}: ${title}`, async (t) => {
      const folder = t.testdir({ store: {}, files: {} })
      const config = await setup(t, join(folder, 'store'))
      await check(t, { store: await openStore(config), config, folder: join(folder, 'files') })
    })

  void test('an object comes back in every way of reading', async (t, { store, folder }) => {
    writeFileSync(join(folder, 'source'), 'from a file')
    const before = Date.now() - 5000
    await store.putBytes('acme/j1/input', Buffer.from('hello'))
    await store.putFile('acme/j1/copied', join(folder, 'source'))
    t.equal(text(await store.getBytes('acme/j1/input', 5)), 'hello')
    t.equal(text(await store.getBytes('acme/j1/copied', 100)), 'from a file')
    t.ok(existsSync(join(folder, 'source')), 'a copy leaves the file')
    const info = await store.stat('acme/j1/input')
    t.equal(info?.bytes, 5)
    t.ok(info && info.modifiedMs > before && info.modifiedMs < Date.now() + 5000,
      'modifiedMs is a wall clock in milliseconds')
    await store.getToFile('acme/j1/input', join(folder, 'target'))
    t.equal(readFileSync(join(folder, 'target'), 'utf8'), 'hello')
    await refused(t, 'unavailable', store.getToFile('acme/j1/input', join(folder, 'target')),
      'a file is not overwritten')
    await store.probe()
    t.same(await keysOf(store, ''), ['acme/j1/copied', 'acme/j1/input'], 'a probe leaves nothing')
  })

  void test('a move uses the file up, and only when it succeeds', async (t, { store, folder }) => {
    for (const name of ['first', 'second', 'third']) writeFileSync(join(folder, name), name)
    await store.putFile('acme/j1/input', join(folder, 'first'), { move: true })
    t.notOk(existsSync(join(folder, 'first')))
    await refused(t, 'invalid_key', store.putFile('acme/../j1', join(folder, 'second'), { move: true }))
    t.equal(readFileSync(join(folder, 'second'), 'utf8'), 'second', 'after a refusal the file is still there')
    await refused(t, 'unavailable', store.putFile('acme/j1/none', join(folder, 'absent'), { move: true }),
      'a missing source is not a missing object')
    t.equal(await store.stat('acme/j1/none'), undefined)
  })

  void test('the files of a folder become objects, and nothing else in it', async (t, { store, folder }) => {
    mkdirSync(join(folder, 'run', 'deep', 'empty'), { recursive: true })
    for (const name of ['a.csv', 'deep/b.csv', 'other', 'deep/other']) writeFileSync(join(folder, 'run', name), name)
    mkdirSync(join(folder, 'none'))
    const put = async (name: string, names: string[]) =>
      await store.putFolder('acme/j1/run/', {
        path: join(folder, name),
        names,
        last: { name: 'last', bytes: Buffer.from('last') }
      })
    await refused(t, 'invalid_key', put('run', ['../a']))
    await refused(t, 'unavailable', put('none', ['absent']), 'a missing file is not a missing object')
    t.equal(await store.stat('acme/j1/run/last'), undefined, 'the last object is there when the others are')
    await put('run', ['a.csv', 'deep/b.csv'])
    t.same(await keysOf(store, ''), ['acme/j1/run/a.csv', 'acme/j1/run/deep/b.csv', 'acme/j1/run/last'])
    t.equal(text(await store.getBytes('acme/j1/run/deep/b.csv', 100)), 'deep/b.csv')
    t.equal(text(await store.getBytes('acme/j1/run/last', 100)), 'last')
    t.equal(await store.deletePrefix('acme/j1/'), 3)
  })

  void test('the path of an object is that of its bytes, in a store that has one', async (t, { store }) => {
    await store.putBytes('acme/j1/input', Buffer.from('hello'))
    const path = await store.pathOf('acme/j1/input')
    if (path !== undefined) t.equal(readFileSync(path, 'utf8'), 'hello')
    await refused(t, 'invalid_key', store.pathOf('../input'))
    if (path !== undefined) await refused(t, 'not_found', store.pathOf('acme/j1'))
  })

  void test('a shared file stays, may be stored again, and its object outlives it', async (t, { store, folder }) => {
    const path = join(folder, 'result')
    writeFileSync(path, 'shared')
    const put = async () => await store.putFile('acme/j1/run/a.csv', path, { share: true })
    await put()
    await put()
    t.equal(readFileSync(path, 'utf8'), 'shared')
    rmSync(path, { force: true })
    t.equal(text(await store.getBytes('acme/j1/run/a.csv', 100)), 'shared')
    t.same(await keysOf(store, ''), ['acme/j1/run/a.csv'])
  })

  void test('with ifAbsent an object is never replaced, and of concurrent writers exactly one wins',
    async (t, { store, folder }) => {
      const file = (name: string, bytes: number, fill: number): string => {
        writeFileSync(join(folder, name), Buffer.alloc(bytes, fill))
        return join(folder, name)
      }
      // More than one part of an upload in parts, and a single request.
      for (const bytes of [1000, 20 * MiB]) {
        const key = `acme/once/${bytes}`
        const paths = [1, 2, 3].map((fill) => file(`writer-${fill}`, bytes, fill))
        const ends = await Promise.allSettled(
          paths.map((path) => store.putFile(key, path, { ifAbsent: true, move: true }))
        )
        const winner = ends.findIndex(({ status }) => status === 'fulfilled')
        t.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1, `one of three writers of ${bytes} bytes`)
        for (const end of ends) {
          if (end.status === 'rejected') t.match(end.reason, { name: 'StoreError', code: 'exists' })
        }
        t.same(paths.map(existsSync), paths.map((_, index) => index !== winner),
          'the files of the others are still there')
        await refused(t, 'exists', store.putFile(key, file('late', bytes, 9), { ifAbsent: true }))
        const content = Buffer.from(await store.getBytes(key, bytes))
        t.ok(content.length === bytes && content.every((byte) => byte === winner + 1),
          "the object is the winner's, whole")
        await store.putFile(key, file('last', 5, 7))
        t.equal((await store.stat(key))?.bytes, 5, 'without the option it is replaced')
        await store.deleteKey(key)
        await store.putFile(key, file('again', 6, 7), { ifAbsent: true })
        t.equal((await store.stat(key))?.bytes, 6, 'a deleted object is absent')
      }
    })

  void test('the file that getToFile made cannot change the object', async (t, { store, folder }) => {
    const path = join(folder, 'mine')
    await store.putBytes('acme/j1/input', Buffer.from('original'))
    await store.getToFile('acme/j1/input', path)
    try {
      writeFileSync(path, 'changed!')
    } catch (error) {
      t.equal((error as NodeJS.ErrnoException).code, 'EACCES', 'the file is read-only')
    }
    t.equal(text(await store.getBytes('acme/j1/input', 100)), 'original')
  })

  void test('absent objects are not found, and deleting them is no error', async (t, { store, folder }) => {
    await store.putBytes('acme/j1/input', Buffer.from('x'))
    for (const key of ['acme/j1/other', 'acme/j1', 'other/j1/input', 'acme/j1/input/below']) {
      t.equal(await store.stat(key), undefined, key)
      await refused(t, 'not_found', store.getBytes(key, 10))
      await refused(t, 'not_found', store.openRead(key))
      await refused(t, 'not_found', store.getToFile(key, join(folder, 'target')))
      await store.deleteKey(key)
    }
    t.equal(await store.deletePrefix('acme/j2/'), 0)
    t.same(await keysOf(store, 'nobody/'), [])
    t.same(await keysOf(store, ''), ['acme/j1/input'])
  })

  void test('byte ranges are those of HTTP', async (t, { store }) => {
    await store.putBytes('t/j/data', Buffer.from('0123456789'))
    const cases: Array<[{ start: number, end?: number } | undefined, string]> = [
      [undefined, '0123456789'],
      [{ start: 0 }, '0123456789'],
      [{ start: 3 }, '3456789'],
      [{ start: 3, end: 3 }, '3'],
      [{ start: 0, end: 4 }, '01234'],
      [{ start: 9, end: 99 }, '9']
    ]
    for (const [range, expected] of cases) {
      const read = await store.openRead('t/j/data', range)
      t.same([read.bytes, read.totalBytes], [expected.length, 10])
      t.equal(text(await collect(read)), expected)
    }
    for (const range of [{ start: 10 }, { start: 5, end: 4 }, { start: -1 }]) {
      await refused(t, 'invalid_range', store.openRead('t/j/data', range))
    }
    await refused(t, 'too_large', store.getBytes('t/j/data', 9))
    await store.putBytes('t/j/empty', new Uint8Array())
    t.equal((await collect(await store.openRead('t/j/empty'))).length, 0)
    t.equal((await store.getBytes('t/j/empty', 0)).length, 0)
    await refused(t, 'invalid_range', store.openRead('t/j/empty', { start: 0 }))
  })

  void test('a listing has each key once, stays below the prefix, and goes as deep as it is asked to',
    async (t, { store }) => {
      const keys = ['a/b/c', 'a-b/x', 'a/b-c', 'a/b.c', 'a0/x', 'a/1/x', 'a/10/x', 'a/2/x', 'a/Z', 'a/z', 'a/é',
        'a/\u{1F600}', 'a/\uFB01', 'b/x']
      for (const key of keys) await store.putBytes(key, Buffer.from(key))
      const ordered = byBytes(keys)
      t.same(await keysOf(store, ''), ordered)
      t.same(await keysOf(store, 'a/'), ordered.filter((key) => key.startsWith('a/')))
      t.same(await keysOf(store, 'a/1/'), ['a/1/x'], 'a/10/ is another prefix')
      t.same(await keysOf(store, '', { maxSegments: 2 }), ordered.filter((key) => key.split('/').length <= 2))
      t.same(await keysOf(store, 'a/', { maxSegments: 1 }), ordered.filter((key) => /^a\/[^/]+$/.test(key)))
      for await (const { key, bytes } of store.list('a/')) t.equal(bytes, Buffer.byteLength(key))
      t.equal(await store.deletePrefix('a/1/'), 1)
      t.equal(await store.deletePrefix('a/'), ordered.filter((key) => key.startsWith('a/')).length - 1)
      t.same(await keysOf(store, ''), ['a-b/x', 'a0/x', 'b/x'])
    })

  void test('hostile keys and prefixes are refused by every operation', async (t, { store, folder }) => {
    const source = join(folder, 'source')
    writeFileSync(source, 'x')
    const hostile = [
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      'a/..',
      '../a',
      'a/../b',
      'a/./b',
      '.tmp/x',
      'a/.hidden',
      'a\0b',
      'a\nb',
      'a\u007fb',
      'a\\b',
      '..\\a',
      '\ud800',
      'x'.repeat(256),
      'é'.repeat(128),
      `${'x'.repeat(200)}/`.repeat(6) + 'x'
    ]
    for (const key of hostile) {
      await refused(t, 'invalid_key', store.putBytes(key, Buffer.from('x')))
      await refused(t, 'invalid_key', store.putFile(key, source))
      await refused(t, 'invalid_key', store.getBytes(key, 10))
      await refused(t, 'invalid_key', store.openRead(key))
      await refused(t, 'invalid_key', store.getToFile(key, `${source}2`))
      await refused(t, 'invalid_key', store.stat(key))
      await refused(t, 'invalid_key', store.deleteKey(key))
      await refused(t, 'invalid_key', store.deletePrefix(`${key}/`))
      await refused(t, 'invalid_key', keysOf(store, `${key}/`))
      const last = { name: key, bytes: Buffer.from('x') }
      await refused(t, 'invalid_key', store.putFolder('a/', { path: folder, names: [], last }))
    }
    await refused(t, 'invalid_key', store.deletePrefix('acme'), 'a prefix ends with a slash')
    for (const key of ['__proto__/constructor', 'CON/nul', 'a b/c%2F..%2f', 'é/日本/\u{1F600}', '~/-rf',
      'x'.repeat(255)]) {
      await store.putBytes(key, Buffer.from(key))
      t.equal(text(await store.getBytes(key, 1000)), key)
    }
  })

  void test('concurrent writers of one key leave one of their versions, whole', async (t, { store }) => {
    const done = new AbortController()
    const seen = new Set<number>()
    await store.putBytes('t/j/data', contentOf(1, 0))
    const reader = (async () => {
      while (!done.signal.aborted) {
        const version = versionOf(1, await store.getBytes('t/j/data', MiB))
        if (version === undefined) throw new Error('mixed content')
        seen.add(version)
      }
    })()
    await Promise.all(Array.from({ length: 40 }, (_, version) => store.putBytes('t/j/data', contentOf(1, version))))
    done.abort()
    await reader
    t.ok(seen.size > 0, `a reader saw ${seen.size} versions, each whole`)
    await store.putBytes('t/j/data', contentOf(1, 99))
    t.equal(versionOf(1, await store.getBytes('t/j/data', MiB)), 99, 'the last write wins')
  })

  void test('writes and deletions of the same folders do not disturb each other', async (t, { store }) => {
    await Promise.all(Array.from({ length: 8 }, async (_, worker) => {
      for (let round = 0; round < 15; round++) {
        const key = `t/j/run/x${worker}`
        await store.putBytes(key, contentOf(worker, round))
        if (worker % 2 === 1) await store.deleteKey(key)
        else if (await store.stat(key) === undefined) throw new Error(`${key} is gone`)
      }
    }))
    t.same(await keysOf(store, ''), ['t/j/run/x0', 't/j/run/x2', 't/j/run/x4', 't/j/run/x6'])
  })

  void test('64 MiB go in and out unchanged', async (t, { store, folder }) => {
    const [source, target] = [join(folder, 'source'), join(folder, 'target')]
    const block = randomBytes(MiB)
    const writer = createWriteStream(source)
    for (let index = 0; index < 64; index++) if (!writer.write(block)) await once(writer, 'drain')
    writer.end()
    await once(writer, 'close')
    const expected = await sha256(source)
    await store.putFile('t/j/large', source, { move: true })
    await store.getToFile('t/j/large', target)
    t.equal(await sha256(target), expected)
    const { stream, bytes } = await store.openRead('t/j/large')
    t.equal(bytes, 64 * MiB)
    const hash = createHash('sha256')
    await pipeline(stream, hash)
    t.equal(hash.digest('hex'), expected)
  })

  void test('a reader of a deleted or overwritten object finishes or fails, and never mixes', async (t, { store }) => {
    for (const disturb of [() => store.deletePrefix('t/j/'),
      () => store.putBytes('t/j/data', Buffer.alloc(8 * MiB, 2))]) {
      await store.putBytes('t/j/data', Buffer.alloc(8 * MiB, 1))
      const { stream } = await store.openRead('t/j/data')
      let bytes = 0
      const reading = (async () => {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          bytes += chunk.length
          if (!chunk.every((byte) => byte === 1)) throw new Error('mixed content')
          await sleep(1)
        }
        return 'finished'
      })().catch((error: Error) => error.message === 'mixed content' ? error.message : 'failed cleanly')
      await disturb()
      const outcome = await reading
      t.ok(outcome === 'finished' ? bytes === 8 * MiB : outcome === 'failed cleanly', outcome)
    }
  })

  void test('a stored object survives SIGKILL of its writer, and no object is ever in part',
    async (t, { store, config }) => {
      const random = seededRandom(t)
      const stored = new Map<number, number>()
      for (let round = 0; round < 4; round++) {
        const writer = startScript(t, new URL('write-objects.ts', import.meta.url), [JSON.stringify(config),
          String((round + 1) * 1_000_000)])
        await writer.printed(`0 ${(round + 1) * 1_000_000}`)
        await sleep(random() * 150)
        await writer.kill()
        for (const line of writer.lines.filter((line) => /^\d+ \d{7,}$/.test(line))) {
          const [number = 0, version = 0] = line.split(' ').map(Number)
          stored.set(number, Math.max(version, stored.get(number) ?? 0))
        }
        for await (const { key } of store.list('crash/')) {
          const number = Number(/run(\d+)/.exec(key)?.[1])
          const version = versionOf(number, await store.getBytes(key, MiB))
          if (version === undefined) t.fail(`${key} is in part`)
        }
        for (const [number, acknowledged] of stored) {
          const version = versionOf(number, await store.getBytes(`crash/job${number % 4}/run${number}/data`, MiB))
          if (version === undefined || version < acknowledged) {
            t.fail(`object ${number} has version ${version}, and ${acknowledged} was acknowledged`)
          }
        }
        t.pass(`round ${round}: ${writer.lines.length} acknowledged writes, all there`)
      }
      await store.sweepUnfinished(0)
      t.equal(await store.deletePrefix('crash/'), 16)
    })
}

/** By their bytes. */
export async function keysOf (store: ObjectStore, prefix: string, options: ListOptions = {}): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list(prefix, options)) keys.push(key)
  return byBytes(keys)
}

function byBytes (keys: string[]): string[] {
  return keys.toSorted((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)))
}

export async function refused (t: Test, code: StoreErrorCode, promise: Promise<unknown>,
  message: string = code): Promise<void> {
  await t.rejects(promise, { name: 'StoreError', code }, message)
}

async function collect ({ stream }: ObjectRead): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function sha256 (path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

function text (bytes: Uint8Array): string {
  return Buffer.from(bytes).toString()
}
