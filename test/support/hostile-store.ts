import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { StoreAddress } from './connector.ts'

/** A server at which a customer's connection may point: it answers as the test says. */
export async function startHostileStore (t: Test,
  answer: RequestListener): Promise<StoreAddress & { requests: string[] }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    accessKeyId: 'AKIAHOSTILE00001',
    secretAccessKey: 'hostile-secret',
    requests
  }
}

/** The answer of an S3 store that fails. */
export function s3Failure (status: number, code: string, message = 'no'): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/xml' })
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`)
  }
}

/** The address of a store that begins an answer and then drips without end. */
export async function startDrippingStore (t: Test, begin: string, drop: string): Promise<string> {
  const server = createTcpServer((socket) =>
    socket.on('error', () => undefined).once('data', () => {
      socket.write(begin)
      const timer = setInterval(() => socket.write(drop), 50)
      socket.on('close', () => clearInterval(timer))
    })
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Headers without end, and a failure whose body has none. */
export const endlessHeaders = ['HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'] as const
export const endlessFailure = (status: number) =>
  [`HTTP/1.1 ${status} No\r\ncontent-length: 60000\r\n\r\n`, 'x'] as const
