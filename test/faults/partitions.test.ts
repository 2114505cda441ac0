import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { findFreePort } from '../../src/commands/demo/private-service.ts'
import { launcher, runTabcast } from '../support/command.ts'
import { setup as setupNats } from '../support/nats.ts'
import { Client, panelCsv, type Job } from '../support/service.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'

/* Row 14 of the crash matrix: the network between one process and the queue swallows everything for several leases. */

const leaseMs = 2_000
/** Some seconds of computing: what is done to the job meanwhile has to come before its end. */
const heavy = panelCsv(300, 120)
const fields = { prediction_length: '12', presets: 'balanced' }
const settings = {
  TABCAST_LEASE_MS: String(leaseMs),
  TABCAST_HEARTBEAT_MS: '300',
  TABCAST_RECONCILE_MS: '300',
  TABCAST_CLAIM_TIMEOUT_MS: '500',
  TABCAST_QUICK_TIMEOUT_MS: '1000',
  TABCAST_SLOTS: '2',
  TABCAST_SLOT_THREADS: '1',
  TABCAST_RATE_LIMITS: 'false',
  TABCAST_SHARED_DATA_DIR: 'true'
}

interface Site {
  client: Client
  /** Between the queue and the api, and between it and each worker. */
  networks: Record<'api' | 'first' | 'second', TcpProxy>
  startWorker(network: 'first' | 'second'): Promise<void>
  /** Runs that have files in the object store. */
  runsOf(jobId: string): string[]
}

/** An api around a queue, each process with a network of its own. */
async function openSite (t: Pick<Test, 'teardown'>): Promise<Site> {
  const nats = await setupNats()
  const target = { host: '127.0.0.1', port: Number(new URL(nats.server.url).port) }
  const networks = {
    api: await startTcpProxy(target),
    first: await startTcpProxy(target),
    second: await startTcpProxy(target)
  }
  // Short: the path of a socket in it has a limit.
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-site-'))
  const environment = {
    ...settings,
    TABCAST_NATS_TOKEN: nats.server.token,
    TABCAST_DATA_DIR: folder,
    TABCAST_PORT: String(await findFreePort())
  }
  const key = (await runTabcast(['keys', 'create', '--tenant', 'acme'], environment)).last
  const children: ChildProcess[] = []
  const start = (role: 'api' | 'worker', network: TcpProxy): ChildProcess => {
    const [program, ...args] = launcher
    const env = { PATH: process.env['PATH'], ...environment, TABCAST_NATS_URL: `nats://127.0.0.1:${network.port}` }
    const child = spawn(program, [...args, process.execPath, 'dist/cli.js', role], {
      env,
      stdio: ['ignore', 'ignore', 'pipe']
    })
    children.push(child)
    return child
  }
  t.teardown(async () => {
    const ends = children.map(async (child) => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    })
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(ends)
    await Promise.all(Object.values(networks).map((network) => network.close()))
    await nats.cleanup()
    rmSync(folder, { recursive: true, force: true })
  })
  start('api', networks.api)
  const client = new Client(`http://127.0.0.1:${environment.TABCAST_PORT}`, key)
  await until('the api', async () => await client.request('GET', '/livez').then(({ ok }) => ok, () => false))
  return {
    client,
    networks,
    async startWorker (network) {
      const worker = start('worker', networks[network])
      let log = ''
      worker.stderr?.on('data', (text: Buffer) => {
        log += text.toString()
      })
      await until('a worker', () => log.includes('worker started'))
    },
    runsOf: (jobId) => readdirSync(join(folder, 'objects', 'acme', jobId)).filter((name) => name !== 'input')
  }
}

async function accepted (client: Client): Promise<string> {
  return await until('a worker that takes the job', async () => {
    const answer = await client.submit(heavy, fields)
    const body = await answer.json() as Job
    if (answer.status === 202) return body.job_id
    if (answer.status !== 503) throw new Error(`submit answered ${answer.status}: ${JSON.stringify(body)}`)
    return undefined
  })
}

const { client, networks, startWorker, runsOf } = await openSite(t)

t.test('a worker that loses the queue loses its job to another one, and cannot end it twice when it comes back', async (t) => {
  await startWorker('first')
  const id = await accepted(client)
  await until('the job runs', async () => (await client.job(id, 1)).status === 'running')
  networks.first.cut()
  await startWorker('second')
  const end = await client.ended(id)
  t.equal(end.status, 'completed', end.error ?? '')
  t.ok(Number(end['attempt']) >= 2)
  const table = await client.table(id)
  networks.first.heal()
  await sleep(2 * leaseMs)
  t.strictSame(await client.job(id), end, 'nothing of the end has changed')
  t.equal(await client.table(id), table)
  await until('the losing run is swept', () => runsOf(id).length === 1)
})

t.test('an api that loses the queue reads on, refuses new jobs, and learns of the ends when it is back', async (t) => {
  const listed = async () => (await client.page()).jobs.map(({ job_id: id }) => id).sort()
  const before = await listed()
  const ids = [await accepted(client), await accepted(client)]
  await until('a job runs', async () => (await client.job(ids[0] as string, 1)).status === 'running')
  networks.api.cut()
  t.equal((await client.job(ids[1] as string)).job_id, ids[1], 'reads need no queue')
  const refused = await client.submit(heavy, fields)
  t.equal(refused.status, 503)
  t.match(await refused.json(), { error_code: 'compute_unavailable', retryable: true })
  await sleep(3 * leaseMs)
  networks.api.heal()
  for (const id of ids) t.match(await client.ended(id), { status: 'completed', error: null })
  t.strictSame(await listed(), [...before, ...ids].sort(), 'the refused one left nothing')
})
