import { TabcastError } from '../../platform/errors.ts'
import { SpreadCalls } from '../../platform/turns/spread-calls.ts'
import { countedFor, isVisitor } from '../keys/payer.ts'
import { isTerminal, type JobRecord } from './job-record.ts'
import type { JobWatchers } from './job-watchers.ts'

const retryAfterSeconds = 2
/** Limit for one visitor of the sandbox. */
const maxPerVisitor = 8
/** A visitor waits at least this long, because a caller that gets an answer asks again at once. */
const leastMs = 1_000
/** A small job whose run has begun ends soon, so a caller is told of both together if it ends within this time. */
const bothMs = 100

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
  /** Functions that answer a visitor, with the time since when it waits. The longest wait comes first. */
  readonly #ofVisitors = new Map<() => void, number>()
  /** Polls that began together are over together. */
  readonly #turns: SpreadCalls
  #isOver = false

  constructor (deps: LongPollDeps, onError: (error: unknown) => void) {
    this.#deps = deps
    this.#turns = new SpreadCalls(onError)
  }

  /**
   * Resolves with the job at its next change of status, after `seconds`, or when `signal` aborts; at once when there is
   * nothing to wait for. Rejects when the payer (default: the tenant) has too many waiting.
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
        let begun: NodeJS.Timeout | undefined
        const look = (): void => {
          const now = find(tenant, jobId)
          if (now?.status === record.status) return
          if (now?.status === 'running' && now.size === 'small') begun ??= setTimeout(answer, bothMs)
          else resolve()
        }
        const leave = watchers.subscribe(jobId, look, { ofProgress: false })
        const timer = setTimeout(() => this.#turns.call(answer), seconds * 1000)
        signal.addEventListener('abort', answer, { once: true })
        this.#open.add(answer)
        if (isVisitor(payer)) this.#ofVisitors.set(answer, performance.now())
        close = () => {
          leave()
          clearTimeout(timer)
          clearTimeout(begun)
          this.#turns.forget(answer)
          signal.removeEventListener('abort', answer)
          this.#open.delete(answer)
          this.#ofVisitors.delete(answer)
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
    const full = countedFor(payer).find((name) => (this.#waiting.get(name) ?? 0) >= this.#mostOf(name))
    // Somebody with many addresses counts as many visitors, but cannot keep a visitor without a waiting request from
    // waiting.
    if (full !== undefined && (this.#waiting.has(payer) || !this.#answerOldestVisitor())) throw this.#refusal(full)
    this.#count(payer, 1)
  }

  #mostOf (name: string): number {
    return isVisitor(name) ? maxPerVisitor : this.#deps.maxPerTenant
  }

  /** Answers with the current state. */
  #answerOldestVisitor (): boolean {
    const [oldest] = this.#ofVisitors
    if (oldest === undefined || performance.now() - oldest[1] < leastMs) return false
    const [answer] = oldest
    this.#ofVisitors.delete(answer)
    answer()
    return true
  }

  /** An answer with the state would make the caller ask again at once, forever. */
  #refusal (name: string): TabcastError {
    const text = `${this.#mostOf(name)} requests of your ${
      isVisitor(name) ? 'address' : 'tenant'
    } wait for a job, and this deployment lets one have no more.`
    return new TabcastError('rate_limited', text, {
      reason: 'long_polls',
      retryAfterSeconds,
      suggestion: 'Ask without `wait`, for several jobs with GET /jobs, or have a callback sent.'
    })
  }

  #count (payer: string, by: 1 | -1): void {
    for (const name of countedFor(payer)) {
      const count = (this.#waiting.get(name) ?? 0) + by
      if (count === 0) this.#waiting.delete(name)
      else this.#waiting.set(name, count)
    }
  }
}
