import { EventEmitter, once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { findFreePort } from '../../src/commands/demo/private-service.ts'
import { openApi } from '../support/api.ts'
import { form } from '../support/form.ts'
import { parsePrometheus, valueOf } from '../support/prometheus-text.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Connects as often as that and says nothing; some may be closed at once. */
async function openIdle (t: Test, baseUrl: string, count: number, localAddress = '127.0.0.1'): Promise<Socket[]> {
  const { hostname, port } = new URL(baseUrl)
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(100, count - sockets.length) }, () =>
      connect({ host: hostname, port: Number(port), localAddress }))
    sockets.push(...some)
    // A connection that is refused ends, or is reset.
    for (const socket of some) socket.on('error', () => undefined).resume()
    await Promise.all(some.map((socket) => once(socket, 'connect').catch(() => undefined)))
  }
  return sockets
}

const openOf = (sockets: Socket[]): number =>
  sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length

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
  const service = await startService({ TABCAST_MAX_CONNECTIONS: '5000', TABCAST_MAX_CONNECTIONS_PER_ADDRESS: '5000' },
    undefined, undefined, 400)
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
  for (const bound of ['address', 'all']) {
    t.ok(Number(valueOf(metrics, 'tabcast_http_connections_refused_total', { bound })) > 0, bound)
  }
  t.match(service.log(), /"connections are refused: there are as many as there may be"/)
  for (const socket of [...one, ...other]) socket.destroy()
  await until('everybody is served again', async () => await livez(service.baseUrl) === 200)
})

t.test('addresses that hold all connections together lose idle ones to each that comes', async (t) => {
  const stage = await openApi(t, { TABCAST_MAX_CONNECTIONS: '40' })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const { headers, payload } = form([['prediction_length', '1'], ['file',
    'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n', 'a.csv']])
  const authorization = `Bearer ${stage.key}`
  const accepted = await stage.app.inject({
    method: 'POST',
    url: '/forecast',
    headers: { ...headers, authorization },
    payload
  })
  const { job_id: jobId } = accepted.json<{ job_id: string }>()
  // It was idle longest, but for this.
  const poll = new Promise<number | undefined>((resolve, reject) => {
    const options = { localAddress: '127.0.0.2', agent: false, headers: { authorization } }
    request(`${baseUrl}/jobs/${jobId}?wait=30`, options, (answer) => resolve(answer.resume().statusCode)).on('error',
      reject).end()
  })
  const few = await openIdle(t, baseUrl, 6, '127.0.0.3')
  const many = await openIdle(t, baseUrl, 25, '127.0.0.2')
  const also = await openIdle(t, baseUrl, 20, '127.0.0.4')
  await until('there are no more than there may be', () => openOf(many) + openOf(also) <= 33)
  t.ok(Math.abs(openOf(many) - openOf(also)) <= 1,
    `${openOf(many)} and ${openOf(also)} are left of those who have most`)
  for (let host = 5; host < 15; host++) t.equal(await livez(baseUrl, `127.0.0.${host}`), 200, `a new address: ${host}`)
  t.equal(openOf(few), 6, 'who has few keeps them')
  await stage.finishNext({ 'forecast.csv': 'item_id,timestamp,mean\na,2024-03-01 00:00:00,3.0\n' })
  t.equal(await poll, 200, 'a request under way was not cut off')
})

