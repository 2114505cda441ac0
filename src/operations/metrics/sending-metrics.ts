import { Counter, type Registry } from 'prom-client'
import type { ConnectorCode } from '../../domain/connector-codes.ts'
import type { CallbackObserver } from '../../services/callbacks/callback-sender.ts'
import type { AttemptError } from '../../services/callbacks/tables.ts'
import type { DeliveryObserver } from '../../services/deliveries/delivery-desk.ts'

/** Counts what the service sends on its own: callbacks, and results written to customers' stores. */
export class SendingMetrics implements CallbackObserver, DeliveryObserver {
  readonly #callbackAttempts: Counter<'error'>
  readonly #callbacks: Counter<'outcome'>
  readonly #deliveryAttempts: Counter<'error'>
  readonly #deliveries: Counter<'outcome'>

  constructor (registry: Registry) {
    const registers = [registry]
    const attempts = (name: string, help: string) => new Counter({ name, help, labelNames: ['error'], registers })
    const outcomes = (name: string, help: string) => {
      const counter = new Counter({ name, help, labelNames: ['outcome'], registers })
      for (const outcome of ['delivered', 'failed']) counter.inc({ outcome }, 0)
      return counter
    }
    this.#callbackAttempts = attempts('tabcast_callback_attempts_total',
      'Attempts to send a callback; error is none for those that were taken.')
    this.#callbacks = outcomes('tabcast_callbacks_total',
      'Callbacks that are over: delivered, or failed when no attempt is left.')
    this.#deliveryAttempts = attempts('tabcast_delivery_attempts_total',
      "Attempts to write a result to a customer's store; error is none for those that succeeded.")
    this.#deliveries = outcomes('tabcast_deliveries_total',
      'Deliveries that are over: delivered, or failed when no attempt is left.')
  }

  callbackAttempted (error: AttemptError | null, isLast: boolean): void {
    this.#callbackAttempts.inc({ error: error ?? 'none' })
    if (isLast) this.#callbacks.inc({ outcome: error === null ? 'delivered' : 'failed' })
  }

  deliveryAttempted (code: ConnectorCode | null, isLast: boolean): void {
    this.#deliveryAttempts.inc({ error: code ?? 'none' })
    if (isLast) this.#deliveries.inc({ outcome: code === null ? 'delivered' : 'failed' })
  }
}
