import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { openFilesLimit } from '../../platform/process/open-files-limit.ts'
import { addressGroup } from '../address-group.ts'
import { OpenConnections } from '../open-connections.ts'

/** Which bound refused a connection. */
export type ConnectionBound = 'all' | 'address'

const mostByDefault = 16_384
const logMs = 60_000

/**
 * A process that has no file descriptor left can open no file either, so connections are bounded, and one address must
 * not have all of them: beyond its bound a connection is closed at once. Several addresses together must not have all
 * either: beyond the bound of the process an idle connection is closed, of the address that has most of them, for the
 * one that comes.
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
  // Behind a proxy its address is that of everybody, and it uses its idle connections again.
  app.server.maxConnections = config.TRUST_PROXY ? most : most + 1
  if (config.TRUST_PROXY) return
  const connections = new OpenConnections()
  app.server.on('connection', (socket: Socket) => {
    const ofOne = connections.open(socket, addressGroup(socket.remoteAddress ?? ''))
    if (ofOne > mostOfOne) {
      refuse('address')
      connections.close(socket)
    } else if (connections.count > most) {
      refuse('all')
      connections.closeIdle()
    }
  })
  app.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    connections.begin(socket)
    response.once('close', () => connections.end(socket))
  })
}

/** By default a quarter of the files that may be open is left for uploads, downloads, the record and the queue. */
function mostConnections ({ MAX_CONNECTIONS: most }: Config): number {
  if (most > 0) return most
  return Math.max(16, Math.min(mostByDefault, Math.floor((openFilesLimit() ?? Infinity) * 0.75)))
}
