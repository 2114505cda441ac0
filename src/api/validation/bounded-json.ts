import secureJson from 'secure-json-parse'

export const maxJsonDepth = 20
/** Enough for a batch of a hundred forecasts, each with its blocks. */
export const maxJsonKeys = 10_000

/** `syntax`, `number` and `prototype` are errors in the text; `depth` and `keys` concern its size. */
export type JsonRefusalReason = 'syntax' | 'number' | 'prototype' | 'depth' | 'keys'

export class JsonRefusal extends Error {
  override name = 'JsonRefusal'
  readonly reason: JsonRefusalReason

  constructor (reason: JsonRefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Parses text of a caller: no `__proto__` or `constructor.prototype` keys, limited depth and number of keys. Throws
 * JsonRefusal.
 */
export function parseBoundedJson (text: string): unknown {
  checkTextBounds(text)
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

/**
 * Counts depth and keys in the text before a value is built, because deep nesting is cheap to send and expensive to
 * parse. For text that is not JSON the counts are meaningless, but it is refused either way.
 */
function checkTextBounds (text: string): void {
  let [depth, keys] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    // By char code, for speed: a body of 1 MiB has as many characters.
    switch (text.charCodeAt(at)) {
      case code.quote:
        at = endOfString(text, at)
        break
      case code.openList:
      case code.openObject:
        depth++
        break
      case code.closeList:
      case code.closeObject:
        depth--
        break
      case code.colon:
        keys++
    }
    if (depth > maxJsonDepth) throw tooDeep()
    if (keys > maxJsonKeys) throw tooManyKeys()
  }
}

function endOfString (text: string, start: number): number {
  for (let at = start + 1;; at++) {
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === code.backslash) backslashes++
    if (backslashes % 2 === 0) return at
  }
}

const code = {
  quote: 0x22,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d
}

function tooDeep (): JsonRefusal {
  return new JsonRefusal('depth', `Nested deeper than ${maxJsonDepth} levels`)
}

function tooManyKeys (): JsonRefusal {
  return new JsonRefusal('keys', `More than ${maxJsonKeys} keys`)
}

/** Walks without recursion, level by level, and stops at the first level or key too many. Throws JsonRefusal. */
export function checkJsonBounds (value: unknown): void {
  let keys = 0
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    for (const node of level) {
      // It would be serialized as null.
      if (typeof node === 'number' && !Number.isFinite(node)) {
        throw new JsonRefusal('number', 'Contains a number that is too large')
      }
      if (typeof node !== 'object' || node === null) continue
      if (depth >= maxJsonDepth) throw tooDeep()
      const children: unknown[] = Array.isArray(node) ? node : Object.values(node)
      if (!Array.isArray(node)) keys += children.length
      if (keys > maxJsonKeys) throw tooManyKeys()
      for (const child of children) if (typeof child === 'number' || typeof child === 'object') next.push(child)
    }
    level = next
  }
}
