import { TabcastError } from '../../platform/errors.ts'
import { SpreadCalls } from '../../platform/turns/spread-calls.ts'
import { countedFor, isVisitor } from '../keys/payer.ts'
import { isTerminal, type JobRecord } from './job-record.ts'
import type { JobWatchers } from './job-watchers.ts'

const retryAfterSeconds = 2
/** Limit for one visitor of the sandbox. */
const maxPerVisitor = 8

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
  /** Spreads the answers, because polls that began together end together. */
  readonly #turns: SpreadCalls
  #isOver = false

  constructor (deps: LongPollDeps, onError: (error: unknown) => void) {
    this.#deps = deps
    this.#turns = new SpreadCalls(onError)
  }

  /**
   * Resolves with the job at its next change, after `seconds`, or when `signal` aborts; at once when there is nothing
   * to wait for. Rejects when the payer (default: the tenant) has too many waiting.
   */
  async wait (tenant: string, jobId: string, seconds: number, signal: AbortSignal,
    payer = tenant): Promise<JobRecord | undefined> {
    const { find, watchers } = this.#deps
    const record = find(tenant, jobId)
    if (record === undefined || isTerminal(record) || this.#isOver || signal.aborted) return record
    this.#enter(payer)
    let close = (): void => undefined
    try {
      await new Promise<void>((resolve) => {
        const answer = (): void => resolve()
        const look = (): void => {
          if (find(tenant, jobId)?.status !== record.status) resolve()
        }
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
      this.#count(payer, -1)
    }
    return find(tenant, jobId)
  }

  /** Answers everybody with the current state. Later calls do not wait. */
  endAll (): void {
    this.#isOver = true
    for (const answer of this.#open) this.#turns.call(answer)
  }

  #enter (payer: string): void {
    for (const name of countedFor(payer)) {
      const most = isVisitor(name) ? maxPerVisitor : this.#deps.maxPerTenant
      if ((this.#waiting.get(name) ?? 0) < most) continue
      // An error, because after an answer with the state the caller would ask again at once, without end.
      const text = `${most} requests of your ${
        isVisitor(name) ? 'address' : 'tenant'
      } wait for a job, and this deployment lets one have no more.`
      throw new TabcastError('rate_limited', text, {
        reason: 'long_polls',
        retryAfterSeconds,
        suggestion: 'Ask without `wait`, for several jobs with GET /jobs, or have a callback sent.'
      })
    }
    this.#count(payer, 1)
  }

  #count (payer: string, by: 1 | -1): void {
    for (const name of countedFor(payer)) {
      const count = (this.#waiting.get(name) ?? 0) + by
      if (count === 0) this.#waiting.delete(name)
      else this.#waiting.set(name, count)
    }
  }
}
