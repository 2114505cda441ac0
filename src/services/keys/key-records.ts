import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import { isKeyId } from './key-format.ts'
import { KeyOrder } from './key-order.ts'
import type { KeyRecord, KeySummary } from './key-record.ts'
import type { KeyUses } from './key-uses.ts'
import { TenantKeys } from './tenant-keys.ts'

/** The size of a page of all keys. */
const pageKeys = 100
/**
 * The most ended keys that a change of a key also forgets. This is more than the change can add, so that the backlog
 * shrinks.
 */
const forgetBeside = 10

/** The issued keys on record, with the indexes in memory that list them. */
export class KeyRecords {
  readonly #keys: Table<KeyRecord>
  readonly #uses: KeyUses
  readonly #now: () => number
  readonly #ofTenants = new TenantKeys()
  readonly #order: KeyOrder

  constructor (metadata: MetadataStore, uses: KeyUses, now: () => number) {
    this.#keys = metadata.table<KeyRecord>('keys')
    this.#uses = uses
    this.#now = now
    this.#order = new KeyOrder(this.#indexed())
  }

  get (id: string): KeyRecord | undefined {
    return this.#keys.get([id])?.value
  }

  read (tx: Transaction, id: string): KeyRecord | undefined {
    return tx.get(this.#keys, [id])?.value
  }

  /** False when the id is taken. Indexes the key at once, so that keys created at the same time count each other. */
  add (tx: Transaction, record: KeyRecord): boolean {
    if (!tx.createIfAbsent(this.#keys, [record.id], record)) return false
    this.#index(record)
    return true
  }

  put (tx: Transaction, record: KeyRecord): void {
    tx.put(this.#keys, [record.id], record)
    this.#index(record)
  }

  /** Puts the indexes back to what is recorded, after a change that was not written. */
  asRecorded (changed: KeyRecord): void {
    const record = this.get(changed.id)
    if (record === undefined) this.#unindex(changed)
    else this.#index(record)
  }

  /** Valid keys of a tenant, including those that are being created. */
  count (tenant: string): number {
    return this.#ofTenants.working(tenant, this.#now()).length
  }

  tenants (): string[] {
    return this.#ofTenants.tenants()
  }

  /** Ended keys that are due to be forgotten. */
  overdue (tenant: string): string[] {
    return this.#ofTenants.overdue(tenant, this.#now())
  }

  /** Nobody can tell that the keys existed: an ended key gets the same refusal as an unknown one. */
  forget (tx: Transaction, ids: readonly string[]): void {
    for (const id of ids) {
      const record = this.read(tx, id)
      if (record === undefined) continue
      tx.delete(this.#keys, [id])
      this.#uses.forget(tx, id)
      // When the commit fails, the next start indexes the key again.
      this.#unindex(record)
    }
  }

  forgetSome (tx: Transaction, tenant: string): void {
    this.forget(tx, this.overdue(tenant).slice(0, forgetBeside))
  }

  find (id: string): KeySummary | undefined {
    const record = isKeyId(id) ? this.get(id) : undefined
    return record === undefined ? undefined : this.summarize(record)
  }

  list (after?: string): KeySummary[] {
    const range = { ...(after === undefined ? {} : { start: [after] }), limit: pageKeys + 1 }
    const behind = [...this.#keys.range(range)].filter(({ key }) => key[0] !== after)
    return behind.slice(0, pageKeys).map(({ value }) => this.summarize(value))
  }

  newest (after: string | null, limit: number): KeySummary[] {
    const page: KeySummary[] = []
    for (const id of this.#order.behind(after)) {
      // A key that is being created has no record yet.
      const found = this.find(id)
      if (found !== undefined) page.push(found)
      if (page.length === limit) break
    }
    return page
  }

  listTenant (tenant: string): KeySummary[] {
    // A key that is being created, or whose creation failed, has no record.
    const records = this.#ofTenants.working(tenant, this.#now()).flatMap((id) => this.get(id) ?? [])
    return records.map((record) => this.summarize(record))
  }

  summarize ({ v, hash, previous, ...shown }: KeyRecord): KeySummary {
    return { ...shown, lastUsedAtMs: this.#uses.lastOf(shown.id) }
  }

  /** All keys on record. Each is added to one index on its way to the other. */
  *#indexed (): Iterable<KeyRecord> {
    for (const { value } of this.#keys.range()) {
      this.#ofTenants.add(value.tenant, value.id, endOf(value))
      if (value.revokedAtMs === null) yield value
    }
  }

  #index (record: KeyRecord): void {
    this.#ofTenants.add(record.tenant, record.id, endOf(record))
    if (record.revokedAtMs === null) this.#order.add(record)
    else this.#order.remove(record)
  }

  #unindex (record: KeyRecord): void {
    this.#ofTenants.remove(record.tenant, record.id)
    this.#order.remove(record)
  }
}

function endOf ({ revokedAtMs, expiresAtMs }: KeyRecord): number {
  return Math.min(revokedAtMs ?? Infinity, expiresAtMs ?? Infinity)
}
