import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { signal } from '../support/processes.ts'
import { multipartAround, openRaw, uploadHead } from '../support/raw-http.ts'
import { Client, isConnectionError, isPassing, panelCsv, startService, type Job,
  type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Leases and intervals in fractions of a second, so that a fault is over in seconds. */
const quick = {
  TABCAST_LEASE_MS: '2000',
  TABCAST_HEARTBEAT_MS: '300',
  TABCAST_RECONCILE_MS: '300',
  TABCAST_SWEEP_MS: '300',
  TABCAST_CLAIM_TIMEOUT_MS: '500',
  TABCAST_DRAIN_MS: '3000',
  TABCAST_SLOTS: '2',
  TABCAST_SLOT_THREADS: '1',
  TABCAST_RATE_LIMITS: 'false'
}
const fields = { prediction_length: '6', presets: 'fast' }
const small = panelCsv(3, 40)
/** Some seconds of computing: what is done to the job meanwhile has to come before its end. */
const heavy = panelCsv(150, 120)
/** The same for long enough that each of two workers sleeps meanwhile. */
const heavier = panelCsv(400, 120)
const heavyFields = { prediction_length: '12', presets: 'balanced' }

async function open (t: Test,
  settings: Record<string, string> = {}): Promise<{ service: TestService, client: Client }> {
  const service = await startService({ ...quick, ...settings })
  t.teardown(() => service.cleanup())
  return { service, client: new Client(service.baseUrl, await service.createKey('acme')) }
}

/** For the rows that need no settings of their own, each with its own tenant. */
const shared = await startService(quick)
t.teardown(() => shared.cleanup())

async function openShared (tenant: string): Promise<{ service: TestService, client: Client }> {
  return { service: shared, client: new Client(shared.baseUrl, await shared.createKey(tenant)) }
}

async function running (client: Client, jobId: string): Promise<Job> {
  return await until('the job runs', async () => {
    const job = await client.job(jobId, 1)
    if (job.status === 'completed' || job.status === 'failed') {
      throw new Error(`the job ended too early: ${job.status} ${job.error}`)
    }
    return job.status === 'running' ? job : undefined
  })
}

async function riding<T> (read: () => Promise<T>): Promise<T> {
  return await until('an answer', async () => {
    try {
      return { value: await read() }
    } catch (error) {
      if (!isPassing(error)) throw error
      return undefined
    }
  }).then(({ value }) => value)
}

t.test('rows 1 and 2: a repeated Idempotency-Key finds the job of an api that was killed, or makes it, and never a ' +
  'second one', async (t) => {
  const { service, client } = await openShared('row-1')
  const kill = (): void => {
    for (const pid of service.pids('api')) signal(pid, 'SIGKILL')
  }
  const jobs = new Map<string, string>()
  const repeat = async (key: string) =>
    await until('an answer to the repeat', async () => await submitOnce(client, key))

  const early = Array.from({ length: 12 }, (_, index) => `early-${index}`)
  const answers = early.map(async (key) => await submitOnce(client, key))
  // Some are recorded by then, most are still being checked.
  await sleep(100)
  kill()
  let made = 0
  for (const [index, answer] of (await Promise.all(answers)).entries()) {
    const key = early[index] as string
    const { jobId, replayed } = answer ?? await repeat(key)
    jobs.set(key, jobId)
    if (answer === undefined && !replayed) made++
  }
  t.ok(made > 0, 'row 1: nothing was recorded, and the repeat makes the job')

  // The moment between the commit and the answer is too short to be hit, so the answer is held back, and then the api
  // dies.
  const proxy = await startFaultProxy(t, service.baseUrl)
  proxy.inject({ kind: 'lost-answer' })
  const behind = new Client(proxy.endpoint, client.key)
  const late = Array.from({ length: 12 }, (_, index) => `late-${index}`)
  t.strictSame(await Promise.all(late.map(async (key) => await submitOnce(behind, key))), late.map(() => undefined),
    'no answer came')
  kill()
  for (const key of late) {
    const { jobId, replayed } = await repeat(key)
    t.ok(replayed, 'row 2: the job was recorded, and the repeat finds it')
    jobs.set(key, jobId)
  }
  const ends = await Promise.all([...jobs.values()].map(async (id) => await client.ended(id)))
  t.strictSame([...new Set(ends.map(({ status }) => status))], ['completed'])
  const page = await riding(() => client.page())
  t.equal(page.jobs.length, jobs.size, 'one job for each key')
})

/** undefined: no answer, or one that asks to come again. */
async function submitOnce (client: Client, key: string): Promise<{ jobId: string, replayed: boolean } | undefined> {
  try {
    const answer = await client.submit(small, fields, 'data.csv', { 'idempotency-key': key })
    const body = await answer.json() as Job
    if (answer.status === 503) return undefined
    if (answer.status !== 202) throw new Error(`submit answered ${answer.status}: ${JSON.stringify(body)}`)
    return { jobId: body.job_id, replayed: answer.headers.get('idempotent-replayed') === 'true' }
  } catch (error) {
    if (!isConnectionError(error)) throw error
    return undefined
  }
}

t.test('row 3: jobs that were accepted but not published when the api was killed run after its restart', async (t) => {
  const { service, client } = await openShared('row-3')
  const jobs = await Promise.all(Array.from({ length: 40 }, async () => await client.submitted(small, fields)))
  for (const pid of service.pids('api')) signal(pid, 'SIGKILL')
  const ends = await Promise.all(jobs.map(async ({ job_id: id }) => await riding(async () => await client.ended(id))))
  t.strictSame([...new Set(ends.map(({ status }) => status))], ['completed'])
  const page = await riding(() => client.page())
  t.equal(new Set(page.jobs.map(({ job_id: id }) => id)).size, 40)
  t.equal(page.jobs.length, 40)
})

t.test('row 5: a service that is asked to stop finishes the uploads it has, refuses others, and leaves no half job', async (t) => {
  const { service, client } = await open(t, { TABCAST_DRAIN_MS: '10000' })
  const { head, tail } = multipartAround('data.csv', fields)
  const bytes = Buffer.byteLength(head) + Buffer.byteLength(small) + Buffer.byteLength(tail)
  const half = small.slice(0, small.length / 2)
  const uploads = await Promise.all(Array.from({ length: 200 }, async () => {
    const connection = await openRaw(service.baseUrl)
    connection.send(uploadHead(client.key, { 'content-length': String(bytes) }) + head + half)
    return connection
  }))
  await until('every upload in the spool', () => readdirSync(join(service.folder, 'data', 'spool')).length === 200)
  for (const pid of service.pids('api')) signal(pid, 'SIGTERM')
  // It closes its door and the connections that are idle; what comes in between is answered with a 503.
  await until('the api refuses',
    async () => await client.request('GET', '/models').then(({ status }) => status === 503, isConnectionError))
  // Half of the clients go on; the others never do, and the drain does not wait for them for ever.
  const [finished, stalled] = [uploads.slice(0, 100), uploads.slice(100)]
  for (const connection of finished) connection.send(small.slice(half.length) + tail)
  const answers = await Promise.all(
    finished.map(async (connection) => await connection.answer(20_000).catch(() => undefined))
  )
  const taken = answers.flatMap((answer) => answer?.status === 202 ? [(JSON.parse(answer.text) as Job).job_id] : [])
  // On a machine that is busy not every upload is checked before the drain is over.
  const cutOff = answers.filter((answer) => answer === undefined).length
  t.ok(taken.length > 0)
  t.equal(answers.filter((answer) => answer?.status === 503).length, 100 - taken.length - cutOff)
  t.ok(answers.every((answer) => answer === undefined || answer.headers.get('connection') === 'close'),
    'nobody is invited to use a connection again')
  for (const connection of stalled) await connection.ended(20_000)
  const page = await riding(() => client.page())
  const listed = new Set(page.jobs.map(({ job_id: id }) => id))
  t.ok(taken.every((id) => listed.has(id)), 'what was answered is there')
  t.ok(listed.size <= taken.length + cutOff, 'and nothing of those that were refused or never finished')
  const ends = await Promise.all([...listed].map(async (id) => await client.ended(id)))
  t.strictSame([...new Set(ends.map(({ status }) => status))], ['completed'], 'each of them whole')
  t.strictSame(readdirSync(join(service.folder, 'data', 'spool')), [])
})

t.test('row 6: a worker that is killed while it computes costs an attempt, not the job or its bytes', async (t) => {
  const { service, client } = await openShared('row-6')
  const undisturbed = await client.ended((await client.submitted(heavy, heavyFields)).job_id)
  const expected = await client.table(undisturbed.job_id)
  const { job_id: id } = await client.submitted(heavy, heavyFields)
  await running(client, id)
  for (const pid of service.pids('worker')) signal(pid, 'SIGKILL')
  const end = await client.ended(id)
  t.match(end, { status: 'completed', attempt: 2 })
  t.equal(await client.table(id), expected)
})

t.test('row 9: a worker that sleeps through its lease does not end the job twice', async (t) => {
  const { service, client } = await open(t, { TABCAST_WORKERS: '2' })
  const { job_id: id } = await client.submitted(heavier, heavyFields)
  await running(client, id)
  // Which of the two workers has the job is not visible from outside, so each sleeps in its turn.
  for (const pid of service.pids('worker')) {
    signal(pid, 'SIGSTOP')
    await sleep(3_000)
    signal(pid, 'SIGCONT')
  }
  const end = await client.ended(id)
  t.equal(end.status, 'completed')
  await sleep(3_000)
  t.strictSame(await client.job(id), end, 'the end is stable')
})

t.test('rows 10 and 29: a job that kills its slot fails after three attempts, and its neighbours are unaffected', async (t) => {
  // A claim that is not answered in time is not counted, and here the number of attempts is what is looked at.
  const { service, client } = await open(t, { TABCAST_WORKERS: '1', TABCAST_CLAIM_TIMEOUT_MS: '10000' })
  const neighbour = new Client(service.baseUrl, await service.createKey('globex'))
  const { job_id: id } = await client.submitted(heavy, heavyFields)
  const killed = new Set<unknown>()
  const end = await until('the job to end', async () => {
    const job = await client.job(id)
    if (job.status === 'completed' || job.status === 'failed') return job
    const progress = job['progress'] as { stage: string } | null
    if (!['backtest', 'fit'].includes(progress?.stage ?? '')) return undefined
    killed.add(job['attempt'])
    // As long as it computes: a kill can hit the slot that the attempt before had.
    for (const pid of service.pids('slot')) signal(pid, 'SIGKILL')
    return undefined
  }, 240_000)
  t.strictSame([...killed], [1, 2, 3])
  t.match(end, { status: 'failed', error_code: 'pipeline_failed', attempt: 3 })
  const other = await neighbour.ended((await neighbour.submitted(small, fields)).job_id)
  t.equal(other.status, 'completed')
})

t.test('row 10: a job that does not end within its budget fails with timeout, and its slot is replaced', async (t) => {
  const { service, client } = await open(t, { TABCAST_JOB_BUDGET_SECONDS: '2', TABCAST_WORKERS: '1' })
  const { job_id: id } = await client.submitted(heavy, heavyFields)
  await running(client, id)
  for (const pid of service.pids('slot')) signal(pid, 'SIGSTOP')
  t.match(await client.ended(id), { status: 'failed', error_code: 'timeout' })
  for (const pid of service.pids('slot')) signal(pid, 'SIGCONT')
  t.equal((await client.ended((await client.submitted(small, fields)).job_id)).status, 'completed')
})

t.test('row 11: the queue server is killed under load: reads go on, and no job is lost', async (t) => {
  const { service, client } = await openShared('row-11')
  const jobs: Job[] = []
  for (let round = 0; round < 3; round++) {
    for (let job = 0; job < 8; job++) {
      const answer = await client.submit(small, fields)
      const body = await answer.json() as Job & { retryable?: boolean }
      if (answer.status === 202) jobs.push(body)
      else {t.match({ status: answer.status, retryAfter: answer.headers.get('retry-after'), body }, {
          status: 503,
          retryAfter: /[0-9]+/,
          body: { retryable: true }
        })}
    }
    for (const pid of service.pids('nats')) signal(pid, 'SIGKILL')
    t.equal((await client.request('GET', '/jobs')).status, 200)
    await sleep(500)
  }
  for (const { job_id: id } of jobs) t.equal((await client.ended(id)).status, 'completed')
})

t.test('row 12: a queue folder that was wiped is rebuilt from the record', async (t) => {
  const { service, client } = await open(t, { TABCAST_DRAIN_MS: '200' })
  const jobs = await Promise.all(
    Array.from({ length: 30 }, async () => await client.submitted(small, { ...fields, presets: 'best' }))
  )
  await service.stop()
  rmSync(join(service.folder, 'data', 'nats'), { recursive: true })
  await service.restart()
  for (const { job_id: id } of jobs) t.equal((await client.ended(id)).status, 'completed')
})

t.test('row 24: a download that is under way when its job expires ends whole or with an error', async (t) => {
  const { client } = await open(t, { TABCAST_JOB_RETENTION_SECONDS: '2' })
  const { job_id: id } = await client.ended(
    (await client.submitted(panelCsv(2_000, 24), { prediction_length: '60', presets: 'fast' })).job_id
  )
  const whole = await client.table(id)
  const answer = await client.request('GET', `/jobs/${id}/download?format=csv`)
  const reader = answer.body!.getReader()
  const chunks: Uint8Array[] = []
  let failed = false
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (chunks.length === 0) {
        await until('the job expires', async () => (await client.request('GET', `/jobs/${id}`)).status === 404)
      }
      chunks.push(part.value)
    }
  } catch (error) {
    if (!isConnectionError(error)) throw error
    failed = true
  }
  const text = Buffer.concat(chunks).toString()
  t.ok(failed ? whole.startsWith(text) : text === whole, 'never mixed content')
  t.equal((await client.request('GET', `/jobs/${id}/download?format=csv`)).status, 404)
})

