import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextPass, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long idle connections stay open, so that their next request gets a refusal. */
const farewellMs = 1_000
const lookMs = 20

/**
 * Makes `app.close()` wait until every request has its answer, at most `drainMs`. The port stays open meanwhile, and
 * new requests are refused with 503 and `Connection: close`. With a closed port, or a connection that closes while the
 * client writes, clients would get no answer at all.
 */
export function drainBeforeClose (app: FastifyInstance, drainMs: number): void {
  const connections = new Set<Socket>()
  /** Connections that were opened for a first request, which has not come yet. */
  const fresh = new Set<Socket>()
  const active = new Set<ServerResponse>()
  let requests = 0
  app.server.on('connection', (socket) => {
    keepUntilClosed(connections, socket)
    keepUntilClosed(fresh, socket)
  })
  app.server.on('request', (request, response) => {
    requests++
    fresh.delete(request.socket)
    keepUntilClosed(active, response)
  })
  // In the last child scope, because the hooks of the routes' scopes answer clients that wait for news.
  app.register(async (scope) => {
    scope.addHook('preClose', async () => {
      // Otherwise clients would send the next request on a connection that is about to close.
      for (const response of active) response.shouldKeepAlive = false
      const startMs = performance.now()
      const isOver = (limitMs: number): boolean => performance.now() - startMs >= Math.min(limitMs, drainMs)
      while (connections.size > 0 && !isOver(farewellMs)) await sleep(lookMs)
      let read = -1
      // Idle connections are closed right after a pass of the event loop without any new request. On a busy machine,
      // requests may have been sent long before they are read.
      const isExpected = (): boolean => active.size > 0 || (fresh.size > 0 && !isOver(farewellMs))
      while ((isExpected() || read !== requests) && !isOver(drainMs)) {
        read = requests
        await (isExpected() ? sleep(lookMs) : nextPass())
      }
      app.server.closeIdleConnections()
      // The framework does not close a server that listens on an inherited socket, so the process would accept
      // connections and end with them. An error for a server that does not listen does not matter.
      await new Promise((resolve) => app.server.close(resolve))
    })
  })
}

function keepUntilClosed<T extends { once(event: 'close', listener: () => void): unknown }> (set: Set<T>,
  item: T): void {
  set.add(item)
  item.once('close', () => {
    set.delete(item)
  })
}
