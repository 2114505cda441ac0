import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { quantile } from '../quantile.ts'
import { comparison, type Measurement } from '../result.ts'
import type { LoadClient } from './load-client.ts'

/** Connections that are made at a time: the backlog of a listening socket is a few hundred. */
const width = 200

async function readsMs (client: LoadClient, jobId: string, count: number): Promise<number[]> {
  const times: number[] = []
  for (let read = 0; read < count; read++) {
    const startMs = performance.now()
    await client.status(jobId)
    times.push(performance.now() - startMs)
  }
  return times
}

/** One request over a connection that then stays open. */
async function openIdle (baseUrl: URL): Promise<Socket> {
  const socket = connect(Number(baseUrl.port), baseUrl.hostname)
  await once(socket, 'connect')
  socket.write(`GET /livez HTTP/1.1\r\nhost: ${baseUrl.host}\r\n\r\n`)
  await once(socket, 'data')
  return socket
}

/**
 * Reads while thousands of clients keep a connection open and say nothing. The service closes such a one after 10 s, so
 * that the reads are made within that time of the first one.
 */
export async function measureIdleSockets (client: LoadClient, baseUrl: string, completedJobId: string,
  trial: boolean): Promise<Measurement> {
  const sockets = trial ? 500 : 10_000
  const count = trial ? 200 : 2_000
  await readsMs(client, completedJobId, count)
  const alone = await readsMs(client, completedJobId, count)
  const idle: Socket[] = []
  try {
    for (let opened = 0; opened < sockets; opened += width) {
      idle.push(
        ...await Promise.all(
          Array.from({ length: Math.min(width, sockets - opened) }, () => openIdle(new URL(baseUrl)))
        )
      )
    }
    const beside = await readsMs(client, completedJobId, count)
    const open = idle.filter((socket) => !socket.destroyed && !socket.readableEnded).length
    if (open < sockets) {
      throw new Error(`${sockets - open} of ${sockets} idle connections were closed before the reads were done`)
    }
    return {
      ...comparison({
        what: `GET /jobs/{id} beside ${sockets} idle connections, p99 of ${count}`,
        figure: quantile(beside, 0.99),
        unit: 'ms',
        peer: { name: 'without them', figure: quantile(alone, 0.99) }
      }),
      gate: { atMost: 2 }
    }
  } finally {
    for (const socket of idle) socket.destroy()
  }
}
