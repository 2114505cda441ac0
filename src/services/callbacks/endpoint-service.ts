import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Transaction } from '../../platform/metadata/metadata-store.ts'
import { orderedUlids } from '../../platform/new-ulid.ts'
import type { CallbackLedger, EndpointMessage } from './callback-ledger.ts'
import type { EndpointLedger } from './endpoint-ledger.ts'
import type { AnnouncedType } from './tables.ts'
import { isEndpointId, isMessageId, maxDeliveryAttempts, maxWebhookEndpoints,
  type WebhookEndpoint } from './webhook-endpoint.ts'
import type { WebhookSecret, WebhookSecrets } from './webhook-secrets.ts'

export interface EndpointSettings {
  url: string
  events: AnnouncedType[]
  description: string | null
  enabled: boolean
}

type Within<R> = (tx: Transaction, result: R) => void

interface EndpointServiceDeps {
  metadata: MetadataStore
  ledger: CallbackLedger
  endpoints: EndpointLedger
  secrets: WebhookSecrets
  /** Throws validation_error. */
  acceptUrl: (url: string, loc: Array<string | number>) => string | null
}

const nextUlid = orderedUlids()

/**
 * A tenant's webhook endpoints and their messages. An endpoint or message of another tenant counts as unknown. `within`
 * runs in the transaction of the change.
 */
export class EndpointService {
  readonly #deps: EndpointServiceDeps

  constructor (deps: EndpointServiceDeps) {
    this.#deps = deps
  }

  /** Oldest first; there are few. */
  list (tenant: string): WebhookEndpoint[] {
    return this.#deps.endpoints.list(tenant)
  }

  get (tenant: string, endpointId: string): WebhookEndpoint {
    const endpoint = isEndpointId(endpointId) ? this.#deps.endpoints.get(tenant, endpointId) : undefined
    if (endpoint === undefined) throw noSuchEndpoint()
    return endpoint
  }

  async create (tenant: string, settings: EndpointSettings, within: Within<WebhookEndpoint>): Promise<WebhookEndpoint> {
    const { metadata, endpoints, secrets, acceptUrl } = this.#deps
    acceptUrl(settings.url, ['body', 'url'])
    const atMs = Date.now()
    const endpoint: WebhookEndpoint = {
      v: 1,
      endpointId: `whep_${nextUlid(atMs)}`,
      tenant,
      ...settings,
      disabledReason: null,
      failingSinceMs: null,
      createdAtMs: atMs,
      updatedAtMs: atMs
    }
    return await metadata.transact((tx) => {
      if (endpoints.list(tenant).length >= maxWebhookEndpoints) {
        throw new TabcastError('validation_error', `A tenant has at most ${maxWebhookEndpoints} webhook endpoints.`, {
          status: 400,
          suggestion: 'Delete an endpoint that is not used any more.'
        })
      }
      endpoints.put(tx, endpoint)
      secrets.make(tx, [tenant, endpoint.endpointId])
      within(tx, endpoint)
      return endpoint
    }, tenant)
  }

  /** Enabling an endpoint clears its failures. */
  async update (tenant: string, endpointId: string, change: Partial<EndpointSettings>,
    within: Within<WebhookEndpoint>): Promise<WebhookEndpoint> {
    if (change.url !== undefined) this.#deps.acceptUrl(change.url, ['body', 'url'])
    return await this.#deps.metadata.transact((tx) => {
      const before = this.get(tenant, endpointId)
      const isFresh = change.enabled === true || change.url !== undefined
      const endpoint: WebhookEndpoint = {
        ...before,
        ...change,
        failingSinceMs: isFresh ? null : before.failingSinceMs,
        // Changing the address does not enable an endpoint that the service disabled.
        disabledReason: change.enabled === undefined ? before.disabledReason : null,
        updatedAtMs: Date.now()
      }
      this.#deps.endpoints.put(tx, endpoint)
      within(tx, endpoint)
      return endpoint
    }, tenant)
  }

  /** Messages that wait for it are not sent. */
  async delete (tenant: string, endpointId: string, within: Within<WebhookEndpoint>): Promise<void> {
    const { metadata, ledger, endpoints, secrets } = this.#deps
    await metadata.transact((tx) => {
      const endpoint = this.get(tenant, endpointId)
      endpoints.delete(tx, endpoint)
      secrets.drop(tx, [tenant, endpointId])
      ledger.forgetEndpoint(tx, tenant, endpointId)
      within(tx, endpoint)
    }, tenant)
  }

  async secret (tenant: string, endpointId: string): Promise<WebhookSecret> {
    this.get(tenant, endpointId)
    return await this.#deps.secrets.show([tenant, endpointId])
  }

  async rotateSecret (tenant: string, endpointId: string, within: (tx: Transaction) => void): Promise<WebhookSecret> {
    this.get(tenant, endpointId)
    return await this.#deps.secrets.rotate([tenant, endpointId], (tx) => {
      this.get(tenant, endpointId)
      within(tx)
    })
  }

  /** Sends an event without content, like any other. */
  async test (tenant: string, endpointId: string, within: Within<EndpointMessage>): Promise<EndpointMessage> {
    return await this.#deps.metadata.transact((tx) => {
      const message = this.#deps.ledger.announceTest(tx, this.#enabled(tenant, endpointId))
      within(tx, message)
      return message
    }, tenant)
  }

  /** Newest first, older than `before`. */
  deliveries (tenant: string, endpointId: string, limit: number,
    before: string | null): { messages: EndpointMessage[], next: string | null } {
    this.get(tenant, endpointId)
    return this.#deps.ledger.sentTo(tenant, endpointId, limit, before)
  }

  /** Makes one more attempt now, under the same webhook-id. */
  async redeliver (tenant: string, endpointId: string, messageId: string,
    within: Within<EndpointMessage>): Promise<EndpointMessage> {
    const { metadata, ledger } = this.#deps
    return await metadata.transact((tx) => {
      const found = this.get(tenant, endpointId) && isMessageId(messageId)
        ? ledger.oneSentTo(tenant, endpointId, messageId)
        : undefined
      if (found === undefined) {
        throw new TabcastError('not_found', 'No such delivery for this endpoint; it goes with its job.')
      }
      this.#enabled(tenant, endpointId)
      if (found.attempts.length >= maxDeliveryAttempts) {
        throw new TabcastError('validation_error', `It was tried ${maxDeliveryAttempts} times, which is the most.`, {
          status: 409,
          suggestion: 'Fetch the job instead: GET /jobs/{job_id}.'
        })
      }
      if (found.dueMs === null && ledger.isFull(tx, tenant, found.host)) {
        throw new TabcastError('validation_error', 'Too many messages to this host wait already.', {
          status: 409,
          suggestion: 'Disable the endpoint that does not accept them, or wait until they are sent.'
        })
      }
      const message = ledger.dueNow(tx, tenant, found)
      within(tx, message)
      return message
    }, tenant)
  }

  #enabled (tenant: string, endpointId: string): WebhookEndpoint {
    const endpoint = this.get(tenant, endpointId)
    if (endpoint.enabled) return endpoint
    throw new TabcastError('validation_error', 'The endpoint is disabled.', {
      status: 409,
      suggestion: 'Enable it first: PATCH /webhooks/endpoints/{endpoint_id} with {"enabled": true}.'
    })
  }
}

function noSuchEndpoint (): TabcastError {
  return new TabcastError('not_found', 'No such webhook endpoint for this key.')
}
