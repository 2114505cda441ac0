import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { openFilesLimit } from '../../open-files-limit.ts'
import { addressGroup } from '../address-group.ts'

/** Which bound refused a connection. */
export type ConnectionBound = 'all' | 'address'

const mostByDefault = 16_384
const logMs = 60_000

/**
 * A connection beyond the bounds is closed at once: a process that has no file descriptor left can open no file either,
 * and one address must not have all connections.
 */
export function boundConnections (
  app: FastifyInstance, config: Config, onRefused: (bound: ConnectionBound) => void
): void {
  const most = mostConnections(config)
  const { MAX_CONNECTIONS_PER_ADDRESS: given } = config
  const mostOfOne = given === 0 ? Math.ceil(most * 0.75) : given
  const open = new Map<string, number>()
  let loggedMs = -Infinity
  let refused = 0
  const refuse = (bound: ConnectionBound): void => {
    onRefused(bound)
    refused++
    const nowMs = performance.now()
    if (nowMs - loggedMs < logMs) return
    app.log.warn({ bound, most, mostOfOne, refused }, 'connections are refused: there are as many as there may be')
    loggedMs = nowMs
    refused = 0
  }
  app.server.maxConnections = most
  app.server.on('drop', () => refuse('all'))
  // Behind a proxy its address is that of everybody.
  if (config.TRUST_PROXY) return
  app.server.on('connection', (socket: Socket) => {
    const group = addressGroup(socket.remoteAddress ?? '')
    const count = (open.get(group) ?? 0) + 1
    if (count > mostOfOne) {
      refuse('address')
      socket.destroy()
      return
    }
    open.set(group, count)
    socket.once('close', () => {
      const left = (open.get(group) ?? 1) - 1
      if (left === 0) open.delete(group)
      else open.set(group, left)
    })
  })
}

/** By default a quarter of the files that may be open is left for uploads, downloads, the record and the queue. */
function mostConnections ({ MAX_CONNECTIONS: most }: Config): number {
  if (most > 0) return most
  return Math.max(16, Math.min(mostByDefault, Math.floor((openFilesLimit() ?? Infinity) * 0.75)))
}
