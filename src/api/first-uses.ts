import { inPortions } from '../platform/turns/in-portions.ts'

const unmade: Array<() => unknown> = []

/** Made when it is first asked for, or before there are requests. */
export function atFirstUse<T> (make: () => T): () => T {
  let made: { value: T } | undefined
  const get = (): T => (made ??= { value: make() }).value
  unmade.push(get)
  return get
}

/**
 * Makes all that has not been made, so that no first request holds up the others for as long as that takes. Gives how
 * many.
 */
export async function makeFirstUses (): Promise<number> {
  const all = unmade.splice(0)
  for await (const get of inPortions(all)) get()
  return all.length
}