t.test('row 27: a second api on the same data folder refuses to start and names the holder', async (t) => {
  const [holder] = shared.pids('api')
  const second = spawnSync(process.execPath, ['dist/cli.js', 'api'], {
    env: {
      PATH: process.env['PATH'],
      TABCAST_DATA_DIR: join(shared.folder, 'data'),
      TABCAST_PORT: '0',
      TABCAST_NATS_URL: 'nats://127.0.0.1:1'
    },
    encoding: 'utf8',
    timeout: 20_000
  })
  t.equal(second.status, 78)
  t.match(second.stderr, new RegExp(`locked by pid ${holder} on `))
})

/** Mounting a small file system needs root. */
const mountable = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0

/** Removed when what is mounted in it is gone. */
function newFolder (t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-full-'))
  t.teardown(() => {
    rmSync(folder, { recursive: true })
  })
  return folder
}

function mountSmall (t: Test, folder: string, size: string): { fill: () => void, empty: () => void } {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  t.teardown(() => {
    execFileSync('umount', ['-l', folder])
  })
  const filler = join(folder, 'filler')
  return {
    fill () {
      const chunk = Buffer.alloc(64 * 1024)
      for (const bytes of [chunk.length, 4096, 1]) {
        try {
          for (;;) writeFileSync(filler, chunk.subarray(0, bytes), { flag: 'a' })
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
      }
    },
    empty: () => rmSync(filler)
  }
}

t.test('row 18: a full upload disk answers 503, with a full scratch disk jobs wait; both keep nothing, and recover', {
  skip: mountable ? false : 'mounting a small disk needs root'
}, async (t) => {
  // Nobody looks at a table above this size before its job.
  const folder = newFolder(t)
  const [spool, scratch] = [join(folder, 'data', 'spool'), join(folder, 'data', 'scratch')]
  const disk = mountSmall(t, spool, '1m')
  const scratchDisk = mountSmall(t, scratch, '16m')
  const service = await startService({ ...quick, TABCAST_SYNC_CHECK_MAX_BYTES: '0' }, folder)
  t.teardown(() => service.stop())
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  t.equal((await client.ended((await client.submitted(small, fields)).job_id)).status, 'completed')
  disk.fill()
  // A smaller one does not need that disk.
  const refused = await client.submit(panelCsv(20, 300), fields)
  t.match({ status: refused.status, body: await refused.json() }, {
    status: 503,
    body: { error_code: 'storage_error', retryable: true }
  })
  const health = await until('/health says so', async () => {
    const answer = await client.request('GET', '/health')
    return answer.status === 503 ? answer : undefined
  })
  t.match(await health.json(), { status: 'degraded', checks: { upload_dir: /error/, metadata_store: 'ok' } })
  t.strictSame(readdirSync(spool), ['filler'], 'nothing of the refused upload is left')
  disk.empty()
  await until('/health is well again', async () => (await client.request('GET', '/health')).status === 200)
  t.equal((await client.ended((await client.submitted(small, fields)).job_id)).status, 'completed')

  const left = () =>
    readdirSync(scratch, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) =>
      name
    )
  await until('an empty scratch folder', () => left().length === 0)
  scratchDisk.fill()
  const checked = await client.submitted(small, fields)
  const table = new FormData()
  table.append('label_column', 'target')
  table.append('file', new Blob([small]), 'data.csv')
  const taken = await (await client.request('POST', '/v2/regress', { body: table })).json() as Job
  await until('the job is under way', async () => (await client.job(taken.job_id)).status !== 'pending', 60_000)
  t.equal((await client.job(taken.job_id)).status, 'running', 'a job that was taken tries again within its budget')
  scratchDisk.empty()
  t.equal((await client.ended(taken.job_id)).status, 'completed')
  t.equal((await client.ended(checked.job_id)).status, 'completed', 'its check read the upload in place')
  t.equal((await client.ended((await client.submitted(small, fields)).job_id)).status, 'completed')
  await until('an empty scratch folder', () => left().length === 0)
})

