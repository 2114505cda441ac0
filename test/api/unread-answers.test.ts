import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { UnreadAnswers } from '../../src/api/unread-answers.ts'
import { boundUnreadAnswers } from '../../src/api/plugins/unread-answers.ts'
import { loadConfig } from '../../src/platform/config.ts'
import { openApi } from '../support/api.ts'
import { expectError, suggestionOf } from '../support/expect-error.ts'
import { StorageCaller } from '../support/storage.ts'
import { until } from '../support/until.ts'

/* Answers that nobody reads stay in this process's memory, and files that nobody reads open. */

/** Sends so many requests and reads nothing. */
async function silentReader (t: Test, port: number, path: string, key: string, requests: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${key}\r\n\r\n`.repeat(requests))
  return socket
}

function openFiles (): number {
  return readdirSync('/proc/self/fd').length
}

async function openConnections (server: Server): Promise<number> {
  return await new Promise((resolve, reject) => {
    server.getConnections((error, count) => error === null ? resolve(count) : reject(error))
  })
}

t.test('answers that a tenant does not read are bounded: a further one is refused, and those of others are sent', async (t) => {
  const stage = await openApi(t, { TABCAST_UNREAD_BYTES_PER_TENANT: '3000000' })
  await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = stage.app.server.address() as AddressInfo
  const caller = new StorageCaller(stage, stage.key)
  const id = await caller.store('item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n')
  const filters = [{
    column: 'item_id',
    op: 'in',
    values: Array.from({ length: 1_000 }, (_each, index) => `${index}`.padStart(90, 'a'))
  }]
  for (let job = 0; job < 10; job++) {
    await caller.json('POST', '/forecast/storage-object', {
      object_id: id,
      prediction_length: 1,
      preparation: { filters }
    })
  }
  const list = await caller.ask('GET', '/jobs?limit=200')
  t.equal(list.status, 200)
  t.ok(list.text.length > 900_000, `${list.text.length} characters`)

  // More than the kernel takes of each connection, so that its last answers wait here.
  const silent = await Promise.all(
    Array.from({ length: 6 }, () => silentReader(t, port, '/jobs?limit=200', stage.key, 12))
  )
  const refused = await until('a refusal', async () => {
    const answer = await caller.ask('GET', '/jobs?limit=200')
    return answer.status === 429 ? answer : undefined
  })
  const envelope = await expectError(t, refused, 429, 'rate_limited')
  t.match(envelope.detail, { reason: 'unread_answers' })
  t.match(suggestionOf(envelope), /fewer at a time/)
  const other = new StorageCaller(stage, (await stage.keys.create({ tenant: 'other' })).key)
  t.equal((await other.ask('GET', '/jobs')).status, 200, 'a neighbour has its answers')
  for (const socket of silent) socket.destroy()
  await until('room, when the connections are gone',
    async () => (await caller.ask('GET', '/jobs?limit=200')).status === 200)
})

t.test('a connection that does not read its answer in the time that the slowest reader has is ended, whatever it ' +
  'asked for', async (t) => {
  const app = Fastify().decorateRequest('identity', null)
  boundUnreadAnswers(app, loadConfig({}), { graceMs: 50, bytesPerSecond: 2 ** 30 })
  const text = 'x'.repeat(20_000_000)
  const bytes = Buffer.from(text)
  app.get('/text', async () => text)
  app.get('/bytes', async (_request, reply) => await reply.send(bytes))
  app.get('/small', async () => 'x'.repeat(15_000))
  app.get('/pieces', async (_request, reply) => {
    reply.keepAnswer(text.length)
    return await reply.send(Readable.from([text]))
  })
  app.get('/file', async (_request, reply) => {
    reply.timedBytes = text.length
    return await reply.send(Readable.from([text]))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  const { port } = app.server.address() as AddressInfo
  for (const path of ['/text', '/bytes', '/pieces', '/file', '/small']) {
    const requests = path === '/small' ? 2_000 : 1
    await silentReader(t, port, path, '', requests)
    await until(`the request of ${path}`, async () => await openConnections(app.server) === 1)
    await until(`the end of the connection to ${path}`, async () => await openConnections(app.server) === 0)
  }
})

t.test('owners with one large answer each leave others as much as they had', async (t) => {
  const unread = new UnreadAnswers(100)
  const first = Array.from({ length: 8 }, (_each, index) => unread.open(`tenant ${index}`))
  for (const one of first) one.add(1_000)
  const [own, second] = [unread.open('other'), unread.open('other')]
  own.add(40)
  second.add(60)
  t.throws(() => unread.open('other').add(1), { code: 'rate_limited', reason: 'unread_answers' })
  t.throws(() => unread.open('tenant 0').add(1), { code: 'rate_limited' })
  second.release()
  const full = Array.from({ length: 8 }, (_each, index) =>
    [1, 99].map((bytes) => {
      const one = unread.open(`full ${index}`)
      one.add(bytes)
      return one
    }))
  t.throws(() => unread.open('other').add(9), { code: 'rate_limited' }, 'second ones have a bound of all')
  for (const one of full.flat()) one.release()
  unread.open('other').add(60)
})

t.test('the interface description is sent from memory, and only to those who do not have it', async (t) => {
  const stage = await openApi(t)
  const bundle = await stage.app.inject('/openapi.json')
  t.equal(bundle.statusCode, 200)
  t.match(bundle.headers, { 'content-type': /^application\/json/, 'cache-control': 'no-cache' })
  t.ok(bundle.rawPayload.length > 500_000)
  const again = async (tags: string) =>
    await stage.app.inject({ url: '/openapi.json', headers: { 'if-none-match': tags } })
  const etag = String(bundle.headers.etag)
  for (const tags of [etag, `"other", W/${etag}`, '*']) {
    const known = await again(tags)
    t.equal(known.statusCode, 304, tags)
    t.equal(known.rawPayload.length, 0)
    t.match(known.headers, { etag, 'cache-control': 'no-cache' })
  }
  t.equal((await again('"other"')).statusCode, 200, 'another one is sent')
  await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = stage.app.server.address() as AddressInfo
  const before = openFiles()
  for (let connection = 0; connection < 20; connection++) {
    await silentReader(t, port, '/openapi.json', '', 4)
  }
  await until('the connections', async () => await openConnections(stage.app.server) >= 20)
  // Two ends of each connection are in this process.
  t.ok(openFiles() - before <= 45, `${openFiles() - before} more files are open`)
})
