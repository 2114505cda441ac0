import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Kept connections that are idle have so long to be used, and refused, once more. */
const farewellMs = 1_000
const lookMs = 20

/**
 * Makes `app.close()` wait, for `drainMs` at most, until every request has its answer. The door stays open meanwhile:
 * new requests are refused with 503 and `Connection: close`, where a closed door would leave their clients without an
 * answer, as a connection would that is closed while its client writes.
 */
export function drainBeforeClose (app: FastifyInstance, drainMs: number): void {
  const connections = new Set<Socket>()
  /** Connections whose first request is still to come: they were opened for one. */
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
  // A child of its own, the last one: those of the routes answer who waits for news.
  app.register(async (scope) => {
    scope.addHook('preClose', async () => {
      // Their clients would send the next request over a connection that is about to be closed.
      for (const response of active) response.shouldKeepAlive = false
      const startMs = performance.now()
      const isOver = (limitMs: number): boolean => performance.now() - startMs >= Math.min(limitMs, drainMs)
      while (connections.size > 0 && !isOver(farewellMs)) await sleep(lookMs)
      let read = -1
      // What is idle is closed right after a turn of the event loop that found no request: on a busy machine some had
      // been sent long before, and were not read yet.
      const isExpected = (): boolean => active.size > 0 || (fresh.size > 0 && !isOver(farewellMs))
      while ((isExpected() || read !== requests) && !isOver(drainMs)) {
        read = requests
        await (isExpected() ? sleep(lookMs) : nextTurn())
      }
      app.server.closeIdleConnections()
      // The framework leaves a server open that listens on an inherited socket: the process would go on to take
      // connections, and end with them. What one that does not listen says of it does not matter.
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
