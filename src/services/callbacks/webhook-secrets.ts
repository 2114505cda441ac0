import { randomBytes } from 'node:crypto'
import type { Sealed } from '../../domain/sealed.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import { sign } from './signature.ts'
import type { WebhookSecretRecord } from './tables.ts'

export interface WebhookSecret {
  /** In the form of Standard Webhooks: whsec_ and the key in base64. */
  secret: string
  createdAtMs: number
  /** Until when a replaced secret also signs; null: none does. */
  previousUntilMs: number | null
}

const keyBytes = 32
const overlapMs = 24 * 3_600_000
/** Limited, because each adds a signature to every callback. */
const maxPrevious = 4

/** The tenant, whose secret signs its callbacks, or one of its endpoints. */
export type SecretOwner = string | readonly [tenant: string, endpointId: string]

/**
 * The secrets that sign callbacks, stored sealed. A tenant's is created on first use, an endpoint's along with the
 * endpoint.
 */
export class WebhookSecrets {
  readonly #metadata: MetadataStore
  readonly #vault: Vault
  readonly #table: Table<WebhookSecretRecord>
  readonly #now: () => number

  constructor (metadata: MetadataStore, vault: Vault, now: () => number = Date.now) {
    this.#metadata = metadata
    this.#vault = vault
    this.#table = metadata.table('webhookSecrets')
    this.#now = now
  }

  /** Throws VaultError when the keyring cannot open it. */
  async show (owner: SecretOwner): Promise<WebhookSecret> {
    return this.#reveal(owner, await this.#record(owner))
  }

  /** Replaces the secret. The old one also signs for another day, so that receivers can change over. */
  async rotate (owner: SecretOwner, within?: (tx: Transaction) => void): Promise<WebhookSecret> {
    const secret = this.#mint(owner)
    const nowMs = this.#now()
    const record = await this.#metadata.transact((tx) => {
      const before = tx.get(this.#table, keyOf(owner))?.value
      const replaced = before === undefined
        ? []
        : [{ secret: before.secret, untilMs: nowMs + overlapMs }, ...inForce(before, nowMs)]
      const after: WebhookSecretRecord = { v: 1, secret, createdAtMs: nowMs, previous: replaced.slice(0, maxPrevious) }
      tx.put(this.#table, keyOf(owner), after)
      within?.(tx)
      return after
    }, tenantOf(owner))
    return this.#reveal(owner, record)
  }

  /** Call it in the transaction that creates the endpoint. */
  make (tx: Transaction, owner: SecretOwner): void {
    tx.put(this.#table, keyOf(owner), { v: 1, secret: this.#mint(owner), createdAtMs: this.#now(), previous: [] })
  }

  drop (tx: Transaction, owner: SecretOwner): void {
    tx.delete(this.#table, keyOf(owner))
  }

  /** Signs with every valid secret, newest first. Rejects with a VaultError. */
  async sign (owner: SecretOwner, messageId: string, timestamp: string, body: string): Promise<string> {
    const record = await this.#record(owner)
    const keys: Buffer[] = []
    try {
      for (const { secret } of [record, ...inForce(record, this.#now())]) {
        keys.push(this.#vault.open(secret, secretContext(keyOf(owner))))
      }
      return sign(keys, messageId, timestamp, body)
    } finally {
      for (const key of keys) key.fill(0)
    }
  }

  async #record (owner: SecretOwner): Promise<WebhookSecretRecord> {
    const known = this.#table.get(keyOf(owner))?.value
    if (known !== undefined) return known
    if (typeof owner !== 'string') throw new TabcastError('not_found', 'No such webhook endpoint for this key.')
    const made: WebhookSecretRecord = { v: 1, secret: this.#mint(owner), createdAtMs: this.#now(), previous: [] }
    return await this.#metadata.transact(
      (tx) =>
        tx.createIfAbsent(this.#table, keyOf(owner), made) ? made : tx.get(this.#table, keyOf(owner))?.value ?? made,
      tenantOf(owner)
    )
  }

  #reveal (owner: SecretOwner, record: WebhookSecretRecord): WebhookSecret {
    const [previous] = inForce(record, this.#now())
    const key = this.#vault.open(record.secret, secretContext(keyOf(owner)))
    try {
      return {
        secret: `whsec_${key.toString('base64')}`,
        createdAtMs: record.createdAtMs,
        previousUntilMs: previous?.untilMs ?? null
      }
    } finally {
      key.fill(0)
    }
  }

  #mint (owner: SecretOwner): Sealed {
    const key = randomBytes(keyBytes)
    try {
      return this.#vault.seal(key, secretContext(keyOf(owner)))
    } finally {
      key.fill(0)
    }
  }
}

function inForce ({ previous }: WebhookSecretRecord, nowMs: number): WebhookSecretRecord['previous'] {
  return previous.filter(({ untilMs }) => untilMs > nowMs)
}

function keyOf (owner: SecretOwner): string[] {
  return [owner].flat()
}

function tenantOf (owner: SecretOwner): string {
  return typeof owner === 'string' ? owner : owner[0]
}

/** `key`: the key of the record. */
export function secretContext ([tenant = '', endpointId = 'webhooks']: readonly string[]): string[] {
  return [tenant, endpointId, 'secret']
}
