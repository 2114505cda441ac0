import { createHmac } from 'node:crypto'
import { errorTable, type ErrorCode } from '../../domain/error-codes.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { JobFollower } from '../jobs/job-ledger.ts'
import type { JobRecord } from '../jobs/job-record.ts'
import { defined } from '../../platform/defined.ts'

/**
 * | table | key | value |
 * |---|---|---|
 * | sandboxClaims | HMAC of a domain | DomainClaim: the domain's job, or how many were given back |
 * | sandboxClaimTimes | time, HMAC | {}: the claims in order of time |
 */
export const claimTables = ['sandboxClaims', 'sandboxClaimTimes'] as const

export interface DomainClaim {
  v: 1
  /** null: the claim was given back, and the domain may have a job. */
  jobId: string | null
  atMs: number
  /** Claims that were given back although the domain's file may have made the job fail; absent: none. */
  forgiven?: number
}
export interface ListedClaim {
  id: string
  jobId: string
  atMs: number
}

/** Beyond this number the oldest go early, and their domains may try again, so that nobody can fill the record. */
const maxClaims = 1_000_000
const sweepBatch = 500
/**
 * A claim is given back once for a timeout or crash, so that nobody can hold the slots again and again with one domain.
 */
const mostForgiven = 1
/** Faults of the service that a file can cause. */
const ofFile: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['timeout', 'pipeline_failed'])
const again = 'It does not count: the company can try again.'
const over = 'The company has had its job.'
/** The most claims that a list shows. */
const maxListed = 1_000

export interface DomainClaimOptions {
  metadata: MetadataStore
  /** The key of the HMACs that stand for domains. */
  pepper: Uint8Array
  /** How long a claim lasts; Infinity: for ever. */
  windowMs: number
  maxClaims?: number
  now?: () => number
}

/**
 * The domains that have had their sandbox job. A claim is made in the transaction that records the job, and given back
 * in the one that fails it.
 */
export class DomainClaims {
  readonly #options: DomainClaimOptions
  readonly #now: () => number
  readonly #claims: Table<DomainClaim>
  readonly #times: Table<Record<string, never>>

  constructor (options: DomainClaimOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#claims = options.metadata.table('sandboxClaims')
    this.#times = options.metadata.table('sandboxClaimTimes')
  }

  /** The id of a registrable domain in the record. It does not reveal the domain. */
  idOf (domain: string): string {
    return createHmac('sha256', this.#options.pepper).update(`sandbox domain ${domain}`).digest('hex')
  }

  /** Throws sandbox_domain_used, which undoes the transaction. */
  #claim (tx: Transaction, { jobId, sandbox }: Pick<JobRecord, 'jobId' | 'sandbox'>): void {
    if (sandbox === undefined) return
    const { claim: id } = sandbox
    const before = tx.get(this.#claims, [id])?.value
    const isInForce = before !== undefined && before.atMs > this.#edgeMs()
    if (isInForce && before.jobId !== null) throw domainUsed()
    if (before !== undefined) this.#forget(tx, id, before)
    this.#put(tx, id, { v: 1, jobId, atMs: this.#now(), ...(isInForce ? forgivenBefore(before) : {}) })
  }

  /** A job that failed because of the service does not count, and its error says so. A job with wrong data counts. */
  readonly follower: JobFollower = {
    created: (tx, record) => this.#claim(tx, record),
    ended: (tx, record) => {
      const { sandbox, errorCode } = record
      if (sandbox === undefined || errorCode === null || errorTable[errorCode].status < 500) return record
      const isGivenBack = this.#giveBack(tx, sandbox.claim, record.jobId, ofFile.has(errorCode))
      return { ...record, error: `${record.error} ${isGivenBack ? again : over}` }
    }
  }

  /** False when the claim stays. */
  #giveBack (tx: Transaction, id: string, jobId: string, mayBeOfFile: boolean): boolean {
    const claim = tx.get(this.#claims, [id])?.value
    // Released or expired, and perhaps claimed again.
    if (claim?.jobId !== jobId) return (claim?.jobId ?? null) === null
    const forgiven = (claim.forgiven ?? 0) + (mayBeOfFile ? 1 : 0)
    if (forgiven > mostForgiven) return false
    this.#forget(tx, id, claim)
    if (forgiven > 0) this.#put(tx, id, { ...claim, jobId: null, forgiven })
    return true
  }

  /** Newest first, at most 1,000; for one domain when given. */
  list (domain: string | null): ListedClaim[] {
    const newest = () => [...this.#times.range({ reverse: true, limit: maxListed })].map(({ key }) => String(key[1]))
    const ids = domain === null ? newest() : [this.idOf(domain)]
    return ids.flatMap((id) => {
      const claim = this.#claims.get([id])?.value
      return claim === undefined || claim.jobId === null ? [] : [{ id, jobId: claim.jobId, atMs: claim.atMs }]
    })
  }

  /** Also clears `forgiven`. False when the domain has no claim. */
  async release (domain: string): Promise<boolean> {
    const id = this.idOf(domain)
    return await this.#options.metadata.transact((tx) => {
      const claim = tx.get(this.#claims, [id])?.value
      if (claim !== undefined) this.#forget(tx, id, claim)
      return claim !== undefined && claim.jobId !== null
    })
  }

  /** Deletes expired claims, and the oldest of too many. */
  async sweep (): Promise<void> {
    for (;;) {
      const surplus = Math.max(0, this.#times.count() - (this.#options.maxClaims ?? maxClaims))
      const over = [...this.#times.range({ end: [this.#edgeMs()], limit: sweepBatch })]
      const due = over.length > 0 ? over : [...this.#times.range({ limit: Math.min(surplus, sweepBatch) })]
      if (due.length === 0) return
      await this.#options.metadata.transact((tx) => {
        for (const { key } of due) {
          tx.delete(this.#times, key)
          tx.delete(this.#claims, [String(key[1])])
        }
      })
    }
  }

  /** Claims up to this time have expired. */
  #edgeMs (): number {
    const { windowMs } = this.#options
    return windowMs === Infinity ? 0 : this.#now() - windowMs
  }

  #put (tx: Transaction, id: string, claim: DomainClaim): void {
    tx.put(this.#claims, [id], claim)
    tx.put(this.#times, [claim.atMs, id], {})
  }

  #forget (tx: Transaction, id: string, { atMs }: DomainClaim): void {
    tx.delete(this.#claims, [id])
    tx.delete(this.#times, [atMs, id])
  }
}

function forgivenBefore ({ forgiven }: DomainClaim): Pick<DomainClaim, 'forgiven'> {
  return defined({ forgiven })
}

function domainUsed (): TabcastError {
  return new TabcastError('sandbox_domain_used', 'The domain of this address has had its job in the sandbox.', {
    suggestion: 'Ask whoever runs the service for a key of your own.'
  })
}
