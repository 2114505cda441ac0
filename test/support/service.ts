import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import { launcher } from './command.ts'
import { expectNoPauses } from './pauses.ts'
import { childrenOf } from './processes.ts'

export interface Job {
  job_id: string
  status: 'pending' | 'running' | 'completed' | 'failed'
  error: string | null
  error_code: string | null
  [field: string]: unknown
}

export interface TestService {
  baseUrl: string
  /** Holds `data` and `service.log`. */
  folder: string
  /** A new key of the tenant, made by the command line. */
  createKey(tenant: string): Promise<string>
  /** Process ids by role, as the operating system knows them now. */
  pids(role: 'supervisor' | 'api' | 'worker' | 'slot' | 'nats'): number[]
  log(): string
  /** SIGTERM to the supervisor; the data folder stays for a `restart`. */
  stop(): Promise<void>
  /** Starts it again on the same data folder and the same port. */
  restart(settings?: Record<string, string>): Promise<void>
  /** Rejects when code of the service held up its api or a worker. */
  cleanup(): Promise<void>
}

const command = resolve('dist/cli.js')

/**
 * The whole service as `tabcast serve` runs it, from the compiled source, with its data in a folder of its own, a new
 * one unless it is given. `preload`: a module that its processes load before the program. `openFiles`: as many may each
 * of them have open.
 */
export async function startService (settings: Record<string, string> = {}, given?: string, preload?: string,
  openFiles?: number): Promise<TestService> {
  if (!existsSync(command)) throw new Error('dist/cli.js is missing: run `make build` first')
  const own: typeof launcher = preload === undefined
    ? launcher
    : ['/usr/bin/env', `NODE_OPTIONS=--import=${resolve(preload)}`]
  const started: typeof launcher = openFiles === undefined
    ? own
    : ['/bin/bash', '-c', `ulimit -n ${openFiles}; exec "$@"`, 'bash', ...own]
  const folder = given ?? await mkdtemp(join(tmpdir(), 'tabcast-service-'))
  let running = await startPrivateService({
    folder,
    command,
    launcher: started,
    settings: { TABCAST_LOG_LEVEL: 'info', ...settings }
  })
  const port = new URL(running.baseUrl).port
  return {
    baseUrl: running.baseUrl,
    folder,
    createKey: (tenant) => running.createKey(tenant),
    pids (role) {
      if (role === 'supervisor') return [running.pid]
      const children = childrenOf(running.pid)
      if (role === 'nats') {
        return children.filter(({ command }) => command.includes('nats-server')).map(({ pid }) => pid)
      }
      if (role !== 'slot') return children.filter(({ command }) => command.endsWith(` ${role}`)).map(({ pid }) => pid)
      return children.filter(({ command }) => command.endsWith(' worker')).flatMap(({ pid }) => childrenOf(pid)).map((
        { pid }
      ) => pid)
    },
    log: () => readFileSync(join(folder, 'service.log'), 'utf8'),
    stop: () => running.stop(),
    async restart (changes = {}) {
      await running.stop()
      running = await startPrivateService({
        folder,
        command,
        launcher: started,
        settings: { TABCAST_LOG_LEVEL: 'info', ...settings, TABCAST_PORT: port, ...changes }
      })
    },
    async cleanup () {
      // A test that takes down its service itself is cleaned up after once more.
      if (!existsSync(folder)) return
      await running.stop()
      const log = readFileSync(join(folder, 'service.log'), 'utf8')
      await keepLogOfFailure(folder)
      await rm(folder, { recursive: true, force: true })
      expectNoPauses(log)
    }
  }
}

/** In a test that fails: `.ci/run` prints the end of what is kept. */
async function keepLogOfFailure (folder: string): Promise<void> {
  if (process.env['TAP'] !== '1' || (await import('tap')).default.passing()) return
  await mkdir('.tap/failed', { recursive: true })
  await copyFile(join(folder, 'service.log'), `.tap/failed/${basename(process.argv[1] ?? '', '.js')}-${Date.now()}.log`)
}