t.test('when all connections are busy the one that comes is closed, and those that are busy are not', async (t) => {
  const stage = await openApi(t, { TABCAST_MAX_CONNECTIONS: '4', TABCAST_MAX_CONNECTIONS_PER_ADDRESS: '4' })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  let begun = 0
  stage.app.server.on('request', () => begun++)
  const uploads = Array.from({ length: 4 }, () => {
    const outgoing = request(`${baseUrl}/forecast`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${stage.key}`,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': '1000'
      }
    })
    t.teardown(() => outgoing.destroy())
    let isOpen = true
    outgoing.on('error', () => {
      isOpen = false
    })
    outgoing.write('--b\r\n')
    return { isOpen: () => isOpen, outgoing }
  })
  await until('they are under way', () => begun === 4)
  t.equal(await livez(baseUrl, '127.0.0.2'), undefined)
  t.ok(uploads.every(({ isOpen }) => isOpen()))
  for (const { outgoing } of uploads) outgoing.destroy()
  await until('there is a connection again', async () => await livez(baseUrl, '127.0.0.2') === 200)
})

/** Begins an upload that never ends. */
function beginUpload (t: Test, baseUrl: string, key: string, localAddress: string): { isOpen: () => boolean } {
  const outgoing = request(`${baseUrl}/forecast`, {
    method: 'POST',
    agent: false,
    localAddress,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': '1000'
    }
  })
  t.teardown(() => outgoing.destroy())
  let isOpen = true
  outgoing.on('error', () => {
    isOpen = false
  })
  outgoing.write('--b\r\n')
  return { isOpen: () => isOpen }
}

t.test('two addresses whose requests never end keep nobody from connecting', async (t) => {
  const stage = await openApi(t, { TABCAST_MAX_CONNECTIONS: '40' })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  let begun = 0
  stage.app.server.on('request', () => begun++)
  const begin = (address: string) => beginUpload(t, baseUrl, stage.key, address)
  const few = Array.from({ length: 4 }, () => begin('127.0.3.1'))
  const many = ['127.0.1.1', '127.0.2.1'].flatMap((address) => Array.from({ length: 18 }, () => begin(address)))
  await until('they hold all', () => begun === 40)
  for (let host = 5; host < 15; host++) {
    t.equal(await livez(baseUrl, `127.0.${host}.1`), 200, `a new address: ${host}`)
  }
  t.ok(few.every(({ isOpen }) => isOpen()), 'who has few keeps them')
  const cut = many.filter(({ isOpen }) => !isOpen()).length
  t.ok(cut > 0 && cut <= 10, `${cut} requests of those who have the most were cut off`)
})

t.test('a request that may have changed something is not cut off while another one can be', async (t) => {
  const stage = await openApi(t, { TABCAST_MAX_CONNECTIONS: '20', TABCAST_MAX_CONNECTIONS_PER_ADDRESS: '20' })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const checked = new EventEmitter()
  let begun = 0
  stage.app.server.on('request', () => begun++)
  let checks = 0
  stage.beforeCheck = async () => {
    checks++
    await once(checked, 'end')
  }
  const { payload, headers } = form([['prediction_length', '1'], ['file',
    'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n', 'data.csv']])
  const accepted = new Promise<number | undefined>((resolve) => {
    const outgoing = request(`${baseUrl}/forecast`, {
      method: 'POST',
      agent: false,
      localAddress: '127.0.1.1',
      headers: { ...headers, authorization: `Bearer ${stage.key}` }
    }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    outgoing.on('error', () => resolve(undefined)).end(payload)
  })
  await until('its content is checked', () => checks === 1)
  const uploads = Array.from({ length: 19 }, () => beginUpload(t, baseUrl, stage.key, '127.0.1.1'))
  await until('they hold all', () => begun === 20)
  for (let host = 2; host < 6; host++) t.equal(await livez(baseUrl, `127.0.${host}.1`), 200)
  await until('an upload had to go', () => uploads.some(({ isOpen }) => !isOpen()))
  checked.emit('end')
  t.equal(await accepted, 202)
})

t.test('who holds nearly all connections pushes out nobody by connecting', async (t) => {
  const stage = await openApi(t, { TABCAST_MAX_CONNECTIONS: '40' })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  let begun = 0
  stage.app.server.on('request', () => begun++)
  for (const address of ['127.0.1.1', '127.0.2.1']) {
    for (let at = 0; at < 20; at++) beginUpload(t, baseUrl, stage.key, address)
  }
  await until('they hold all', () => begun === 40)
  // None of these has sent a request yet when the holders connect again.
  const silent = await openIdle(t, baseUrl, 1, '127.0.3.1')
  await openIdle(t, baseUrl, 5, '127.0.1.1')
  silent.push(...await openIdle(t, baseUrl, 1, '127.0.4.1'))
  await openIdle(t, baseUrl, 5, '127.0.2.1')
  t.equal(await livez(baseUrl, '127.0.5.1'), 200)
  t.equal(openOf(silent), 2, 'they are still there')
})

t.test('one network of many addresses does not hold all connections', async (t) => {
  const stage = await openApi(t, { TABCAST_MAX_CONNECTIONS: '40' })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  let begun = 0
  stage.app.server.on('request', () => begun++)
  for (let host = 1; host <= 5; host++) {
    for (let at = 0; at < 8; at++) beginUpload(t, baseUrl, stage.key, `127.0.1.${host}`)
  }
  await until('they hold all', () => begun === 40)
  for (let host = 5; host < 10; host++) t.equal(await livez(baseUrl, `127.0.${host}.1`), 200)
})

t.test('behind a proxy its address has no bound of its own', async (t) => {
  const stage = await openApi(t, {
    TABCAST_TRUST_PROXY: 'true',
    TABCAST_MAX_CONNECTIONS: '20',
    TABCAST_MAX_CONNECTIONS_PER_ADDRESS: '2'
  })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const sockets = await openIdle(t, baseUrl, 30)
  await until('those beyond all are closed', () => openOf(sockets) <= 20)
  t.equal(openOf(sockets), 20)
  for (const socket of sockets) socket.destroy()
  await until('it answers', async () => await livez(baseUrl) === 200)
})
