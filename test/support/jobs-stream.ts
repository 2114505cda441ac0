import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'nats'
import type { Test } from 'tap'
import { jobsStream } from '../../src/platform/queue/streams.ts'
import type { TestService } from './service.ts'

/** How many job messages the queue of a service has: those that no worker has acknowledged. */
export async function openJobsStream (t: Test, service: TestService): Promise<() => Promise<number>> {
  const { port, token } = JSON.parse(readFileSync(join(service.folder, 'data', 'nats', 'server.json'), 'utf8')) as {
    port: number
    token: string
  }
  const connection = await connect({ servers: `127.0.0.1:${port}`, token })
  t.teardown(() => connection.close())
  const manager = await connection.jetstreamManager()
  return async () => (await manager.streams.info(jobsStream)).state.messages
}
