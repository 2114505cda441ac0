import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { encode } from 'cborg'
import { ulid } from 'ulid'
import type { ConnectorResults } from '../domain/connector-results.ts'
import { messageVersion as v } from '../domain/message-version.ts'
import type { QuickConnectorReply, QuickConnectorRequest } from '../platform/queue/quick-messages.ts'
import { TenantLanes } from '../platform/turns/tenant-lanes.ts'
import type { Connector, ReadOptions } from '../sources/connectors/connector.ts'
import { asConnectorError } from '../sources/connectors/provider-errors.ts'
import type { InspectFor } from './inspect-sources.ts'
import type { RunContext } from './run-context.ts'
import { NoSourceSpace, SourceSpace } from './source-space.ts'

/**
 * How many requests one worker holds, and how many it serves side by side; they mostly wait for a store outside the
 * service. No tenant takes more lanes than its share. A tenant without a lane gets an extra one, up to twice as many in
 * all.
 */
const maxHeld = 64
const lanes = 16
const lanesPerTenant = 2
/** The queue takes messages of up to 1 MiB. */
const maxReplyBytes = 900_000

/**
 * Serves requests about customers' stores. They take turns of their own, so that a slow store does not hold up content
 * checks.
 */
export class ConnectorDesk {
  readonly #context: Omit<RunContext, 'covariates' | 'sources' | 'apart' | 'memory' | 'results'>
  readonly #inspect: InspectFor
  readonly #turns = new TenantLanes(maxHeld, lanes, { share: lanesPerTenant, most: 2 * lanes })

  /** `inspect` computes in a slot: this process reads no rows. */
  constructor (context: Omit<RunContext, 'covariates' | 'sources' | 'apart' | 'memory' | 'results'>,
    inspect: InspectFor) {
    this.#context = context
    this.#inspect = inspect
  }

  async handle (request: QuickConnectorRequest): Promise<QuickConnectorReply> {
    // The wait for a turn counts, because the caller waits no longer than its budget.
    const signal = AbortSignal.timeout(request.budgetMs)
    return await this.#turns.take(request.connection.tenant, () => this.#serve(request, signal)) ??
      { v, ok: false, busy: true }
  }

  /** Resolves once every accepted request is answered. */
  async idle (): Promise<void> {
    await this.#turns.idle()
  }

  async #serve (request: QuickConnectorRequest, signal: AbortSignal): Promise<QuickConnectorReply> {
    if (signal.aborted) return { v, ok: false, busy: true }
    let cpuMs = 0
    const spend = (ms: number): void => {
      cpuMs += ms
    }
    const connector = this.#context.connectors.open(request.connection, signal, spend)
    try {
      const reply: QuickConnectorReply = { v, ok: true, result: await this.#run(request, connector, spend), cpuMs }
      return encode(reply).length > maxReplyBytes ? { v, ok: false, error: 'DATASET_TOO_LARGE', cpuMs } : reply
    } catch (thrown) {
      if (thrown instanceof NoSourceSpace) return { v, ok: false, busy: true }
      const error = asConnectorError(thrown)
      const { log } = this.#context
      log.info({ operation: request.operation, connectionId: request.connection.connectionId, code: error.code },
        'connector request failed')
      // A provider's message may contain anything, so the log gets only the error's name.
      log.debug({ reason: String((error.cause as Error | undefined)?.name ?? error.name) }, 'connector failure')
      return { v, ok: false, error: error.code, cpuMs }
    } finally {
      connector.close()
    }
  }

  async #run (request: QuickConnectorRequest, connector: Connector,
    spend: (cpuMs: number) => void): Promise<ConnectorResults[keyof ConnectorResults]> {
    switch (request.operation) {
      case 'test':
        return await connector.testConnection()
      case 'list':
        return await connector.listObjects(request)
      case 'validate':
        return await this.#inFolder(request.connection.tenant, (place) =>
          connector.validateSource({
            ...place,
            dataset: request.dataset,
            limits: request.limits,
            inspect: this.#inspect(request.connection.tenant, spend)
          }))
    }
  }

  async #inFolder<T> (tenant: string, work: (place: ReadOptions) => Promise<T>): Promise<T> {
    const room = new SourceSpace(this.#context.scratchSpace, tenant)
    const folder = join(this.#context.scratch, `source-${ulid()}`)
    await mkdir(folder, { mode: 0o700 })
    try {
      return await work({ folder, reserve: (bytes) => room.reserve(bytes) })
    } finally {
      await rm(folder, { recursive: true, force: true })
      room.release()
    }
  }
}
