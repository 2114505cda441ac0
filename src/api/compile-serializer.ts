import { SerializerSelector, type SerializerFactory } from '@fastify/fast-json-stringify-compiler'
import { atFirstUse } from './first-uses.ts'
import { withPlainUnions } from './plain-unions.ts'

type Serializer = ReturnType<ReturnType<SerializerFactory>>
type Shared = Record<string, unknown>

const build = SerializerSelector()
/** By the shared schemas, then by the schema of the answer. */
const made = new Map<string, Map<string, Serializer>>()

/**
 * Makes the serializers of answers. By default Fastify compiles one for each route and status, several hundred, mostly
 * of the same error, and checks every shared schema each time, which took more than half of the api's start-up time.
 * Here equal answers share one serializer, compiled with only the schemas that it refers to.
 */
export const buildSerializer: SerializerFactory = (shared, options) => {
  const sharedKey = JSON.stringify([shared, options])
  const known = made.get(sharedKey) ?? new Map<string, Serializer>()
  made.set(sharedKey, known)
  const all = (shared ?? {}) as Shared
  const plain = (schema: unknown): Shared => withPlainUnions(schema, (name) => all[name]) as Shared
  return (route) => {
    const make = (key: string): Serializer =>
      build(plain(referredTo(key, all)), options)({ ...route, schema: plain(route.schema) })
    const key = JSON.stringify(route.schema)
    const serializer = atFirstUse(() => {
      const found = known.get(key) ?? make(key)
      known.set(key, found)
      return found
    })
    return (answer) => serializer()(answer)
  }
}

/** The shared schemas that a schema refers to, directly or indirectly. */
function referredTo (text: string, shared: Shared, found: Shared = {}): Shared {
  for (const [, name = ''] of text.matchAll(/"\$ref":"([^"#]+)/g)) {
    if (name in found || shared[name] === undefined) continue
    found[name] = shared[name]
    referredTo(JSON.stringify(shared[name]), shared, found)
  }
  return found
}
