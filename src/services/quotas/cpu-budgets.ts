import { TabcastError } from '../../platform/errors.ts'
import { countedFor, isVisitor } from '../keys/payer.ts'
import { sandboxTenant } from '../keys/scopes.ts'

/**
 * What processor time went into while a caller waited; `places`: look-ups of cities and countries; `api`: the work of
 * the api process itself.
 */
export const syncWork = ['check', 'preview', 'profile', 'inspect', 'places', 'api'] as const
export type SyncWork = typeof syncWork[number]

/** Told of processor time that was used, milliseconds of a core. */
export type CpuObserver = (work: SyncWork, cpuMs: number) => void

interface Share {
  perMinuteMs: number
  savedMs: number
}
interface Bucket {
  balanceMs: number
  atMs: number
}

/** Whose time it is, as a refusal says it. */
const wording = {
  /** What slots compute while a caller waits. */
  slots: {
    spent: (ms: number) =>
      `Requests of this tenant that are answered at once have used the ${ms} ms of processor time that there are for ` +
      'them each minute.',
    advice: 'Wait as Retry-After says; jobs that were taken go on. Smaller files and fewer previews take less.'
  },
  /** The thread of the api process, of which there is one for everybody. */
  api: {
    spent: (ms: number) =>
      `Requests and callbacks of this tenant have used the ${ms} ms of the api's own processor time that one tenant ` +
      'has each minute.',
    advice:
      'Wait as Retry-After says; jobs that were taken go on, and single ones can be read. Smaller bodies and shorter ' +
      'pages take less.'
  }
} as const

/** What all of the sandbox together has, of what one tenant has. */
const sandboxShare = 0.25
/** What one visitor of it has of that. */
const visitorShare = 0.2

/** Above it, buckets that are full again are forgotten: a tenant who is not known has a full one. */
const maxBuckets = 10_000

export interface CpuBudgetOptions {
  /** Infinity has no end; `sandboxMs` is then what the share of the sandbox is taken of. */
  perMinuteMs: number
  sandboxMs?: number
  /** The most that is saved up, in minutes' worth; left out: one. */
  savedShare?: number
  of?: keyof typeof wording
  observer?: CpuObserver | undefined
  now?: () => number
}

/**
 * Processor time that each tenant may take while its callers wait, as milliseconds of a core in a bucket that fills
 * evenly. What a request takes is known when it has been answered, so a tenant goes into debt with its last one and
 * waits until that is paid.
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
      of = 'slots',
      observer = () => undefined,
      now = () => performance.now()
    } = options
    this.#tenants = { perMinuteMs, savedMs: perMinuteMs * savedShare }
    this.#sandbox = { perMinuteMs: sandboxMs * sandboxShare, savedMs: sandboxMs * sandboxShare * savedShare }
    this.#visitor = {
      perMinuteMs: this.#sandbox.perMinuteMs * visitorShare,
      savedMs: this.#sandbox.savedMs * visitorShare
    }
    this.#wording = wording[of]
    this.#observer = observer
    this.#now = now
  }

  /** rate_limited while nothing is left: to be asked before any work. */
  refusal (payer: string): TabcastError | undefined {
    const spent = countedFor(payer).filter((name) => this.#balanceMs(name) <= 0)
    return spent.length === 0 ? undefined : this.#refusal(spent)
  }

  /** Milliseconds until the debt is paid; 0: there is none. */
  debtMs (payer: string): number {
    return Math.max(
      ...countedFor(payer).map((name) => Math.max(0, -this.#balanceMs(name)) / this.#shareOf(name).perMinuteMs * 60_000)
    )
  }

  /**
   * The same for a request that was let in and has waited for its turn. It is finished, and a batch is many turns: it
   * is refused only when others that came with it have used a whole minute's worth more than there was.
   */
  checkTurn (payer: string): void {
    const spent = countedFor(payer).filter((name) => this.#balanceMs(name) <= -this.#shareOf(name).perMinuteMs)
    if (spent.length > 0) throw this.#refusal(spent)
  }

  /** `cpuMs` undefined: not measured, by a worker of before. */
  spend (payer: string, work: SyncWork, cpuMs: number | undefined): void {
    if (cpuMs === undefined || cpuMs <= 0) return
    this.#observer(work, cpuMs)
    for (const name of countedFor(payer)) {
      if (this.#shareOf(name).perMinuteMs === Infinity) continue
      this.#buckets.set(name, { balanceMs: this.#balanceMs(name) - cpuMs, atMs: this.#now() })
    }
    if (this.#buckets.size > maxBuckets) this.#forgetFull()
  }

  /** `spent`: names that have nothing left, the one that is told of first. */
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
