import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { openFilesLimit } from '../../platform/process/open-files-limit.ts'
import { addressGroup, networkOf } from '../address-group.ts'
import { OpenConnections } from '../open-connections.ts'

/** The limit that refused a connection. */
export type ConnectionBound = 'all' | 'address'

const mostByDefault = 16_384
const logMs = 60_000

/**
 * Limits connections, because a process without free file descriptors cannot open files either. A connection beyond the
 * limit of its address is closed at once. At the limit of the process, a connection of the address with the most is
 * closed to admit the new one: an idle one if there is any.
 */
export function boundConnections (
  app: FastifyInstance,
  config: Config,
  onRefused: (bound: ConnectionBound) => void
): void {
  const most = mostConnections(config)
  const { MAX_CONNECTIONS_PER_ADDRESS: given } = config
  const mostOfOne = given === 0 ? Math.ceil(most * 0.75) : given
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
  app.server.on('drop', () => refuse('all'))
  // Behind a proxy all connections have the proxy's address, and the proxy reuses its idle ones.
  app.server.maxConnections = config.TRUST_PROXY ? most : most + 1
  if (config.TRUST_PROXY) return
  const connections = new OpenConnections()
  app.server.on('connection', (socket: Socket) => {
    const ofOne = connections.open(socket, addressGroup(socket.remoteAddress ?? ''),
      networkOf(socket.remoteAddress ?? ''))
    if (ofOne > mostOfOne) {
      refuse('address')
      connections.close(socket)
    } else if (connections.count > most) {
      refuse('all')
      connections.makeRoom(socket)
    }
  })
  app.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    connections.begin(request)
    response.once('close', () => connections.end(request))
  })
}

/**
 * By default a quarter of the process's file descriptors stays free for uploads, downloads, the record and the queue.
 */
function mostConnections ({ MAX_CONNECTIONS: most }: Config): number {
  if (most > 0) return most
  return Math.max(16, Math.min(mostByDefault, Math.floor((openFilesLimit() ?? Infinity) * 0.75)))
}
