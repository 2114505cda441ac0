import { messageVersion } from '../domain/message-version.ts'
import { defined } from '../platform/defined.ts'
import { abandonedStage, type JobMessage, type NewsMessage } from '../platform/queue/job-messages.ts'
import type { RunContext } from './run-context.ts'

const intervalMs = 250

/** Reports a run's progress to the api, at most four times a second. Messages may be lost: nothing depends on them. */
export class News {
  readonly #context: RunContext
  readonly #job: JobMessage
  readonly #run: string
  #sentMs = -Infinity

  constructor (context: RunContext, job: JobMessage, run: string) {
    this.#context = context
    this.#job = job
    this.#run = run
  }

  /** For a run that no api has granted. */
  started (): void {
    this.#send('running', 0)
  }

  /** What answers of the tenant's own store have cost this process, in milliseconds. The tenant pays it. */
  spent (cpuMs: number): void {
    this.#send('running', 0, { cpuMs })
  }

  /** `shards`: set if the run is computed in shards. */
  progress (stage: string, fraction: number, shards?: NewsMessage['shards']): void {
    if (performance.now() - this.#sentMs >= intervalMs) this.#send(stage, fraction, defined({ shards }))
  }

  /** Tells the api that the run was given back unfinished, so that the next claim is not taken for a duplicate. */
  abandoned (): void {
    this.#send(abandonedStage, 0)
  }

  #send (stage: string, fraction: number, more: Pick<NewsMessage, 'cpuMs' | 'shards'> = {}): void {
    this.#sentMs = performance.now()
    const { workerId, queue } = this.#context
    const { jobId, tenant } = this.#job
    queue.publishNews({ v: messageVersion, jobId, tenant, run: this.#run, workerId, stage, fraction, ...more })
  }
}
