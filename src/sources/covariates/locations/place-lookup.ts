import { Worker } from 'node:worker_threads'
import type { CovariateWhere } from '../../../domain/external-covariates-spec.ts'
import { TabcastError } from '../../../platform/errors.ts'
import { compiledProgram } from '../../../platform/process/program-files.ts'
import { TenantLanes } from '../../../platform/turns/tenant-lanes.ts'
import { CovariateInputError } from '../covariate-input-error.ts'
import { LeastRecent } from '../../../platform/least-recent.ts'
import type { PlaceAnswer, PlaceFinding, PlaceQuestion } from './place-thread.ts'

interface Waiting {
  resolve: (answer: { ms: number, found: PlaceFinding }) => void
  reject: (error: Error) => void
}

interface Thread {
  worker: Worker
  isReady: boolean
}

/** Charges the thread's time to tenants. */
export interface PlaceBudgets {
  /** Throws rate_limited if the tenant has used too much since its request was admitted. */
  checkTurn(tenant: string): void
  spend(tenant: string, work: 'places', ms: number): void
}

export interface PlaceLookupOptions {
  budgets: PlaceBudgets
  /** Longest wait for a turn, milliseconds. */
  waitMs: number
  /** Longest look-up, milliseconds; reading the lists, which happens once, counts too. */
  limitMs: number
}

/** The most look-ups held, current and waiting. */
const maxHeld = 256
/** How many answers are kept, because requests name the same few locations again and again. */
const maxKnown = 2_000
const insteadOfCity = 'Send latitude and longitude instead of city, or try again.'

/**
 * Finds cities and checks countries, in a thread that starts with the first look-up. All tenants share the thread, so
 * they take turns at it, one look-up at a time, and pay for its time.
 */
export class PlaceLookup {
  readonly #options: PlaceLookupOptions
  readonly #turns = new TenantLanes(maxHeld, 1)
  readonly #known = new LeastRecent<PlaceFinding>(maxKnown)
  #thread: Thread | undefined
  #asked = 0
  readonly #waiting = new Map<number, Waiting>()

  constructor (options: PlaceLookupOptions) {
    this.#options = options
  }

  /**
   * Fills in the location of a city, and checks that everything else exists. Rejects with CovariateInputError; `field`
   * is where the city was named. Rejects with server_overloaded, rate_limited or compute_unavailable if there is no
   * answer in time.
   */
  async settle (tenant: string, where: CovariateWhere, field: string): Promise<CovariateWhere> {
    if (where.type !== 'city' && where.type !== 'country') return where
    const name = JSON.stringify([field, where])
    const found = this.#known.find(name) ?? await this.#inTurn(tenant, { field, where })
    if ('failed' in found) throw new Error(found.failed)
    this.#known.keep(name, found)
    if ('wrong' in found) throw new CovariateInputError(found.wrong.field, found.wrong.message)
    return found.where
  }

  async close (): Promise<void> {
    await this.#thread?.worker.terminate()
  }

  async #inTurn (tenant: string, question: Omit<PlaceQuestion, 'id'>): Promise<PlaceFinding> {
    const { budgets, waitMs } = this.#options
    const untilMs = performance.now() + waitMs
    const found = await this.#turns.take(tenant, async () => {
      if (performance.now() > untilMs) {
        throw new TabcastError('server_overloaded', `The look-up of a place had no turn within ${waitMs / 1000} s.`)
      }
      budgets.checkTurn(tenant)
      return await this.#ask(tenant, question)
    })
    if (found === undefined) {
      throw new TabcastError('server_overloaded', 'Too many places are looked up at the moment.', {
        suggestion: insteadOfCity
      })
    }
    return found
  }

  async #ask (tenant: string, question: Omit<PlaceQuestion, 'id'>): Promise<PlaceFinding> {
    const { budgets, limitMs } = this.#options
    const thread = this.#thread ??= this.#start()
    const id = this.#asked++
    const answer = new Promise<{ ms: number, found: PlaceFinding }>((resolve, reject) =>
      this.#waiting.set(id, { resolve, reject })
    )
    thread.worker.ref()
    const post = (): void => thread.worker.postMessage({ id, ...question } satisfies PlaceQuestion)
    // A question that is given up before the lists have been read is never sent.
    if (thread.isReady) post()
    else thread.worker.once('ready', post)
    const timer = setTimeout(() => {
      this.#waiting.get(id)?.reject(
        new TabcastError('compute_unavailable', `The look-up of a place took longer than ${limitMs / 1000} s.`, {
          suggestion: insteadOfCity
        })
      )
      // The look-up in progress would hold up everybody behind it. A thread that is still reading its lists stays,
      // because the next one would have to read them again.
      if (thread.isReady) this.#end(tenant, thread)
    }, limitMs)
    try {
      const { ms, found } = await answer
      budgets.spend(tenant, 'places', ms)
      return found
    } finally {
      clearTimeout(timer)
      thread.worker.off('ready', post)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) thread.worker.unref()
    }
  }

  #end (tenant: string, thread: Thread): void {
    this.#options.budgets.spend(tenant, 'places', this.#options.limitMs)
    if (this.#thread === thread) this.#thread = undefined
    void thread.worker.terminate()
  }

  #start (): Thread {
    const thread: Thread = {
      worker: new Worker(compiledProgram('sources/covariates/locations/place-thread'), { execArgv: [], env: {} }),
      isReady: false
    }
    thread.worker.on('message', (answer: PlaceAnswer) => {
      if ('id' in answer) {
        this.#waiting.get(answer.id)?.resolve(answer)
      } else {
        thread.isReady = true
        thread.worker.emit('ready')
      }
    })
    const gone = (error: Error): void => {
      // A thread that was ended leaves the questions to the next one.
      if (this.#thread !== thread) return
      this.#thread = undefined
      for (const { reject } of this.#waiting.values()) reject(error)
    }
    thread.worker.on('error', gone)
    thread.worker.on('exit', () => gone(new Error('the lookup of places ended')))
    thread.worker.unref()
    return thread
  }
}
