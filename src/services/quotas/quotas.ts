import type { Logger } from 'pino'
import type { ArrivingBytes } from '../../platform/disk/arriving-bytes.ts'
import { watchFile, type WatchedFile } from '../../platform/disk/watch-file.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Transaction } from '../../platform/metadata/metadata-store.ts'
import { QuotaLedger, type Holder, type QuotaUse } from './quota-ledger.ts'
import { quotaNames, readQuotaRules, ruleOf, type QuotaName, type QuotaRules } from './quota-rules.ts'

/** A tenant's use of one quota. */
export interface QuotaState {
  name: QuotaName
  /** null: no limit. */
  limit: number | null
  used: number
  /** null for stored bytes, which fall when something is deleted or expires. */
  resetsAtMs: number | null
}

/** How long a client waits before it tries again; a job or object may have expired by then. */
const retryBytesSeconds = 60

const what: Record<QuotaName, string> = {
  jobs_per_day: 'jobs a day',
  rows_per_day: 'rows a day',
  stored_bytes: 'stored bytes'
}

/** Enforces the operator's quota file, which is read again whenever it changes. */
export class Quotas {
  readonly #ledger: QuotaLedger
  readonly #rules: WatchedFile<QuotaRules>
  readonly #closed = new AbortController()
  /** Bytes of uploads under way, by tenant. */
  readonly #arriving = new Map<string, number>()

  constructor (
    { path, metadata, holders, log, now }: { path: string, metadata: MetadataStore, holders: readonly Holder[],
      log: Logger, now?: () => number }
  ) {
    this.#ledger = new QuotaLedger(metadata, holders, now)
    this.#rules = watchFile({
      path,
      read: readQuotaRules,
      onError: (error) => log.error({ err: error }, 'cannot read the quotas file; the last good quotas stay in force')
    })
    this.#ledger.countAgain(this.#closed.signal).catch((error: unknown) =>
      log.error({ err: error }, 'cannot count the bytes that tenants store')
    )
  }

  /**
   * Counts a new job in the transaction that records it. Throws when a quota is exceeded, which undoes the transaction.
   */
  takeJob (tx: Transaction, tenant: string, jobId: string, { rows, bytes }: { rows: number, bytes: number }): void {
    this.#ledger.take(tx, tenant, { jobs: 1, rows })
    this.#ledger.hold(tx, tenant, jobId, bytes)
    this.#assert(tenant, this.#ledger.usedIn(tx, tenant))
  }

  /**
   * Counts the rows and results of a job that has ended. It never throws: results above the quota stop the next job,
   * not this one.
   */
  endJob (tx: Transaction, tenant: string, jobId: string,
    { moreRows, bytes }: { moreRows: number, bytes: number }): void {
    this.#ledger.take(tx, tenant, { jobs: 0, rows: moreRows })
    this.#ledger.hold(tx, tenant, jobId, bytes)
  }

  dropJob (tx: Transaction, tenant: string, jobId: string): void {
    this.#ledger.hold(tx, tenant, jobId, 0)
  }

  /**
   * Throws when this much more would exceed a quota, before anything is read. A tenant without rows left cannot start
   * another job.
   */
  check (tenant: string, { jobs, bytes }: { jobs: number, bytes: number }): void {
    const use = this.#ledger.used(tenant)
    this.#assert(tenant, { ...use, bytes: use.bytes + (this.#arriving.get(tenant) ?? 0) }, { jobs, rows: jobs, bytes })
  }

  /**
   * Reserves the announced bytes of an upload; 0 when the client announces none. Bytes beyond that are reserved as they
   * arrive. Otherwise parallel uploads could each use all that is left.
   */
  arriving (tenant: string, announced: number): ArrivingBytes {
    let held = 0
    let come = 0
    const hold = (bytes: number): void => {
      if (bytes <= held) return
      this.check(tenant, { jobs: 0, bytes: bytes - held })
      this.#hasArriving(tenant, bytes - held)
      held = bytes
    }
    hold(Math.max(1, announced))
    return {
      come: (bytes) => {
        come += bytes
        hold(come)
      },
      release: () => {
        this.#hasArriving(tenant, -held)
        held = 0
      }
    }
  }

  /**
   * Sets the bytes of a stored object; 0 deletes them. Throws when they grow beyond the quota, which undoes the
   * transaction.
   */
  hold (tx: Transaction, tenant: string, objectId: string, bytes: number): void {
    const { before, grown } = this.#ledger.hold(tx, tenant, objectId, bytes)
    this.#assert(tenant, { jobs: 0, rows: 0, bytes: before }, { jobs: 0, rows: 0, bytes: grown })
  }

  states (tenant: string): QuotaState[] {
    return this.#states(tenant, this.#ledger.used(tenant))
  }

  close (): void {
    this.#closed.abort()
    this.#rules.close()
  }

  #hasArriving (tenant: string, more: number): void {
    const bytes = (this.#arriving.get(tenant) ?? 0) + more
    if (bytes === 0) this.#arriving.delete(tenant)
    else this.#arriving.set(tenant, bytes)
  }

  #states (tenant: string, { jobs, rows, bytes }: QuotaUse): QuotaState[] {
    const rule = ruleOf(this.#rules.value(), tenant)
    const used: Record<QuotaName, number> = { jobs_per_day: jobs, rows_per_day: rows, stored_bytes: bytes }
    return quotaNames.map((name) => ({
      name,
      limit: rule[name],
      used: used[name],
      resetsAtMs: name === 'stored_bytes' ? null : this.#ledger.resetsAtMs()
    }))
  }

  /** Without `more`, checks what is already counted. A quota that is not taken from never refuses. */
  #assert (tenant: string, use: QuotaUse, more?: QuotaUse): void {
    const added = { jobs_per_day: more?.jobs ?? 0, rows_per_day: more?.rows ?? 0, stored_bytes: more?.bytes ?? 0 }
    const over = this.#states(tenant, use).find(({ name, limit, used }) =>
      limit !== null && used + added[name] > limit && (more === undefined || added[name] > 0)
    )
    if (over !== undefined) throw refusal(over)
  }
}

function refusal ({ name, limit, used, resetsAtMs }: QuotaState): TabcastError {
  const seconds = resetsAtMs === null ? retryBytesSeconds : Math.max(1, Math.ceil((resetsAtMs - Date.now()) / 1000))
  return new TabcastError('rate_limited', `This would be more than the ${limit} ${what[name]} of your tenant.`, {
    reason: `quota_${name}`,
    suggestion: resetsAtMs === null
      ? 'Delete jobs or stored objects, or wait until jobs expire.'
      : 'Wait until the day, UTC, is over, or ask the operator for more.',
    retryAfterSeconds: seconds,
    quota: { name, limit: limit ?? 0, used, resetsAtMs }
  })
}
