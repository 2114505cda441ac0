import { inPortions } from '../platform/turns/in-portions.ts'

const unmade: Array<() => unknown> = []

/** Makes the value on first use, or in makeFirstUses before there are requests. */
export function atFirstUse<T> (make: () => T): () => T {
  let made: { value: T } | undefined
  const get = (): T => (made ??= { value: make() }).value
  unmade.push(get)
  return get
}

/** Makes all values that are not made yet, so that no first request delays the others. Returns how many it made. */
export async function makeFirstUses (): Promise<number> {
  const all = unmade.splice(0)
  for await (const get of inPortions(all)) get()
  return all.length
}
