import { createHash } from 'node:crypto'
import type { CovariateSourceReport, ExternalCovariatesSpec } from '../../../domain/external-covariates-spec.ts'
import { instantText } from '../alignment/instant-text.ts'
import type { PreparedColumn } from '../alignment/prepare-column.ts'
import type { Kind } from '../covariate-key.ts'
import type { Observations } from '../observations.ts'
import type { Provider } from '../provider.ts'
import { snapshotId } from '../snapshot-id.ts'

/** Facts about a variable over all grids. */
interface VariableTally {
  isSkipped: boolean
  isWhole: boolean
  isKnownAhead: boolean
  reason: string | null
}

/** `used`: the column is added to the rows, where analyses see it; models get it only if it is also known `ahead`. */
export interface KindColumn {
  variable: string
  used: boolean
  ahead: boolean
}

/** The outcome of one kind, collected grid by grid. */
export class KindReport {
  readonly #spec: ExternalCovariatesSpec
  readonly #variables: Map<string, VariableTally>
  readonly #providers: Provider[] = []
  readonly #snapshots = new Map<string, string[]>()
  readonly #places = new Set<string>()
  #failure: { status: 'skipped' | 'failed', reason: string } | null = null
  #history = 1
  #future = 1
  #isKnown = false
  #issuedMs = -Infinity
  #publishedMs = -Infinity

  constructor (spec: ExternalCovariatesSpec) {
    this.#spec = spec
    this.#variables = new Map(
      spec.variables.map((
        variable
      ) => [variable, { isSkipped: false, isWhole: true, isKnownAhead: true, reason: null }])
    )
  }

  get hasFailed (): boolean {
    return this.#failure !== null
  }

  /** The kind as a whole cannot be used; the first reason counts. */
  fail (status: 'skipped' | 'failed', reason: string): void {
    this.#failure ??= { status, reason }
  }

  fetched (provider: Provider, place: string): void {
    if (!this.#providers.includes(provider)) this.#providers.push(provider)
    this.#places.add(place)
  }

  /** `used`: the values that counted at the cutoff. */
  add (variable: string, { status, reason, role, coverage }: PreparedColumn, used: Observations): void {
    const tally = this.#variables.get(variable)
    if (tally === undefined) return
    tally.isSkipped ||= status === 'skipped'
    tally.isWhole &&= status === 'used'
    tally.isKnownAhead &&= role === 'known_future'
    tally.reason ??= reason
    this.#isKnown = true
    this.#history = Math.min(this.#history, coverage.history)
    this.#future = Math.min(this.#future, coverage.future)
    this.#issuedMs = Math.max(this.#issuedMs, latest(used.issuedAtMs))
    this.#publishedMs = Math.max(this.#publishedMs, latest(used.publishedAtMs))
    const snapshots = this.#snapshots.get(variable)
    if (snapshots === undefined) this.#snapshots.set(variable, [snapshotId(used)])
    else snapshots.push(snapshotId(used))
  }

  missing (variable: string, reason: string): void {
    const tally = this.#variables.get(variable)
    if (tally === undefined) return
    tally.isSkipped = true
    tally.reason ??= reason
  }

  /** In the order of the request's variables. */
  columns (): KindColumn[] {
    return [...this.#variables].map(([variable, { isSkipped, isKnownAhead }]) => ({
      variable,
      used: !isSkipped && !this.hasFailed,
      ahead: isKnownAhead
    }))
  }

  finish (): CovariateSourceReport & { kind: Kind } {
    const { kind, variables, source, where, pointInTime, futureStrategy } = this.#spec
    const used = this.columns().filter((column) => column.used && column.ahead)
    const reasons = [...this.#variables].filter(([, { reason }]) => reason !== null).map(([variable, { reason }]) =>
      `${variable}: ${reason ?? ''}`
    )
    const isWhole = [...this.#variables.values()].every((tally) => tally.isWhole && !tally.isSkipped)
    return {
      kind,
      status: this.#failure?.status ?? (used.length === 0 ? 'skipped' : isWhole ? 'used' : 'partial'),
      reason: this.#failure?.reason ?? (reasons.length === 0 ? null : reasons.join('; ')),
      provider: this.#providers.map(({ id }) => id).join(', ') || null,
      source,
      attribution: this.#providers.map(({ attribution }) => attribution).join('; ') || null,
      variablesRequested: variables,
      variablesUsed: used.map(({ variable }) => variable),
      where,
      places: this.#places.size,
      pointInTime,
      issuedAt: instant(this.#issuedMs),
      publishedThrough: instant(this.#publishedMs),
      historyCoverage: this.#isKnown ? share(this.#history) : null,
      futureCoverage: this.#isKnown ? share(this.#future) : null,
      futureStrategy,
      snapshotId: this.#snapshot()
    }
  }

  /** The same values give the same hash, whatever the provider would have said about times after the cutoffs. */
  #snapshot (): string | null {
    if (this.#snapshots.size === 0) return null
    const ordered = [...this.#snapshots].sort(([one], [other]) => one < other ? -1 : 1)
    return `sha256:${createHash('sha256').update(JSON.stringify(ordered)).digest('hex')}`
  }
}

/** -Infinity if no time is known. */
function latest (times: Float64Array): number {
  let most = -Infinity
  for (let row = 0; row < times.length; row++) if ((times[row] as number) > most) most = times[row] as number
  return most
}

function instant (ms: number): string | null {
  return Number.isFinite(ms) ? instantText(ms) : null
}

/** Rounded down, so that an incomplete share is never shown as complete. */
function share (value: number): number {
  return Math.floor(value * 10_000) / 10_000
}
