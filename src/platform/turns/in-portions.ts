import { setImmediate } from 'node:timers/promises'

/** How long the walk may hold the event loop between two looks at other events. */
const portionMs = 5

/**
 * Yields the same items, with pauses, so that a walk over many records does not hold up other requests. `pause`
 * resolves when the walk may go on, for example at the tenant's next turn; if it rejects, the walk ends.
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
