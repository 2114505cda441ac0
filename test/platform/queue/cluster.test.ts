import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type JetStreamManager } from 'nats'
import t, { type Test } from 'tap'
import { findFreePort } from '../../../src/commands/demo/private-service.ts'
import { connectQueue, findNatsServer, type Queue } from '../../../src/platform/queue/index.ts'
import { testJob } from '../../support/job-message.ts'
import { setup, testStreams } from '../../support/nats.ts'
import { silentLog } from '../../support/silent-log.ts'
import { until } from '../../support/until.ts'

/* Three NATS servers with the file of deploy, which keep each message three times. */

const token = 'tok_0123456789abcdef'
const streams = ['JOBS', 'EVENTS', 'SHARDS']
const replicated = { ...testStreams, replicas: 3 }

interface Cluster {
  url: string
  servers: Map<string, ChildProcess>
}

async function startCluster (t: Test): Promise<Cluster> {
  const text = readFileSync('deploy/nats-cluster.conf', 'utf8')
  const { path: binary } = await findNatsServer('')
  const folder = t.testdir({})
  const hosts: Array<{ name: string, client: number, route: number }> = []
  for (const name of ['queue-1', 'queue-2', 'queue-3']) {
    hosts.push({ name, client: await findFreePort(), route: await findFreePort() })
  }
  const routes = JSON.stringify(hosts.map(({ route }) => `nats://tabcast:${token}@127.0.0.1:${route}`))
  const servers = new Map<string, ChildProcess>()
  for (const { name, client, route } of hosts) {
    const path = join(folder, `${name}.conf`)
    const own = {
      '0.0.0.0:4222': `127.0.0.1:${client}`,
      '0.0.0.0:8222': '127.0.0.1:-1',
      '0.0.0.0:6222': `127.0.0.1:${route}`,
      '"/data"': JSON.stringify(join(folder, name))
    }
    writeFileSync(path, Object.entries(own).reduce((text, [from, to]) => text.replace(from, to), text))
    const server = spawn(binary, ['--config', path], {
      stdio: 'ignore',
      env: { NATS_NAME: name, NATS_ROUTES: routes, TABCAST_NATS_TOKEN: token }
    })
    servers.set(name, server)
  }
  t.teardown(async () => {
    await Promise.all([...servers.values()].map(end))
  })
  return { url: hosts.map(({ client }) => `nats://127.0.0.1:${client}`).join(), servers }
}

async function end (server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGKILL')
  await ended
}

/** A cluster that elects its leader takes no streams yet. */
async function ensured (queue: Queue): Promise<string> {
  return await until('the streams',
    async () => await queue.ensureStreams(replicated).then(({ jobsCreated }) => jobsCreated, () => undefined), 60_000)
}

async function leaderOf (manager: JetStreamManager, stream: string): Promise<string> {
  return await until('a leader',
    async () => await manager.streams.info(stream).then(({ cluster }) => cluster?.leader, () => undefined), 60_000)
}

await t.test('a cluster of three keeps the streams when a server is lost', async (t) => {
  const { url, servers } = await startCluster(t)
  const queue = connectQueue({ url, token, name: 'test', log: silentLog })
  t.teardown(() => queue.close())
  await queue.ready(30_000)
  const connection = await connect({ servers: url.split(','), token, maxReconnectAttempts: -1 })
  t.teardown(() => connection.close())
  const manager = await connection.jetstreamManager({ checkAPI: false })
  const created = await ensured(queue)
  const made = await Promise.all(streams.map((name) => manager.streams.info(name)))
  t.strictSame(made.map(({ config }) => config.num_replicas), [3, 3, 3])
  await queue.publishJob('large', testJob('job_a'))

  const lost = await leaderOf(manager, 'JOBS')
  await end(servers.get(lost)!)
  const { seq } = await until('a job can be published',
    async () => await queue.publishJob('large', testJob('job_b')).catch(() => undefined), 60_000)
  t.not(await leaderOf(manager, 'JOBS'), lost)
  t.equal(await ensured(queue), created, 'it is the same stream for the api, which publishes nothing again')
  const jobs = [await queue.nextJob('large', 5_000), await queue.nextJob('large', 5_000)]
  t.strictSame(jobs.map((job) => job?.message.jobId), ['job_a', 'job_b'])
  for (const job of jobs) job?.ack()
  await until('both are gone', async () => !await queue.jobMessageExists(seq))
  t.match(await queue.streamState(), { jobMessages: 0, missingConsumers: [] })
})

await t.test('a server without a cluster refuses, and the error names the setting', async (t) => {
  const nats = await setup()
  t.teardown(nats.cleanup)
  const queue = await nats.connect()
  await t.rejects(queue.ensureStreams(replicated), {
    code: 'unavailable',
    message: 'streams with TABCAST_NATS_REPLICAS=3: replicas > 1 not supported in non-clustered mode'
  })
})
