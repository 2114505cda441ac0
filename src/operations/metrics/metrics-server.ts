import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { ServiceMetrics } from './service-metrics.ts'

export interface MetricsServer {
  readonly port: number
  close(): Promise<void>
}

/**
 * Serves the metrics on a port of its own, without keys: whoever can reach the port can read them. Rejects if the
 * address cannot be listened on.
 */
export async function serveMetrics (metrics: Pick<ServiceMetrics, 'text' | 'contentType'>,
  { port, host }: { port: number, host: string }, log: Pick<Logger, 'error'>): Promise<MetricsServer> {
  // Scrapes that overlap share one answer: the port needs no key, and each text reads much of the record and the disk.
  let pending: Promise<string> | undefined
  const text = async (): Promise<string> => {
    pending ??= metrics.text().finally(() => {
      pending = undefined
    })
    return await pending
  }
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0]
    if (path !== '/metrics') answer(response, 404, 'The metrics are at /metrics.\n')
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      answer(response.setHeader('allow', 'GET, HEAD'), 405, 'GET and HEAD are served here.\n')
    } else {
      text().then(
        (written) => answer(response, 200, written, metrics.contentType),
        (error: unknown) => {
          log.error({ err: error }, 'metrics not readable')
          answer(response, 500, 'The metrics cannot be read.\n')
        }
      )
    }
  })
  server.listen({ port, host })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close () {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    }
  }
}

function answer (response: ServerResponse, status: number, text: string,
  contentType = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, {
    'content-type': contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff'
  }).end(text)
}
