import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { openApi, type ApiStage } from '../support/api.ts'
import { requestHead } from '../support/raw-http.ts'
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

t.test('requests without a key are one lane, from however many addresses they come', async (t) => {
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
  const sockets = await opened(t, portOf(stage), strangers + 3)
  // The first answer of each kind takes longer.
  t.equal((await caller.ask('GET', '/jobs')).status, 200)
  t.equal((await stage.app.inject('/health')).statusCode, 200)

  const order: string[] = []
  for (const [at, socket] of sockets.entries()) {
    const [name = 'stranger', text] = Object.entries(others)[at - strangers] ?? []
    socket.once('data', (bytes: Buffer) => {
      order.push(bytes.toString('latin1').startsWith('HTTP/1.1 200 ') ? name : `${name}: ${bytes.toString('latin1')}`)
      socket.destroy()
    })
    const address = `10.0.${at >> 8}.${at & 255}`
    socket.write(text ?? requestHead('GET', '/docs/static/swagger-ui.css', from(address)))
  }
  await until('all answers', () => order.length === sockets.length)
  for (const name of Object.keys(others)) {
    const before = order.indexOf(name)
    t.ok(before >= 0 && before < strangers * 2 / 3, `${name}: after ${before} of ${strangers} strangers`)
  }
})
