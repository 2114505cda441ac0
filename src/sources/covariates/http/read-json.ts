import secureJson from 'secure-json-parse'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { InvalidAnswer } from './invalid-answer.ts'

/** Far deeper than any provider's answer. */
const maxDepth = 20

/** Makes a parser for JSON with the schema's shape: no `__proto__` keys, limited depth. Throws InvalidAnswer. */
export function jsonReader<T extends TSchema> (schema: T): (body: Buffer) => Static<T> {
  const compiled = Compile(schema)
  return (body) => {
    const value = parse(body)
    if (!compiled.Check(value)) {
      const [error] = compiled.Errors(value)
      throw new InvalidAnswer(
        `${error?.instancePath === '' ? 'the whole' : error?.instancePath.slice(0, 100)} is not of the expected type`
      )
    }
    return value
  }
}

function parse (body: Buffer): unknown {
  if (depthOf(body) > maxDepth) throw new InvalidAnswer('the JSON is nested too deeply')
  try {
    return secureJson.parse(body.toString('utf8'), undefined, { protoAction: 'error', constructorAction: 'error' })
  } catch (cause) {
    throw new InvalidAnswer('the JSON cannot be read', { cause })
  }
}

/** Measured on the text, before anything is built from it. */
function depthOf (body: Buffer): number {
  let [depth, deepest, isText] = [0, 0, false]
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (isText) {
      if (byte === 0x5c) at++
      else if (byte === 0x22) isText = false
    } else if (byte === 0x22) isText = true
    else if (byte === 0x5b || byte === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return deepest
}
