import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { findFreePort } from '../../src/demo/private-service.ts'
import { openApi } from '../support/api.ts'
import { parsePrometheus, valueOf } from '../support/prometheus-text.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Connects as often as that and says nothing; some may be closed at once. */
async function openIdle (t: Test, baseUrl: string, count: number, localAddress = '127.0.0.1'): Promise<Socket[]> {
  const { hostname, port } = new URL(baseUrl)
  const sockets: Socket[] = []
  t.teardown(() => { for (const socket of sockets) socket.destroy() })
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(100, count - sockets.length) }, () => connect({ host: hostname, port: Number(port), localAddress }))
    sockets.push(...some)
    // A connection that is refused ends, or is reset.
    for (const socket of some) socket.on('error', () => undefined).resume()
    await Promise.all(some.map((socket) => once(socket, 'connect').catch(() => undefined)))
  }
  return sockets
}

const openOf = (sockets: Socket[]): number => sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length

async function livez (baseUrl: string, localAddress = '127.0.0.1'): Promise<number | undefined> {
  return await new Promise((resolve) => {
    const asked = request(`${baseUrl}/livez`, { localAddress, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.on('error', () => resolve(undefined)).end()
  })
}

t.test('a process that has no file descriptor left goes on, and serves again when there are some', async (t) => {
  const service = await startService({ TABCAST_MAX_CONNECTIONS: '5000', TABCAST_MAX_CONNECTIONS_PER_ADDRESS: '5000' }, undefined, undefined, 400)
  t.teardown(() => service.cleanup())
  const before = service.pids('api')
  const sockets = await openIdle(t, service.baseUrl, 600)
  await until('no descriptor is left', () => openOf(sockets) < 400)
  // The thread that watches the event loop looks 40 times a second.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  t.strictSame(service.pids('api'), before, 'it is the same process')
  for (const socket of sockets) socket.destroy()
  await until('it answers', async () => await livez(service.baseUrl) === 200)
  t.strictSame(service.pids('api'), before)
  t.notMatch(service.log(), /process died|no longer watched/)
})

t.test('by default one address leaves a quarter of the connections, and all of them a quarter of the files', async (t) => {
  const metricsPort = await findFreePort()
  const service = await startService({ TABCAST_METRICS_PORT: String(metricsPort) }, undefined, undefined, 400)
  t.teardown(() => service.cleanup())
  const one = await openIdle(t, service.baseUrl, 400)
  await until('the rest is closed', () => openOf(one) <= 225)
  t.ok(openOf(one) > 200, `${openOf(one)} of 225 are open`)
  t.equal(await livez(service.baseUrl), undefined, 'that address has no further one')
  t.equal(await livez(service.baseUrl, '127.0.0.2'), 200, 'others have')
  const other = await openIdle(t, service.baseUrl, 200, '127.0.0.3')
  await until('there are not more than 300', () => openOf(one) + openOf(other) <= 300)
  const metrics = parsePrometheus(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())
  for (const bound of ['address', 'all']) t.ok(Number(valueOf(metrics, 'tabcast_http_connections_refused_total', { bound })) > 0, bound)
  t.match(service.log(), /"connections are refused: there are as many as there may be"/)
  for (const socket of [...one, ...other]) socket.destroy()
  await until('everybody is served again', async () => await livez(service.baseUrl) === 200)
})

t.test('behind a proxy its address has no bound of its own', async (t) => {
  const stage = await openApi(t, { TABCAST_TRUST_PROXY: 'true', TABCAST_MAX_CONNECTIONS: '20', TABCAST_MAX_CONNECTIONS_PER_ADDRESS: '2' })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const sockets = await openIdle(t, baseUrl, 30)
  await until('those beyond all are closed', () => openOf(sockets) <= 20)
  t.equal(openOf(sockets), 20)
  for (const socket of sockets) socket.destroy()
  await until('it answers', async () => await livez(baseUrl) === 200)
})
