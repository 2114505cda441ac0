import { TabcastError } from '../../platform/errors.ts'
import { countedFor, isVisitor } from '../keys/payer.ts'
import { sandboxTenant } from '../keys/scopes.ts'

/**
 * What metered processor time is spent on. `places` are look-ups of cities and countries; `api` is the work of the api
 * process itself.
 */
export const meteredWork = ['check', 'preview', 'profile', 'inspect', 'places', 'api'] as const
export type MeteredWork = typeof meteredWork[number]

/** Called with processor time that was used, in milliseconds of one core. */
export type CpuObserver = (work: MeteredWork, cpuMs: number) => void

interface Share {
  perMinuteMs: number
  savedMs: number
}
interface Bucket {
  balanceMs: number
  atMs: number
}

/** How a refusal names the budget. */
const wording = {
  /** What slots compute while a caller waits. */
  slots: {
    spent: (ms: number) =>
      `Requests of this tenant that are answered at once have used the ${ms} ms of processor time that there are for ` +
      'them each minute.',
    advice: 'Wait as Retry-After says; jobs that were taken go on. Smaller files and fewer previews take less.'
  },
  /** The one thread of the api process, which all tenants share. */
  api: {
    spent: (ms: number) =>
      `Requests and callbacks of this tenant have used the ${ms} ms of the api's own processor time that one tenant ` +
      'has each minute.',
    advice:
      'Wait as Retry-After says; jobs that were taken go on, and single ones can be read. Smaller bodies and shorter ' +
      'pages take less.'
  }
} as const

/** The budget of the whole sandbox, as a share of one tenant's. */
const sandboxShare = 0.25
/** The budget of one visitor, as a share of the sandbox's. */
const visitorShare = 0.2

/** Above this number, full buckets are dropped. A tenant without a bucket has a full one, so nothing is lost. */
const maxBuckets = 10_000

export interface CpuBudgetOptions {
  /** Infinity: unlimited. The sandbox's share is then taken of `sandboxMs`. */
  perMinuteMs: number
  sandboxMs?: number
  /** The most that a tenant can save up, in minutes' worth. Default: one. */
  savedShare?: number
  /** Which budget a refusal speaks of. Default: slots. */
  budget?: keyof typeof wording
  observer?: CpuObserver | undefined
  now?: () => number
}

/**
 * Processor time that each tenant may take, as milliseconds of one core in a bucket that fills evenly. The cost of a
 * request is known only after its answer, so the last request puts the tenant in debt, and the tenant waits until the
 * debt is paid.
 */
export class CpuBudgets {
  readonly #tenants: Share
  readonly #sandbox: Share
  readonly #visitor: Share
  readonly #wording: typeof wording[keyof typeof wording]
  readonly #observer: CpuObserver
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()

  constructor (options: CpuBudgetOptions) {
    const {
      perMinuteMs,
      savedShare = 1,
      sandboxMs = perMinuteMs,
      budget = 'slots',
      observer = () => undefined,
      now = () => performance.now()
    } = options
    this.#tenants = { perMinuteMs, savedMs: perMinuteMs * savedShare }
    this.#sandbox = { perMinuteMs: sandboxMs * sandboxShare, savedMs: sandboxMs * sandboxShare * savedShare }
    this.#visitor = {
      perMinuteMs: this.#sandbox.perMinuteMs * visitorShare,
      savedMs: this.#sandbox.savedMs * visitorShare
    }
    this.#wording = wording[budget]
    this.#observer = observer
    this.#now = now
  }

  /** A rate_limited error while the tenant has nothing left. Ask before any work begins. */
  refusal (payer: string): TabcastError | undefined {
    const spent = countedFor(payer).filter((name) => this.#balanceMs(name) <= 0)
    return spent.length === 0 ? undefined : this.#refusal(spent)
  }

  /** Milliseconds until the debt is paid; 0 without a debt. */
  debtMs (payer: string): number {
    return Math.max(
      ...countedFor(payer).map((name) => Math.max(0, -this.#balanceMs(name)) / this.#shareOf(name).perMinuteMs * 60_000)
    )
  }

  /**
   * Throws when a request that was admitted, and has waited for its turn, must not go on. Admitted requests are
   * normally finished, and a batch takes many turns, so the limit is wide: the requests admitted together must have
   * overdrawn the budget by a whole minute's worth.
   */
  checkTurn (payer: string): void {
    const spent = countedFor(payer).filter((name) => this.#balanceMs(name) <= -this.#shareOf(name).perMinuteMs)
    if (spent.length > 0) throw this.#refusal(spent)
  }

  /** `cpuMs` is undefined when a worker of an earlier release did not measure it. */
  spend (payer: string, work: MeteredWork, cpuMs: number | undefined): void {
    if (cpuMs === undefined || cpuMs <= 0) return
    this.#observer(work, cpuMs)
    for (const name of countedFor(payer)) {
      if (this.#shareOf(name).perMinuteMs === Infinity) continue
      this.#buckets.set(name, { balanceMs: this.#balanceMs(name) - cpuMs, atMs: this.#now() })
    }
    if (this.#buckets.size > maxBuckets) this.#forgetFull()
  }

  /** `spent`: the names with nothing left. The message speaks of the first. */
  #refusal (spent: readonly string[]): TabcastError {
    const [name = ''] = spent
    return new TabcastError('rate_limited', this.#wording.spent(this.#shareOf(name).perMinuteMs), {
      retryAfterSeconds: Math.floor(Math.max(...spent.map((one) => this.debtMs(one))) / 1000) + 1,
      reason: 'cpu_time',
      suggestion: this.#wording.advice
    })
  }

  #balanceMs (tenant: string): number {
    const bucket = this.#buckets.get(tenant)
    const { perMinuteMs, savedMs } = this.#shareOf(tenant)
    if (bucket === undefined) return savedMs
    return Math.min(savedMs, bucket.balanceMs + (this.#now() - bucket.atMs) / 60_000 * perMinuteMs)
  }

  #forgetFull (): void {
    for (const tenant of this.#buckets.keys()) {
      if (this.#balanceMs(tenant) >= this.#shareOf(tenant).savedMs) this.#buckets.delete(tenant)
    }
  }

  #shareOf (tenant: string): Share {
    if (isVisitor(tenant)) return this.#visitor
    return tenant === sandboxTenant ? this.#sandbox : this.#tenants
  }
}
