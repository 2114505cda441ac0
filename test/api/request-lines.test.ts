import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { httpServer } from '../../src/api/http-server.ts'
import { maxWaiting } from '../../src/api/request-line.ts'
import { until } from '../support/until.ts'

/** The server alone: how many requests Node has made of the bytes that came, and those that are to be answered. */
async function open (t: Test, answer: (response: ServerResponse) => void, silentMs?: number) {
  const unanswered: string[] = []
  const server = httpServer((_request, response) => answer(response), ({ url = '' }) => unanswered.push(url), silentMs)
  let made = 0
  server.on('request', () => made++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const client = async (): Promise<{ socket: Socket, statuses: () => string[] }> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    let received = ''
    // The service ends the connection of who sends too much.
    socket.on('error', () => undefined).on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1')
    })
    await once(socket, 'connect')
    return {
      socket,
      statuses: () => [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => String(status))
    }
  }
  return { client, made: () => made, unanswered }
}

const livez = 'GET /livez HTTP/1.1\r\nhost: a\r\n\r\n'

t.test('of 1,500 /livez in one packet no more are parsed than may wait', async (t) => {
  const { client, made } = await open(t, (response) => response.end('{}'))
  const { socket, statuses } = await client()
  const end = once(socket, 'close')
  socket.write(livez.repeat(1_500))
  await end
  t.strictSame(statuses(), ['200', '400'])
  t.ok(made() <= maxWaiting + 2, `${made()} requests were made of it`)
})

t.test('a request that asks for another protocol is answered as any other', async (t) => {
  const { client, made } = await open(t, (response) => response.end('{}'))
  const { socket, statuses } = await client()
  socket.write('GET /livez HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  await until('its answer', () => statuses().length === 1)
  socket.write(livez)
  await until('the next one', () => statuses().length === 2)
  t.strictSame([statuses(), made()], [['200', '200'], 2])
})

t.test('a request that nothing answers ends with its connection, and the service is told', async (t) => {
  const { client, unanswered } = await open(t, () => undefined, 100)
  const { socket, statuses } = await client()
  const end = once(socket, 'close')
  socket.write(livez)
  await end
  t.strictSame([statuses(), unanswered], [[], ['/livez']])
})

t.test('an idle connection ends, and nobody is told', async (t) => {
  const { client, unanswered } = await open(t, (response) => response.end('{}'), 100)
  const { socket, statuses } = await client()
  const end = once(socket, 'close')
  socket.write(livez.slice(0, -2))
  await end
  t.strictSame([statuses(), unanswered], [[], []])
})
