/** A schema of the interface description, with `$ref` followed. */
export interface Schema {
  type?: string
  format?: string
  pattern?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  maxProperties?: number
}

/** Where a field of a request stands: `requests`, `0`, `metadata`. */
export interface RequestField {
  path: string[]
  schema: Schema
}

export interface Operation {
  method: string
  path: string
  parameters: Array<{ in: string, name: string, required: boolean, schema: Schema }>
  /** undefined: it takes no body. */
  body: { contentType: string, schema: Schema } | undefined
}

interface Document {
  paths: Record<string,
    Record<string,
      { parameters?: Array<{ in: string, name: string, required?: boolean, schema: Schema }>,
        requestBody?: { content: Record<string, { schema: Schema }> } }>>
}

/** Every operation of an interface description. */
export function operationsOf (document: unknown): Operation[] {
  return Object.entries((document as Document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
      const bodies = requestBody === undefined
        ? [undefined]
        : Object.entries(requestBody.content).map(([contentType, { schema }]) => ({
          contentType,
          schema: resolved(document, schema)
        }))
      return bodies.map((body) => ({
        method: method.toUpperCase(),
        path,
        body,
        parameters: parameters.map((one) => ({
          ...one,
          required: one.required === true,
          schema: resolved(document, one.schema)
        }))
      }))
    })
  )
}

/** Every field below a schema that is no object of its own, itself included; of a union each branch. */
export function fieldsOf (schema: Schema, path: string[] = []): RequestField[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((branch) => fieldsOf(branch, path))
  const { items, properties = {}, additionalProperties: others } = schema
  return [
    { path, schema },
    ...items === undefined ? [] : fieldsOf(items, [...path, '0']),
    ...Object.entries(properties).flatMap(([name, inner]) => fieldsOf(inner, [...path, name])),
    ...typeof others === 'object' && Object.keys(others).length > 0 ? fieldsOf(others, [...path, '*']) : []
  ]
}

/** What bounds nothing of a field; undefined: it has its bounds. */
export function missingBound ({ type, ...schema }: Schema): string | undefined {
  if (schema.enum !== undefined || schema.const !== undefined || schema.anyOf !== undefined) return undefined
  switch (type) {
    case 'integer':
    case 'number':
      if (schema.minimum === undefined && schema.exclusiveMinimum === undefined) return 'no minimum'
      return schema.maximum === undefined && schema.exclusiveMaximum === undefined ? 'no maximum' : undefined
    case 'string':
      return schema.maxLength === undefined ? 'no maxLength' : undefined
    case 'array':
      return schema.maxItems === undefined ? 'no maxItems' : schema.items === undefined ? 'no items' : undefined
    case 'object':
      return schema.additionalProperties === false || schema.maxProperties !== undefined
        ? undefined
        : 'takes any field, and no maxProperties'
    case 'boolean':
    case 'null':
      return undefined
    default:
      return 'no type'
  }
}

function resolved (document: unknown, schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value
    const found = String(value.$ref).split('/').slice(1).reduce<unknown>(
      (at, step) => (at as Record<string, unknown>)[step],
      document
    )
    return resolved(document, found as Schema)
  }) as Schema
}
