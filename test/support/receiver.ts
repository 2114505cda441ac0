import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { until } from './until.ts'

export interface Delivery {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The `webhook-id`. */
  id: string
}

export interface Receiver {
  url: string
  /** As the settings want it. */
  host: string
  deliveries: Delivery[]
  /** How each delivery is answered; `index` counts from 0. Default: 204. */
  answer: (response: ServerResponse, index: number, delivery: Delivery) => void
  /** Waits until there are so many. */
  received(count: number): Promise<Delivery[]>
}

/** An endpoint for callbacks: a real server on 127.0.0.1 that keeps what it was sent. */
export async function openReceiver (t: Test): Promise<Receiver> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    }).on('end', () => {
      const { method = '', url: path = '', headers } = request
      const delivery = { method, path, headers, body, id: String(headers['webhook-id']) }
      receiver.deliveries.push(delivery)
      receiver.answer(response, receiver.deliveries.length - 1, delivery)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const receiver: Receiver = {
    url: `http://${host}/hook`,
    host,
    deliveries: [],
    answer: (response) => {
      response.writeHead(204).end()
    },
    async received (count) {
      await until(`${count} deliveries`, () => receiver.deliveries.length >= count)
      return receiver.deliveries
    }
  }
  return receiver
}

/** An answer without a body. */
export function status (code: number, headers: Record<string, string> = {}): Receiver['answer'] {
  return (response) => {
    response.writeHead(code, headers).end()
  }
}
