import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signal } from '../support/processes.ts'
import { uniform } from '../support/random.ts'
import { Client, isConnectionError, isPassing, panelCsv, type Job, type TestService } from '../support/service.ts'

const roles = ['worker', 'slot', 'nats', 'api'] as const
type Role = typeof roles[number]

export interface StormOptions {
  jobs: number
  seed: number
  clients: number
  /** Mean pause between two kills, milliseconds. */
  pauseMs: number
  /** Mean pause of a client between two jobs, milliseconds: spreads the jobs over the kills. */
  thinkMs: number
  /** What is submitted; small forecasts unless it is given. */
  work?: { fields: Record<string, string>, input: (seed: number) => string }
}

/** What the clients saw; the job contract holds when `lost`, `doubled` and `wrong` are empty. */
export interface StormReport {
  seed: number
  /** Answered with a 202. */
  accepted: number
  /** Answered with a 503: retried by the client. */
  refused: number
  /** The connection broke before an answer came: the job may exist. */
  unanswered: number
  completed: number
  kills: Record<Role, number>
  /** Accepted jobs that failed, vanished or did not end. */
  lost: string[]
  /**
   * Jobs that are listed more than once, that a repeated request made again, or whose end changed after it was seen.
   */
  doubled: string[]
  /** Jobs whose result is not the bytes of an undisturbed run. */
  wrong: string[]
  seconds: number
}

const datasets = 8
const small: NonNullable<StormOptions['work']> = {
  fields: { prediction_length: '6', presets: 'fast' },
  input: (seed) => panelCsv(3, 40, { seed })
}

/** Large jobs: with analyses they are, whatever they cost. With these settings each has about ten shards. */
export const inShards: NonNullable<StormOptions['work']> = {
  fields: { prediction_length: '6', presets: 'fast', explainability: '{"enabled":true,"feature_importance":true}' },
  input: (seed) => panelCsv(40, 120, { seed })
}
export const shardSettings = { TABCAST_SHARD_SECONDS: '0.001' }

/**
 * Submits jobs from several clients while processes are killed by SIGKILL at random, then checks every job from
 * outside.
 */
export async function killStorm (service: TestService, options: StormOptions): Promise<StormReport> {
  const startedMs = performance.now()
  const random = uniform(options.seed)
  const client = new Client(service.baseUrl, await service.createKey('storm'))
  const { fields, input: inputOf } = options.work ?? small
  const inputs = Array.from({ length: datasets }, (_, seed) => inputOf(seed + 1))
  const expected: string[] = []
  for (const input of inputs) {
    expected.push(await client.table((await client.ended((await client.submitted(input, fields)).job_id)).job_id))
  }

  const report: StormReport = {
    seed: options.seed,
    accepted: 0,
    refused: 0,
    unanswered: 0,
    completed: 0,
    kills: { worker: 0, slot: 0, nats: 0, api: 0 },
    lost: [],
    doubled: [],
    wrong: [],
    seconds: 0
  }
  const ends = new Map<string, Job>()
  let left = options.jobs
  const calm = new AbortController()

  /**
   * Waits for a job to end between two kills: on a machine so busy that nothing ends, more kills would only be more
   * starts.
   */
  async function rage (): Promise<void> {
    while (!calm.signal.aborted) {
      const { completed } = report
      const patienceMs = performance.now() + 5 * options.pauseMs
      await sleep(options.pauseMs * (0.5 + random()))
      while (report.completed === completed && performance.now() < patienceMs && !calm.signal.aborted) await sleep(50)
      const role = roles[Math.floor(random() * roles.length)]!
      const pids = service.pids(role)
      const pid = pids[Math.floor(random() * pids.length)]
      if (pid === undefined) continue
      signal(pid, 'SIGKILL')
      report.kills[role]++
    }
  }

  async function submit (input: string, key: string): Promise<Job | undefined> {
    try {
      const answer = await client.submit(input, fields, 'data.csv', { 'idempotency-key': key })
      const body = await answer.json() as Job
      if (answer.status === 202) return body
      if (answer.status !== 503) throw new Error(`submit answered ${answer.status}: ${JSON.stringify(body)}`)
      report.refused++
    } catch (error) {
      if (!isConnectionError(error)) throw error
      report.unanswered++
    }
    await sleep(100)
    return undefined
  }

  async function work (): Promise<void> {
    while (left > 0) {
      const dataset = left % datasets
      left--
      await sleep(options.thinkMs * 2 * random())
      // With the same key a repeat finds the job that an unanswered request may have made.
      const key = randomUUID()
      let job: Job | undefined
      while (job === undefined) job = await submit(inputs[dataset]!, key)
      report.accepted++
      const end = await ended(client, job.job_id)
      if (end?.status !== 'completed') {
        report.lost.push(
          `${job.job_id}: ${end === undefined ? 'did not end' : `${end.status} ${end.error_code}: ${end.error}`}`
        )
        continue
      }
      ends.set(job.job_id, end)
      report.completed++
      if (await riding(() => client.table(job.job_id)) !== expected[dataset]) report.wrong.push(job.job_id)
    }
  }

  const fury = rage()
  await Promise.all(Array.from({ length: options.clients }, work))
  calm.abort()
  await fury

  await checkAgain(client, ends, report)
  report.seconds = Math.round((performance.now() - startedMs) / 1000)
  return report
}

async function ended (client: Client, jobId: string): Promise<Job | undefined> {
  try {
    return await riding(() => client.ended(jobId, 180_000))
  } catch (error) {
    if (error instanceof Error && error.message.includes('has not ended')) return undefined
    throw error
  }
}

/** Repeats a read while processes are being killed; gives up when nothing answers for a minute. */
async function riding<T> (read: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + 60_000
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (performance.now() > endMs || !isPassing(error)) throw error
      await sleep(100)
    }
  }
}

/** After the storm: every job is listed once, all have ended, and no end has changed. */
async function checkAgain (client: Client, ends: Map<string, Job>, report: StormReport): Promise<void> {
  const listed = new Map<string, number>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: string = `limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const page = await riding(() => client.page(query))
    for (const { job_id: jobId } of page.jobs) listed.set(jobId, (listed.get(jobId) ?? 0) + 1)
    cursor = page.next_cursor
  }
  for (const [jobId, count] of listed) if (count > 1) report.doubled.push(`${jobId} is listed ${count} times`)
  for (const jobId of listed.keys()) {
    const now = await ended(client, jobId)
    const before = ends.get(jobId)
    if (now === undefined) report.lost.push(`${jobId}: did not end`)
    else if (before !== undefined && (now.status !== before.status || now['completed_at'] !== before['completed_at'])) {
      report.doubled.push(`${jobId} ended twice`)
    }
  }
  if (listed.size > report.accepted + datasets) {
    report.doubled.push(`${listed.size - report.accepted - datasets} jobs that no request was answered with`)
  }
  for (const jobId of ends.keys()) if (!listed.has(jobId)) report.lost.push(`${jobId}: not listed`)
}