t.test('row 19: a full metadata disk answers 503 without a job, and recovers', {
  skip: mountable ? false : 'mounting a small disk needs root'
}, async (t) => {
  const folder = newFolder(t)
  const disk = mountSmall(t, join(folder, 'data', 'metadata'), '2m')
  const service = await startService(quick, folder)
  t.teardown(() => service.stop())
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  const before = await client.ended((await client.submitted(small, fields)).job_id)
  disk.fill()
  // LMDB still has free pages inside its file for a while; in the end a commit does not fit.
  const accepted: Job[] = []
  const refusal = await until('a refusal', async () => {
    const answer = await client.submit(small, fields)
    const body = await answer.json() as Job
    if (answer.status === 202) accepted.push(body)
    return answer.status === 202 ? undefined : { status: answer.status, body }
  }, 60_000)
  t.match(refusal, { status: 503, body: { error_code: 'storage_error' } })
  t.strictSame((await client.job(before.job_id)).status, 'completed', 'reads go on')
  disk.empty()
  const after = await until('the next job is taken', async () => {
    const answer = await client.submit(small, fields)
    const body = await answer.json() as Job
    return answer.status === 202 ? body : undefined
  })
  for (const { job_id: id } of [...accepted, after]) t.equal((await client.ended(id)).status, 'completed')
})
