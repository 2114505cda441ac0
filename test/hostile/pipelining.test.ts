import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { runKeys } from '../support/command.ts'
import { expectHealthy, openObjects, spooled } from '../support/leftovers.ts'
import { holdSlot, oneSlot } from '../support/long-job.ts'
import { multipartAround, requestHead, uploadHead } from '../support/raw-http.ts'
import { Client, panelCsv, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/*
 * Requests that are sent before the one before has its answer. All that one packet holds would begin in one turn of the
 * event loop. `cleanup` fails on a pause of it.
 */
const service = await startService({ TABCAST_RATE_LIMITS: 'false', ...oneSlot })
t.teardown(service.cleanup)
const scopes = 'forecast,jobs:read,jobs:delete,storage,audit:read'
const { last: key } = await runKeys(service, 'create', '--tenant', 'hostile', '--scopes', scopes)
const client = new Client(service.baseUrl, key)
const authorization = `Bearer ${client.key}`
const get = (path: string): string => requestHead('GET', path, { authorization })

async function opened (): Promise<{ socket: Socket, received: () => string }> {
  const { hostname, port } = new URL(service.baseUrl)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1')
  })
  // The service ends the connection of who sends too much.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return { socket, received: () => received }
}

function statuses (text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

async function largeResult (): Promise<string> {
  const { job_id: jobId } = await client.submitted(panelCsv(150, 40), { prediction_length: '100', presets: 'fast' })
  const { status } = await client.ended(jobId)
  if (status !== 'completed') throw new Error(`the job is ${status}`)
  return `/jobs/${jobId}/download?format=csv`
}

t.test('what waits behind another request on its connection is answered in its order', async (t) => {
  const { socket, received } = await opened()
  const { head, tail } = multipartAround('data.csv', { prediction_length: 'abc' })
  const form = `${head}${panelCsv(2, 20)}${tail}`
  const paths = Array.from({ length: 12 }, (_, at) => at % 2 === 0 ? '/models' : '/jobs/none')
  const upload = uploadHead(client.key, { 'content-length': String(form.length) }) + form
  socket.write(get('/limits') + upload + paths.map(get).join(''))
  await until('all answers', () => statuses(received()).length === 14)
  t.strictSame(statuses(received()), [200, 422, ...paths.map((path) => path === '/models' ? 200 : 404)])
  socket.destroy()
})

t.test('400 pipelined downloads hold no file open when their connection has ended', async (t) => {
  const path = await largeResult()
  const sockets = []
  for (const count of [400, 400, 400, 10, 10, 10]) {
    const { socket } = await opened()
    socket.pause().write(get(path).repeat(count))
    sockets.push(socket)
  }
  await until('the downloads to begin', () => openObjects(service).length > 0)
  await sleep(500)
  const open = openObjects(service).length
  t.ok(open <= 6, `one a connection, at most: ${open}`)
  for (const socket of sockets) socket.destroy()
  await until('no open file', () => openObjects(service).length === 0, 10_000)
})

t.test('a connection with too many requests is told so, and ends', async (t) => {
  const { socket, received } = await opened()
  const end = once(socket, 'close')
  socket.write(get('/models').repeat(100))
  await end
  t.strictSame(statuses(received()), [200, 400])
  t.match(received(), /More than 16 requests wait on this connection/)
  t.match(received(), /connection: close/i)
})

t.test('refused forms that were pipelined leave nothing in the spool', async (t) => {
  const { job_id: jobId } = await holdSlot(t, client)
  const { head, tail } = multipartAround('data.csv', { prediction_length: 'abc' })
  const form = `${head}${'a'.repeat(256 * 1024)}${tail}`
  const { socket } = await opened()
  socket.write(get(`/jobs/${jobId}?wait=30`))
  for (let at = 0; at < 10; at++) socket.write(uploadHead(client.key, { 'content-length': String(form.length) }) + form)
  await sleep(2000)
  socket.destroy()
  await client.request('DELETE', `/jobs/${jobId}`)
  await sleep(1000)
  await until('an empty spool', async () => (await spooled(service)).length === 0, 10_000)
})

t.test('485 pipelined pages of 1,000 audit records do not hold up the api, nor do 64 that come at once', async (t) => {
  const body = JSON.stringify({ filename: 'a.csv', content_type: 'text/csv' })
  const upload = { body, headers: { 'content-type': 'application/json' } }
  for (let at = 0; at < 50; at++) {
    await Promise.all(Array.from({ length: 20 }, async () => {
      const answer = await client.request('POST', '/storage/uploads/presign', upload)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`presign answered ${answer.status}`)
    }))
  }
  const burst = await opened()
  burst.socket.write(get('/audit?limit=1000').repeat(485))
  await once(burst.socket, 'close')
  t.strictSame(statuses(burst.received()), [200, 400])
  const pages = await Promise.all(Array.from({ length: 64 }, async () => {
    const answer = await client.request('GET', '/audit?limit=1000')
    return { status: answer.status, records: (await answer.json() as { records: unknown[] }).records.length }
  }))
  t.ok(pages.every(({ status, records }) => status === 200 && records === 1000))
  await expectHealthy(t, service)
})
