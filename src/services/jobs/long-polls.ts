import { TabcastError } from '../../platform/errors.ts'
import { SpreadCalls } from '../../platform/turns/spread-calls.ts'
import { isTerminal, type JobRecord } from './job-record.ts'
import type { JobWatchers } from './job-watchers.ts'

const retryAfterSeconds = 2

interface LongPollDeps {
  maxPerTenant: number
  find: (tenant: string, jobId: string) => JobRecord | undefined
  watchers: JobWatchers
}

/** Callers that wait until the status of a job changes. */
export class LongPolls {
  readonly #deps: LongPollDeps
  readonly #waiting = new Map<string, number>()
  readonly #open = new Set<() => void>()
  /** Polls that began together are over together. */
  readonly #turns: SpreadCalls
  #isOver = false

  constructor (deps: LongPollDeps, onError: (error: unknown) => void) {
    this.#deps = deps
    this.#turns = new SpreadCalls(onError)
  }

  /**
   * Resolves with the job at the change, after `seconds`, or when `signal` aborts; at once when nothing is to be waited for.
   * Rejects when the tenant has as many waiting as it may.
   */
  async wait (tenant: string, jobId: string, seconds: number, signal: AbortSignal): Promise<JobRecord | undefined> {
    const { find, watchers } = this.#deps
    const record = find(tenant, jobId)
    if (record === undefined || isTerminal(record) || this.#isOver || signal.aborted) return record
    this.#enter(tenant)
    let close = (): void => undefined
    try {
      await new Promise<void>((resolve) => {
        const answer = (): void => resolve()
        const look = (): void => { if (find(tenant, jobId)?.status !== record.status) resolve() }
        const leave = watchers.subscribe(jobId, look, { ofProgress: false })
        const timer = setTimeout(() => this.#turns.call(answer), seconds * 1000)
        signal.addEventListener('abort', answer, { once: true })
        this.#open.add(answer)
        close = () => {
          leave()
          clearTimeout(timer)
          this.#turns.forget(answer)
          signal.removeEventListener('abort', answer)
          this.#open.delete(answer)
        }
      })
    } finally {
      close()
      this.#leave(tenant)
    }
    return find(tenant, jobId)
  }

  /** Answers everybody with the state as it is; from now on nobody waits. */
  endAll (): void {
    this.#isOver = true
    for (const answer of this.#open) this.#turns.call(answer)
  }

  #enter (tenant: string): void {
    const { maxPerTenant } = this.#deps
    const count = this.#waiting.get(tenant) ?? 0
    if (count >= maxPerTenant) {
      // An answer with the state would have the caller ask again at once, without end.
      const text = `${count} requests of your tenant wait for a job, and this deployment lets one tenant have ${maxPerTenant}.`
      throw new TabcastError('rate_limited', text, {
        reason: 'long_polls',
        retryAfterSeconds,
        suggestion: 'Ask without `wait`, for several jobs with GET /jobs, or have a callback sent.'
      })
    }
    this.#waiting.set(tenant, count + 1)
  }

  #leave (tenant: string): void {
    const count = (this.#waiting.get(tenant) ?? 1) - 1
    if (count === 0) this.#waiting.delete(tenant)
    else this.#waiting.set(tenant, count)
  }
}
