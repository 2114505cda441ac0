type Schema = Record<string, unknown>
/** Finds a schema by name. */
type Find = (name: string) => unknown

/**
 * The same schema with fewer unions. For a union, the compiled serializer checks which member a value is, which takes
 * tens of milliseconds to compile, only to write it in the same way. A union with null becomes nullable, and a union of
 * texts becomes a text.
 */
export function withPlainUnions (schema: unknown, find: Find): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withPlainUnions(item, find))
  if (!isSchema(schema)) return schema
  const plain = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withPlainUnions(value, find)]))
  if (!Array.isArray(plain['anyOf'])) return plain
  const { anyOf, ...others } = plain as Schema & { anyOf: unknown[] }
  const members = anyOf.filter((member) => !isSchema(member) || member['type'] !== 'null')
  const nullable = members.length < anyOf.length ? { nullable: true } : {}
  if (members.length > 0 && members.every(isText)) return { ...others, type: 'string', ...nullable }
  const [member] = members
  if (members.length !== 1 || !isSchema(member)) return plain
  const whole = typeof member['$ref'] === 'string' ? withPlainUnions(find(member['$ref']), find) : member
  if (!isSchema(whole) || typeof whole['type'] !== 'string') return plain
  const { $id, const: only, ...rest } = whole
  return { ...others, ...rest, ...nullable }
}

function isText (schema: unknown): boolean {
  return isSchema(schema) && schema['type'] === 'string' && schema['nullable'] !== true
}

function isSchema (value: unknown): value is Schema {
  return typeof value === 'object' && value !== null
}
