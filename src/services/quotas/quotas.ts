import type { Logger } from 'pino'
import type { ArrivingBytes } from '../../platform/disk/arriving-bytes.ts'
import { watchFile, type WatchedFile } from '../../platform/disk/watch-file.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Transaction } from '../../platform/metadata/metadata-store.ts'
import { QuotaLedger, type Holder, type QuotaUse } from './quota-ledger.ts'
import { quotaNames, readQuotaRules, ruleOf, type QuotaName, type QuotaRules } from './quota-rules.ts'

/** How a tenant stands with one quota. */
export interface QuotaState {
  name: QuotaName
  /** null: no limit. */
  limit: number | null
  used: number
  /** null: it falls with what is deleted or expires. */
  resetsAtMs: number | null
}

/** After this time a job or object may have expired. */
const retryBytesSeconds = 60

const what: Record<QuotaName, string> = {
  jobs_per_day: 'jobs a day',
  rows_per_day: 'rows a day',
  stored_bytes: 'stored bytes'
}

/** What each tenant may take, by the operator's file, which is read again when it changes. */
export class Quotas {
  readonly #ledger: QuotaLedger
  readonly #rules: WatchedFile<QuotaRules>
  readonly #closed = new AbortController()
  /** By tenant: bytes of uploads that are under way. */
  readonly #arriving = new Map<string, number>()

  constructor (
    { path, metadata, holders, log, now }: { path: string, metadata: MetadataStore, holders: readonly Holder[],
      log: Logger, now?: () => number }
  ) {
    this.#ledger = new QuotaLedger(metadata, holders, now)
    this.#rules = watchFile({
      path,
      read: readQuotaRules,
      onError: (error) => log.error({ err: error }, 'the quotas before stay in force')
    })
    this.#ledger.countAgain(this.#closed.signal).catch((error: unknown) =>
      log.error({ err: error }, 'what tenants store could not be counted')
    )
  }

  /**
   * A new job, counted in the transaction that records it. Throws, which undoes the transaction, when it is too much.
   */
  takeJob (tx: Transaction, tenant: string, jobId: string, { rows, bytes }: { rows: number, bytes: number }): void {
    this.#ledger.take(tx, tenant, { jobs: 1, rows })
    this.#ledger.hold(tx, tenant, jobId, bytes)
    this.#assert(tenant, this.#ledger.usedIn(tx, tenant))
  }

  /**
   * What is known of a job once it has ended: results never fail it, what they bring above the quota stops the next
   * one.
   */
  endJob (tx: Transaction, tenant: string, jobId: string,
    { moreRows, bytes }: { moreRows: number, bytes: number }): void {
    this.#ledger.take(tx, tenant, { jobs: 0, rows: moreRows })
    this.#ledger.hold(tx, tenant, jobId, bytes)
  }

  /** The job is gone, and its bytes with it. */
  dropJob (tx: Transaction, tenant: string, jobId: string): void {
    this.#ledger.hold(tx, tenant, jobId, 0)
  }

  /**
   * Throws before anything is read when this much more would be refused. A tenant without rows left cannot have another
   * job.
   */
  check (tenant: string, { jobs, bytes }: { jobs: number, bytes: number }): void {
    const use = this.#ledger.used(tenant)
    this.#assert(tenant, { ...use, bytes: use.bytes + (this.#arriving.get(tenant) ?? 0) }, { jobs, rows: jobs, bytes })
  }

  /**
   * For an upload that announces so many bytes; 0: it does not say. They count from now on, and what comes beyond them
   * as it comes: many uploads at once would otherwise each have all that is left.
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
   * Bytes of a stored object; 0 when it goes. Throws, which undoes the transaction, when they grow beyond what is left.
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

  /** Without `more`: what is counted already. A quota of which nothing more is taken does not stand in the way. */
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
