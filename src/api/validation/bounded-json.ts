import secureJson from 'secure-json-parse'

export const maxJsonDepth = 20
export const maxJsonKeys = 1000

/** `syntax` and `prototype` are faults of the text, `depth` and `keys` of its size. */
export type JsonRefusalReason = 'syntax' | 'prototype' | 'depth' | 'keys'

export class JsonRefusal extends Error {
  override name = 'JsonRefusal'
  readonly reason: JsonRefusalReason

  constructor (reason: JsonRefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Parses text of a caller: no `__proto__` or `constructor.prototype` keys, bounded depth and number of keys. Throws JsonRefusal. */
export function parseBoundedJson (text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new JsonRefusal('syntax', 'Not valid JSON')
  }
  checkJsonBounds(value)
  if (typeof value !== 'object' || value === null) return value
  try {
    secureJson.scan(value, { protoAction: 'error', constructorAction: 'error' })
  } catch {
    throw new JsonRefusal('prototype', 'Contains a key that is not allowed')
  }
  return value
}

/** Walks without recursion, level by level, and stops at the first level or key too many. Throws JsonRefusal. */
export function checkJsonBounds (value: unknown): void {
  let keys = 0
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    for (const node of level) {
      if (typeof node !== 'object' || node === null) continue
      if (depth >= maxJsonDepth) throw new JsonRefusal('depth', `Nested deeper than ${maxJsonDepth} levels`)
      if (!Array.isArray(node)) keys += Object.keys(node).length
      if (keys > maxJsonKeys) throw new JsonRefusal('keys', `More than ${maxJsonKeys} keys`)
      for (const child of Object.values(node)) next.push(child)
    }
    level = next
  }
}
