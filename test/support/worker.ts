import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { JobSize } from '../../src/domain/job.ts'
import { messageVersion } from '../../src/domain/message-version.ts'
import type { Queue } from '../../src/platform/queue/index.ts'
import type { ClaimReply, ClaimRequest, EventMessage, JobMessage,
  NewsMessage } from '../../src/platform/queue/job-messages.ts'
import type { WorkerMessage } from '../../src/platform/queue/worker-message.ts'
import type { ObjectStore } from '../../src/platform/store/object-store.ts'
import { openStore } from '../../src/platform/store/open-store.ts'
import { launcher } from './command.ts'
import { testJob } from './job-message.ts'
import { setup as setupNats, testStreams, type TestNats } from './nats.ts'
import { expectNoPauses } from './pauses.ts'
import { childrenOf } from './processes.ts'
import { until } from './until.ts'

export interface TestWorker {
  readonly process: ChildProcess
  slotPids(): number[]
  log(): string
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Queue, store and workers are real; the api's side of the protocol is played here. */
export interface TestBench {
  readonly nats: TestNats
  readonly queue: Queue
  readonly store: ObjectStore
  /** Where the store keeps its objects. */
  readonly objects: string
  readonly claims: ClaimRequest[]
  readonly news: NewsMessage[]
  readonly events: EventMessage[]
  readonly workers: Map<string, WorkerMessage>
  /** What claims are answered; undefined plays an api that is away. */
  answer: ((request: ClaimRequest) => ClaimReply) | undefined
  /** Plays an api that cannot write. */
  refusesEnds: boolean
  /** Starts a worker and waits until its slots are ready. */
  start(settings?: Record<string, string>): Promise<TestWorker>
  /** Stores the input and publishes the job; returns its sequence. */
  submit(csv: string, changes: Partial<JobMessage> & { jobId: string }, size?: JobSize): Promise<number>
  event(jobId: string): Promise<EventMessage>
  /** Until the queue has forgotten the message. */
  forgotten(seq: number): Promise<void>
  cleanup(): Promise<void>
}

const command = resolve('dist/cli.js')
const keptFromHere = ['PATH', 'HOME', 'TZ', 'LANG']

export const go: ClaimReply = { v: messageVersion, go: true, attempt: 1 }

/** `parent`: where the data folder is made. */
export async function setup (parent = tmpdir()): Promise<TestBench> {
  if (!existsSync(command)) throw new Error('dist/cli.js is missing: run `make build` first')
  const nats = await setupNats()
  const folder = await mkdtemp(join(parent, 'tabcast-worker-'))
  const objects = join(folder, 'objects')
  const store = await openStore({ driver: 'local', root: objects })
  const queue = await nats.connect('api')
  await queue.ensureStreams(testStreams)
  // As the api does: a stream in memory is gone after a restart of the server.
  queue.onConnection((connected) => {
    if (connected) queue.ensureStreams(testStreams).catch(() => undefined)
  })
  const started: TestWorker[] = []
  const bench: TestBench = {
    nats,
    queue,
    store,
    objects,
    claims: [],
    news: [],
    events: [],
    workers: new Map(),
    answer: () => go,
    refusesEnds: false,
    async start (settings = {}) {
      const worker = spawnWorker({
        TABCAST_NATS_URL: nats.server.url,
        TABCAST_NATS_TOKEN: nats.server.token,
        TABCAST_DATA_DIR: folder,
        ...settings
      })
      started.push(worker)
      const known = new Set(bench.workers.keys())
      await until('a worker with free slots', () => {
        if (worker.process.exitCode !== null) throw new Error(`the worker ended:\n${worker.log()}`)
        return [...bench.workers.values()].some((message) => !known.has(message.workerId) && message.freeAny > 0)
      }).catch((error: Error) => {
        throw new Error(`${error.message}\n${worker.log()}`)
      })
      return worker
    },
    async submit (csv, changes, size = 'small') {
      const job = testJob(changes.jobId, changes)
      if ('key' in job.input) await store.putBytes(job.input.key, Buffer.from(csv))
      return (await queue.publishJob(size, job)).seq
    },
    // Long: slots give way to whatever else the machine has to do.
    event: async (jobId) =>
      await until(`the event of ${jobId}`, () => bench.events.find((event) => event.jobId === jobId), 120_000),
    forgotten: async (seq) => {
      await until(`message ${seq} to be gone`, async () => !await queue.jobMessageExists(seq))
    },
    async cleanup () {
      await Promise.all(started.map((worker) => worker.end('SIGKILL')))
      await nats.cleanup()
      await rm(folder, { recursive: true, force: true })
      for (const worker of started) expectNoPauses(worker.log())
    }
  }
  queue.serveClaims(async (request) => {
    bench.claims.push(request)
    if (bench.answer === undefined) throw new Error('this api is away')
    return bench.answer(request)
  })
  queue.onNews((news) => bench.news.push(news))
  queue.onWorkers((message) => bench.workers.set(message.workerId, message))
  queue.consumeEvents(async (events) => {
    if (bench.refusesEnds) throw new Error('this api applies no ends')
    bench.events.push(...events)
    return []
  })
  return bench
}

/** Times are short, so that faults are noticed within a test's patience. */
function spawnWorker (settings: Record<string, string>): TestWorker {
  const env = Object.fromEntries(
    keptFromHere.flatMap((name) => process.env[name] === undefined ? [] : [[name, process.env[name]]])
  )
  const [program, ...first] = launcher
  const child = spawn(program, [...first, process.execPath, command, 'worker'], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      ...env,
      TABCAST_SLOTS: '1',
      TABCAST_SLOT_THREADS: '1',
      TABCAST_HEARTBEAT_MS: '200',
      TABCAST_CLAIM_TIMEOUT_MS: '500',
      TABCAST_LOG_LEVEL: 'debug',
      ...settings
    }
  })
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const ended = once(child, 'exit')
  return {
    process: child,
    slotPids: () => childrenOf(child.pid!).map(({ pid }) => pid),
    log: () => log,
    async end (signal) {
      child.kill(signal)
      await ended
    }
  }
}
