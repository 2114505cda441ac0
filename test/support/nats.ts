import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectQueue, startEmbeddedServer, type EmbeddedServer, type Queue,
  type StreamSettings } from '../../src/platform/queue/index.ts'
import { silentLog } from './silent-log.ts'

export interface TestNats {
  folder: string
  server: EmbeddedServer
  /** A connected client; closed by `cleanup`. */
  connect(name?: string): Promise<Queue>
  /** SIGKILL; the server comes back by itself on the same port. */
  kill(): void
  cleanup(): Promise<void>
}

export const testStreams: StreamSettings = {
  maxJobs: 1000,
  maxEventBytes: 16 * 1024 * 1024,
  leaseMs: 1500,
  replicas: 1
}

/** A real nats-server on a free port with its streams in a folder of its own. */
export async function setup (): Promise<TestNats> {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-nats-'))
  const server = await startEmbeddedServer({ folder, binary: '', log: silentLog })
  const queues: Queue[] = []
  return {
    folder,
    server,
    async connect (name = 'test') {
      const queue = connectQueue({ url: server.url, token: server.token, name, log: silentLog })
      queues.push(queue)
      await queue.ready(10_000)
      return queue
    },
    kill () {
      if (server.pid !== undefined) process.kill(server.pid, 'SIGKILL')
    },
    async cleanup () {
      await Promise.all(queues.map((queue) => queue.close()))
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}
