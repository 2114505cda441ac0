import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import { AuditLog, service } from '../audit/audit-log.ts'
import type { AnnouncedType } from './tables.ts'
import { failingDays, type WebhookEndpoint } from './webhook-endpoint.ts'

const failingMs = failingDays * 86_400_000

/** The records of the tenants' webhook endpoints. It writes in the given transaction. */
export class EndpointLedger {
  readonly #endpoints: Table<WebhookEndpoint>
  readonly #audit: AuditLog

  constructor (metadata: MetadataStore, audit: AuditLog = new AuditLog(metadata)) {
    this.#endpoints = metadata.table('webhookEndpoints')
    this.#audit = audit
  }

  /** Oldest first. */
  list (tenant: string): WebhookEndpoint[] {
    return [...this.#endpoints.range({ prefix: [tenant] })].map(({ value }) => value)
  }

  get (tenant: string, endpointId: string): WebhookEndpoint | undefined {
    return this.#endpoints.get([tenant, endpointId])?.value
  }

  put (tx: Transaction, endpoint: WebhookEndpoint): void {
    tx.put(this.#endpoints, [endpoint.tenant, endpoint.endpointId], endpoint)
  }

  delete (tx: Transaction, { tenant, endpointId }: WebhookEndpoint): void {
    tx.delete(this.#endpoints, [tenant, endpointId])
  }

  /** The enabled endpoints that listen for this event. */
  listening (tx: Transaction, tenant: string, type: AnnouncedType): WebhookEndpoint[] {
    return tx.range(this.#endpoints, { prefix: [tenant] }).map(({ value }) => value).filter(({ enabled, events }) =>
      enabled && events.includes(type)
    )
  }

  /** Counts a message that is not sent because too many wait. */
  unsent (tx: Transaction, endpoint: WebhookEndpoint): void {
    this.put(tx, { ...endpoint, unsent: (endpoint.unsent ?? 0) + 1 })
  }

  /** Records the result of an attempt. An endpoint that is gone, or has failed for days, is disabled. */
  attempted (tx: Transaction, tenant: string, endpointId: string,
    { isDelivered, isGone, atMs }: { isDelivered: boolean, isGone: boolean, atMs: number }): void {
    const endpoint = tx.get(this.#endpoints, [tenant, endpointId])?.value
    if (endpoint === undefined || !endpoint.enabled) return
    const failingSinceMs = isDelivered ? null : endpoint.failingSinceMs ?? atMs
    const disabledReason = isGone
      ? 'gone'
      : failingSinceMs !== null && atMs - failingSinceMs >= failingMs
      ? 'failing'
      : null
    if (disabledReason !== null) {
      this.put(tx, { ...endpoint, failingSinceMs, disabledReason, enabled: false, updatedAtMs: atMs })
      this.#audit.append(tx, tenant, service, {
        action: 'webhook_endpoint.disable',
        target: endpointId,
        outcome: 'success'
      })
    } else if (failingSinceMs !== endpoint.failingSinceMs) {
      this.put(tx, { ...endpoint, failingSinceMs })
    }
  }
}
