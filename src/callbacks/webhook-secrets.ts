import { randomBytes } from 'node:crypto'
import type { MetadataStore, Table, Transaction } from '../metadata/metadata-store.ts'
import type { Sealed, Vault } from '../vault/vault.ts'
import { sign } from './signature.ts'
import type { WebhookSecretRecord } from './tables.ts'

export interface WebhookSecret {
  /** As Standard Webhooks writes it: whsec_ and the key in base64. */
  secret: string
  createdAtMs: number
  /** Until when a secret that was replaced signs as well; null: there is none. */
  previousUntilMs: number | null
}

const keyBytes = 32
const overlapMs = 24 * 3_600_000
/** Each adds a signature to every callback. */
const maxPrevious = 4

/** The secret of each tenant that its callbacks are signed with. Kept sealed; made when it is first asked for. */
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
  async show (tenant: string): Promise<WebhookSecret> {
    return this.#reveal(tenant, await this.#record(tenant))
  }

  /** A new secret; the one before it signs as well for a day, so that receivers can change over. */
  async rotate (tenant: string, within?: (tx: Transaction) => void): Promise<WebhookSecret> {
    const secret = this.#mint(tenant)
    const nowMs = this.#now()
    const record = await this.#metadata.transact((tx) => {
      const before = tx.get(this.#table, [tenant])?.value
      const replaced = before === undefined ? [] : [{ secret: before.secret, untilMs: nowMs + overlapMs }, ...inForce(before, nowMs)]
      const after: WebhookSecretRecord = { v: 1, secret, createdAtMs: nowMs, previous: replaced.slice(0, maxPrevious) }
      tx.put(this.#table, [tenant], after)
      within?.(tx)
      return after
    })
    return this.#reveal(tenant, record)
  }

  /** The signature under every secret that is in force, the newest first. Rejects with a VaultError. */
  async sign (tenant: string, messageId: string, timestamp: string, body: string): Promise<string> {
    const record = await this.#record(tenant)
    const keys: Buffer[] = []
    try {
      for (const { secret } of [record, ...inForce(record, this.#now())]) keys.push(this.#vault.open(secret, secretContext(tenant)))
      return sign(keys, messageId, timestamp, body)
    } finally {
      for (const key of keys) key.fill(0)
    }
  }

  async #record (tenant: string): Promise<WebhookSecretRecord> {
    const known = this.#table.get([tenant])?.value
    if (known !== undefined) return known
    const made: WebhookSecretRecord = { v: 1, secret: this.#mint(tenant), createdAtMs: this.#now(), previous: [] }
    return await this.#metadata.transact((tx) => tx.createIfAbsent(this.#table, [tenant], made) ? made : tx.get(this.#table, [tenant])?.value ?? made)
  }

  #reveal (tenant: string, record: WebhookSecretRecord): WebhookSecret {
    const [previous] = inForce(record, this.#now())
    const key = this.#vault.open(record.secret, secretContext(tenant))
    try {
      return { secret: `whsec_${key.toString('base64')}`, createdAtMs: record.createdAtMs, previousUntilMs: previous?.untilMs ?? null }
    } finally {
      key.fill(0)
    }
  }

  #mint (tenant: string): Sealed {
    const key = randomBytes(keyBytes)
    try {
      return this.#vault.seal(key, secretContext(tenant))
    } finally {
      key.fill(0)
    }
  }
}

function inForce ({ previous }: WebhookSecretRecord, nowMs: number): WebhookSecretRecord['previous'] {
  return previous.filter(({ untilMs }) => untilMs > nowMs)
}

export function secretContext (tenant: string): string[] {
  return [tenant, 'webhooks', 'secret']
}
