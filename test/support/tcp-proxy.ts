import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /**
   * As a network that swallows every packet: connections stay open, nothing gets through, new ones are not answered.
   */
  cut(): void
  /** Packets flow again; what was held is delivered late. */
  heal(): void
  close(): Promise<void>
}

/** Stands between a client and a server on this machine, so that a test can take the network away from one of them. */
export async function startTcpProxy (target: { host: string, port: number }): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>()
  let isCut = false
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host)
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    const end = (): void => {
      pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    for (const socket of pair) socket.once('close', end).on('error', end)
    client.pipe(upstream)
    upstream.pipe(client)
    if (isCut) { for (const socket of pair) socket.pause() }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut () {
      isCut = true
      for (const socket of [...pairs].flat()) socket.pause()
    },
    heal () {
      isCut = false
      for (const socket of [...pairs].flat()) socket.resume()
    },
    async close () {
      for (const socket of [...pairs].flat()) socket.destroy()
      server.close()
      await once(server, 'close')
    }
  }
}
