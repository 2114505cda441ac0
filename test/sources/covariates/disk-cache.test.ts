import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { AnswerCache } from '../../../src/sources/covariates/http/answer-cache.ts'
import { DiskCache } from '../../../src/sources/covariates/http/disk-cache.ts'
import { jsonReader } from '../../../src/sources/covariates/http/read-json.ts'
import type { Question } from '../../../src/sources/covariates/http/source.ts'
import { openProviderServer, sendJson } from '../../support/provider-server.ts'

const read = jsonReader(Type.Object({ value: Type.Number() }))
const question = (change: Partial<Question<{ value: number }>> = {}): Question<{ value: number }> => ({
  path: '/data',
  parameters: { a: '1' },
  accepts: ['application/json'],
  ttlMs: 60_000,
  read,
  signal: new AbortController().signal,
  ...change
})

/** Sources of processes that come one after the other: each has a memory of its own, and the folder is the same. */
async function setUp (t: Test) {
  const folder = join(t.testdir({}), 'cache')
  const server = await openProviderServer(t, (response) => sendJson(response, { value: server.asked.length }))
  const failures: string[] = []
  const clock = { nowMs: Date.now() }
  const disk = (change: object = {}) =>
    new DiskCache({
      folder,
      maxBytes: 1_000_000,
      maxBodyBytes: 10_000,
      onFailure: ({ message }) => failures.push(message),
      now: () => clock.nowMs,
      ...change
    })
  const source = (change: object = {}) =>
    server.source({ secrets: { key: 'canary-secret' }, cache: new AnswerCache(1_000), diskCache: disk(change) })
  return {
    folder,
    server,
    failures,
    clock,
    disk,
    source,
    value: async () => (await source().get(question())).value.value
  }
}

t.test('an answer outlives the process that asked for it, for its time', async (t) => {
  const { server, clock, source, value, failures } = await setUp(t)
  const first = await source().get(question())
  t.strictSame(await source().get(question()), first, 'with the time at which it was fetched')
  t.equal(await value(), 1)
  t.equal((await source().get(question({ parameters: { a: '2' } }))).value.value, 2)
  clock.nowMs += 61_000
  t.equal(await value(), 3)
  t.equal(server.asked.length, 3)
  t.equal((await source().get(question({ path: '/never', ttlMs: 0 }))).value.value, 4)
  t.equal((await source().get(question({ path: '/never', ttlMs: 0 }))).value.value, 5)
  t.strictSame(failures, [])
})

t.test('neither names nor contents have a key or an address', async (t) => {
  const { folder, value } = await setUp(t)
  await value()
  const [name = '', ...others] = await readdir(folder)
  t.match(name, /^[0-9a-f]{64}\.answer$/)
  t.strictSame(others, [])
  t.notMatch(gunzipSync(await readFile(join(folder, name))).toString('latin1'), /canary|127\.0\.0\.1|data/)
  t.equal((await stat(join(folder, name))).mode & 0o077, 0)
})

t.test('a damaged file, and one that is not in the form that is read today, are asked for anew', async (t) => {
  const { folder, value } = await setUp(t)
  let expected = 1
  t.equal(await value(), expected)
  const path = join(folder, (await readdir(folder))[0]!)
  const good = await readFile(path)
  const flipped = Buffer.from(good)
  flipped[good.length - 10]! ^= 0x40
  const head = gunzipSync(good).subarray(0, 16)
  const damage = [async () => await truncate(path, 0), async () => await truncate(path, good.length - 5),
    async () => await writeFile(path, flipped), async () => await writeFile(path, 'x'.repeat(100)),
    async () => await writeFile(path, gzipSync('short')),
    async () => await writeFile(path, gzipSync(Buffer.alloc(1_000_000))),
    async () => await writeFile(path, gzipSync(Buffer.concat([head, Buffer.from('{"value": "text"}')])))]
  for (const one of damage) {
    await one()
    t.equal(await value(), ++expected)
    t.equal(await value(), expected, 'the new answer took its place')
  }
})

t.test('it keeps to its size; what expires first goes first', async (t) => {
  const { folder, disk, clock } = await setUp(t)
  const body = (seed: number) =>
    Buffer.from(Array.from({ length: 2_000 }, (_, at) => (seed * 7919 + at * at * 31 + (at ^ seed) * 17) % 251))
  const small = { maxBytes: 60_000, maxBodyBytes: 10_000 }
  const cache = disk(small)
  for (let one = 0; one < 200; one++) {
    await cache.set(`q${one}`, { body: body(one), fetchedAtMs: clock.nowMs }, 1_000 * (one + 1))
  }
  const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size))
  t.ok(sizes.reduce((sum, size) => sum + size, 0) <= 60_000)
  t.ok(sizes.length > 10)
  t.strictSame((await cache.get('q199'))?.body, body(199))
  t.equal(await cache.get('q0'), undefined)
  await cache.set('large', { body: Buffer.alloc(10_001), fetchedAtMs: clock.nowMs }, 1e9)
  t.equal(await cache.get('large'), undefined)
  clock.nowMs += 3_600_000
  const later = disk(small)
  await later.set('new', { body: body(1), fetchedAtMs: clock.nowMs }, 1_000)
  t.equal((await readdir(folder)).length, 1, 'what has expired is taken away')
})

t.test('many at a time on the same questions: every answer that is found is whole', async (t) => {
  const { disk, clock, failures, folder } = await setUp(t)
  const bodies = Array.from({ length: 4 }, (_, one) => Buffer.alloc(5_000, 65 + one))
  const caches = Array.from({ length: 6 }, () => disk({ maxBytes: 100_000 }))
  let found = 0
  await Promise.all(caches.map(async (cache, index) => {
    for (let round = 0; round < 40; round++) {
      const key = (round + 3 * index + (round >> 2)) % 4
      if ((round + index) % 2 === 0) {
        await cache.set(`q${key}`, { body: bodies[key]!, fetchedAtMs: clock.nowMs }, 60_000)
      }
      const answer = await cache.get(`q${key}`)
      if (answer === undefined) continue
      found++
      if (!answer.body.equals(bodies[key]!)) t.fail('another body')
    }
  }))
  t.ok(found > 100)
  t.strictSame(failures, [])
  t.equal((await readdir(folder)).length, 4, 'nothing but answers is left')
})

t.test('a folder that cannot be used costs requests, and is told', async (t) => {
  const { folder, value, failures, server } = await setUp(t)
  await writeFile(folder, 'a file')
  t.equal(await value(), 1)
  t.equal(await value(), 2)
  t.equal(server.asked.length, 2)
  t.match(failures, [/ENOTDIR|EEXIST/])
})
