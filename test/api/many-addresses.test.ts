import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { openApi, type ApiStage } from '../support/api.ts'
import { requestHead } from '../support/raw-http.ts'
import { jobOf, openSandbox } from '../support/sandbox.ts'
import { fetchSigned, StorageCaller } from '../support/storage.ts'
import { until } from '../support/until.ts'

/* Whoever comes from many addresses, which a proxy in front tells of. */

const strangers = 600

function portOf ({ app }: ApiStage): number {
  return (app.server.address() as AddressInfo).port
}

/** Connections that send and read; what they send goes out when all of them stand. */
async function opened (t: Test, port: number, count: number): Promise<Socket[]> {
  return await Promise.all(Array.from({ length: count }, async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }))
}

t.test('requests without a key are one lane, refusals too, from however many addresses they come', async (t) => {
  const stage = await openApi(t, { TABCAST_TRUST_PROXY: 'true' })
  await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const caller = new StorageCaller(stage)
  const id = await caller.store('item_id,timestamp,target\na,2024-01-01,1\n')
  const { download_url: url } = await caller.json<{ download_url: string }>('GET',
    `/storage/objects/${id}/download-url`)
  t.equal((await fetchSigned(stage, url)).status, 200)
  const { pathname, search } = new URL(url)
  const authorization = `Bearer ${stage.key}`
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const others = {
    list: requestHead('GET', '/jobs', { authorization, ...from('198.51.100.1') }),
    signed: requestHead('GET', pathname + search, from('198.51.100.2')),
    health: requestHead('GET', '/health', from('198.51.100.3'))
  }
  const ofStrangers: Array<(address: string) => string> = [
    (address) => requestHead('GET', '/docs', from(address)),
    (address) => requestHead('GET', '/jobs', { authorization: 'Bearer wrong', ...from(address) }),
    (address) => requestHead('GET', '/nowhere', from(address))
  ]
  const statuses = ['200', '401', '404']
  const sockets = await opened(t, portOf(stage), strangers + 3)
  // The first answer of each kind takes longer.
  t.equal((await caller.ask('GET', '/jobs')).status, 200)
  t.equal((await stage.app.inject('/health')).statusCode, 200)

  const order: string[] = []
  for (const [at, socket] of sockets.entries()) {
    const [name = 'stranger', text] = Object.entries(others)[at - strangers] ?? []
    const status = text === undefined ? statuses[at % 3] : '200'
    socket.once('data', (bytes: Buffer) => {
      order.push(name)
      t.equal(bytes.toString('latin1', 9, 12), status, name)
      socket.destroy()
    })
    socket.write(text ?? ofStrangers[at % 3]?.(`10.0.${at >> 8}.${at & 255}`) ?? '')
  }
  await until('all answers', () => order.length === sockets.length)
  for (const name of Object.keys(others)) {
    const before = order.indexOf(name)
    t.ok(before >= 0 && before < strangers * 2 / 3, `${name}: after ${before} of ${strangers} strangers`)
  }
})

interface Held {
  outgoing: ClientRequest
  answer: IncomingMessage
}

t.test('visitors who hold all downloads of the sandbox, from many addresses, keep none from a further one', async (t) => {
  const stage = await openSandbox(t, {
    TABCAST_TRUST_PROXY: 'true',
    TABCAST_DOWNLOADS_PER_TENANT: '1',
    TABCAST_SANDBOX_DOWNLOAD_BYTES_PER_SECOND: String(2 ** 30)
  })
  await stage.app.listen({ port: 0, host: '127.0.0.1' })
  // More than the buffers of two sockets take: who does not read holds its download.
  const table = 'item_id,timestamp,target\n' + 'a,2024-01-01,1\n'.repeat(2_000_000)
  const { job_id: jobId } = jobOf(await stage.post('forecast'))
  await stage.finishNext({ 'forecast.csv': table, 'forecast.parquet': 'PAR1' }, {}, 'large')
  await until('the job has ended', async () => jobOf(await stage.ask('GET', `/jobs/${jobId}`)).status === 'completed')
  const path = `/jobs/${jobId}/download?format=csv`
  const signed = (await stage.ask('GET', `/jobs/${jobId}/download?format=presign`)).headers.get('location') ?? ''
  const { pathname, search } = new URL(signed)

  const fetch = async (path: string, address: string): Promise<Held> => {
    const outgoing = request({
      port: portOf(stage),
      path,
      agent: false,
      headers: { authorization: `Bearer ${stage.sandboxKey}`, 'x-forwarded-for': address }
    })
    t.teardown(() => outgoing.destroy())
    const answered = once(outgoing, 'response')
    outgoing.end()
    const [answer] = await answered as [IncomingMessage]
    outgoing.on('error', () => undefined)
    answer.on('error', () => undefined)
    return { outgoing, answer }
  }
  const held = await Promise.all(
    Array.from({ length: 8 }, (_each, at) => fetch(at % 2 === 0 ? path : pathname + search, `192.0.2.${at}`))
  )
  t.strictSame(held.map(({ answer }) => answer.statusCode), Array<number>(8).fill(200))
  for (const address of ['198.51.100.1', '198.51.100.2']) {
    const file = await until(`the file of ${address}`, async () => {
      const { answer } = await fetch(path, address)
      const text = await textOf(answer)
      return answer.statusCode === 200 ? text : undefined
    })
    t.ok(file === table, `${address} has the whole file`)
  }
  const ends = held.map(({ answer }) => textOf(answer).then(() => 'whole', () => 'cut'))
  t.ok((await Promise.all(ends)).includes('cut'), 'of those who do not read one has lost its place')
})
