import { SerializerSelector, type SerializerFactory } from '@fastify/fast-json-stringify-compiler'

type Serializer = ReturnType<ReturnType<SerializerFactory>>

const build = SerializerSelector()
/** By the shared schemas, then by the schema of the answer. */
const made = new Map<string, Map<string, Serializer>>()

/**
 * What Fastify writes answers with. Left alone it would make a writer for each route and status, several hundred of them, most
 * of the same error, and check every shared schema each time: more than half of the time that an api took to start.
 */
export const buildSerializer: SerializerFactory = (shared, options) => {
  const compile = build(shared, options)
  const sharedKey = JSON.stringify([shared, options])
  const known = made.get(sharedKey) ?? new Map<string, Serializer>()
  made.set(sharedKey, known)
  return (route) => {
    const key = JSON.stringify(route.schema)
    const found = known.get(key) ?? compile(route)
    known.set(key, found)
    return found
  }
}
