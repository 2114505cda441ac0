import type { DueTable, Lane } from '../../platform/due-work/due-table.ts'
import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { DueEntry, HostTotal, TenantTotal } from './tables.ts'

/** How many attempts in a row must succeed before a failing host counts as healthy. */
const healthyAfter = 10

interface WaitingMessagesDeps {
  metadata: MetadataStore
  due: Pick<DueTable<DueEntry>, 'count'>
  /** The maximum number of waiting messages of one tenant. */
  most: number
}

/**
 * Counts the messages of a tenant that wait, and decides whether one more may. A healthy host may use the whole limit.
 * All failing hosts together may use half of it, and each of them at most half of what the others leave of that half.
 * So healthy hosts always get their messages, however many others hang.
 */
export class WaitingMessages {
  readonly #due: WaitingMessagesDeps['due']
  readonly #tenants: Table<TenantTotal>
  readonly #hosts: Table<HostTotal>
  readonly #most: number

  constructor ({ metadata, due, most }: WaitingMessagesDeps) {
    this.#due = due
    this.#tenants = metadata.table('callbackTotals')
    this.#hosts = metadata.table('callbackTotals')
    this.#most = most
  }

  /** Whether the limit is reached, so that further messages to the host are not sent. */
  isFull (tx: Transaction, tenant: string, host: string): boolean {
    const { waiting, ofFailing = 0 } = this.#ofTenant(tx, tenant)
    if (waiting >= this.#most) return true
    const own = this.#ofHost(tx, tenant, host)
    return isFailing(own) && own.waiting >= this.#most / 2 - ofFailing
  }

  /**
   * Adds a message to the counts, or removes it. Call it before the table of due messages changes, because the first
   * use counts that table.
   */
  count (tx: Transaction, tenant: string, host: string, by: 1 | -1): void {
    const own = this.#ofHost(tx, tenant, host)
    this.#write(tx, tenant, host, own, { ...own, waiting: own.waiting + by })
  }

  /** Records whether an attempt succeeded. The record of a host without waiting messages is deleted. */
  attempted (tx: Transaction, tenant: string, host: string, isDelivered: boolean): void {
    const own = this.#ofHost(tx, tenant, host)
    const before = own.toProve ?? 0
    const toProve = isDelivered ? Math.max(0, before - 1) : healthyAfter
    if (own.waiting > 0 && toProve !== before) this.#write(tx, tenant, host, own, { ...own, toProve })
  }

  #write (tx: Transaction, tenant: string, host: string, before: HostTotal, after: HostTotal): void {
    const { waiting, ofFailing = 0 } = this.#ofTenant(tx, tenant)
    tx.put(this.#tenants, [tenant], {
      waiting: waiting + after.waiting - before.waiting,
      ofFailing: ofFailing + waitingIfFailing(after) - waitingIfFailing(before)
    })
    if (after.waiting === 0) tx.delete(this.#hosts, [tenant, host])
    else tx.put(this.#hosts, [tenant, host], after)
  }

  #ofTenant (tx: Transaction, tenant: string): TenantTotal {
    return tx.get(this.#tenants, [tenant])?.value ?? this.#counted(tx, [tenant])
  }

  #ofHost (tx: Transaction, tenant: string, host: string): HostTotal {
    return tx.get(this.#hosts, [tenant, host])?.value ?? this.#counted(tx, [tenant, host])
  }

  /** Messages of earlier releases were not counted, so the first use counts them. */
  #counted (tx: Transaction, of: Lane): { waiting: number } {
    const counted = { waiting: this.#due.count(of) }
    if (counted.waiting > 0) tx.put(this.#tenants, of, counted)
    return counted
  }
}

function isFailing ({ toProve = 0 }: HostTotal): boolean {
  return toProve > 0
}

function waitingIfFailing (total: HostTotal): number {
  return isFailing(total) ? total.waiting : 0
}
