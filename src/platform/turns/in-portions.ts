import { setImmediate } from 'node:timers/promises'

/** Of the event loop's time, between two looks at other events. */
const portionMs = 5

/**
 * The same items, with pauses: a walk over many records must not hold up the requests of others. `pause` resolves when
 * the walk may go on, as in the next turn of a tenant; where it rejects, the walk ends.
 */
export async function* inPortions<T> (items: Iterable<T>,
  pause: () => Promise<unknown> = setImmediate): AsyncGenerator<T> {
  let endMs = performance.now() + portionMs
  for (const item of items) {
    yield item
    if (performance.now() < endMs) continue
    await pause()
    endMs = performance.now() + portionMs
  }
}
