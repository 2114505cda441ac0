import { Counter, Histogram, type Registry } from 'prom-client'
import { delayBounds, pauseCauses, type EventLoopDelays } from '../../platform/event-loop/event-loop-delays.ts'

type Labels = Record<string, string>
export interface WatchedLoop {
  labels: Labels
  delays: EventLoopDelays
}

/**
 * Metrics of event loops that count for themselves, in this process or another. Names begin with `tabcast_` and
 * `prefix`.
 */
export function watchEventLoop (registry: Registry, prefix: string, labelNames: string[],
  loops: () => WatchedLoop[]): void {
  registry.registerMetric(
    new CountedHistogram(`tabcast_${prefix}event_loop_delay_seconds`,
      'How late timers were since the process was ready.', labelNames, loops)
  )
  registry.registerMetric(new Counter({
    name: `tabcast_${prefix}event_loop_pauses_total`,
    help:
      'Pauses of the event loop of more than 200 ms, by what the main thread did: computing, blocked by the kernel, ' +
      'or without a core.',
    labelNames: [...labelNames, 'cause'],
    registers: [],
    collect () {
      this.reset()
      for (const { labels, delays: { pauses } } of loops()) {
        for (const cause of pauseCauses) this.inc({ ...labels, cause }, pauses[cause])
      }
    }
  }))
}

/** prom-client takes only single observations, but these were counted elsewhere. */
class CountedHistogram extends Histogram {
  readonly #loops: () => WatchedLoop[]
  readonly #name: string
  readonly #help: string

  constructor (name: string, help: string, labelNames: string[], loops: () => WatchedLoop[]) {
    super({ name, help, labelNames, buckets: [...delayBounds], registers: [] })
    this.#loops = loops
    this.#name = name
    this.#help = help
  }

  /** `Registry.metrics` calls this, and so does prom-client's own `get`. */
  async getForPromString () {
    return {
      name: this.#name,
      help: this.#help,
      type: 'histogram',
      values: this.#loops().flatMap((loop) => valuesOf(this.#name, loop)),
      aggregator: 'sum'
    }
  }
}

function valuesOf (name: string, { labels, delays: { counts, sumSeconds } }: WatchedLoop) {
  let sum = 0
  const buckets = [...delayBounds, '+Inf'].map((le, index) => {
    sum += counts[index] ?? 0
    return { metricName: `${name}_bucket`, labels: { le }, sharedLabels: labels, value: sum }
  })
  const figure = (suffix: string, value: number) => ({
    metricName: `${name}_${suffix}`,
    labels: {},
    sharedLabels: labels,
    value
  })
  return [...buckets, figure('sum', sumSeconds), figure('count', sum)]
}