export function panelCsv (series: number, length: number,
  { seed = 1, start = '2015-01-01' }: { seed?: number, start?: string } = {}): string {
  const lines = ['item_id,timestamp,target']
  const first = new Date(`${start}T00:00:00Z`)
  for (let item = 0; item < series; item++) {
    for (let step = 0; step < length; step++) {
      const month = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + step, 1)).toISOString().slice(0, 10)
      const noise = Math.sin((seed * 7919 + item * 104729 + step * 1299709) % 1000)
      const value = 100 + item + 0.3 * step + 10 * Math.sin(2 * Math.PI * step / 12) + noise
      lines.push(`series-${item},${month},${value.toFixed(4)}`)
    }
  }
  return lines.join('\n') + '\n'
}

export class Client {
  readonly baseUrl: string
  readonly key: string

  constructor (baseUrl: string, key: string) {
    this.baseUrl = baseUrl
    this.key = key
  }

  async request (method: string, path: string,
    options: { body?: NonNullable<RequestInit['body']>, headers?: Record<string, string> } = {}): Promise<Response> {
    return await fetch(this.baseUrl + path, {
      method,
      redirect: 'manual',
      ...options,
      headers: { authorization: `Bearer ${this.key}`, ...options.headers }
    })
  }

  /** The answer as it came, whatever its status. */
  async submit (
    data: string | Uint8Array<ArrayBuffer>,
    fields: Record<string, string> = {},
    filename = 'data.csv',
    headers: Record<string, string> = {}
  ): Promise<Response> {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob([data]), filename)
    return await this.request('POST', '/forecast', { body: form, headers })
  }

  /** Submits and throws unless the answer is 202. */
  async submitted (data: string | Uint8Array<ArrayBuffer>, fields: Record<string, string> = {},
    filename = 'data.csv'): Promise<Job> {
    const answer = await this.submit(data, fields, filename)
    const body = await answer.json() as Job
    if (answer.status !== 202) throw new Error(`submit answered ${answer.status}: ${JSON.stringify(body)}`)
    return body
  }

  async job (jobId: string, waitSeconds = 0): Promise<Job> {
    const answer = await this.request('GET', `/jobs/${jobId}?wait=${waitSeconds}`)
    const body = await answer.json() as Job
    if (answer.status !== 200) {
      throw new UnexpectedAnswer(answer.status, `GET /jobs/${jobId} answered ${answer.status}: ${JSON.stringify(body)}`)
    }
    return body
  }

  /** Long-polls until the job is completed or failed; rides out an api that is being restarted. */
  async ended (jobId: string, limitMs = 120_000): Promise<Job> {
    const endMs = performance.now() + limitMs
    for (;;) {
      try {
        const job = await this.job(jobId, 10)
        if (job.status === 'completed' || job.status === 'failed') return job
      } catch (error) {
        if (!isPassing(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      if (performance.now() > endMs) throw new Error(`job ${jobId} has not ended after ${limitMs} ms`)
    }
  }

  /** A page of the list of jobs. */
  async page (query = 'limit=200'): Promise<{ jobs: Job[], next_cursor: string | null }> {
    const answer = await this.request('GET', `/jobs?${query}`)
    const text = await answer.text()
    if (answer.status !== 200) {
      throw new UnexpectedAnswer(answer.status, `GET /jobs?${query} answered ${answer.status}: ${text}`)
    }
    return JSON.parse(text) as { jobs: Job[], next_cursor: string | null }
  }

  async table (jobId: string): Promise<string> {
    const answer = await this.request('GET', `/jobs/${jobId}/download?format=csv`)
    const text = await answer.text()
    if (answer.status !== 200) {
      throw new UnexpectedAnswer(answer.status, `download of ${jobId} answered ${answer.status}: ${text}`)
    }
    return text
  }
}

export class UnexpectedAnswer extends Error {
  readonly status: number

  constructor (status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** What a client rides out: the api is being restarted, or says itself that the same request may succeed later. */
export function isPassing (error: unknown): boolean {
  return isConnectionError(error) || (error instanceof UnexpectedAnswer && error.status === 503)
}

/** fetch says `TypeError: fetch failed` when the peer refuses, resets or vanishes. */
export function isConnectionError (error: unknown): boolean {
  return error instanceof TypeError
}
