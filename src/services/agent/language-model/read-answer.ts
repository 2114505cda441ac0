import secureJson from 'secure-json-parse'
import type { TObject, TSchema } from 'typebox'
import Value from 'typebox/value'

export interface ReadAnswer {
  /** The fields of the answer that fit the schema; empty: none. */
  valid: Record<string, unknown>
  /** How the answer violates the schema; empty: it does not. */
  faults: string[]
}

/** Reads the object in a model's answer, ignoring any text around it. */
export function readAnswer (content: string, schema: TObject): ReadAnswer {
  const value = parse(content)
  if (value === undefined) return { valid: {}, faults: ['not a JSON object'] }
  return {
    valid: validFields(value, schema),
    faults: Value.Errors(schema, value).map(({ instancePath, message }) =>
      `${instancePath.slice(0, 100)} ${message}`.trim()
    )
  }
}

function parse (content: string): object | undefined {
  // Models that think aloud do so before the answer.
  const text = content.slice(content.lastIndexOf('</think>') + 1)
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')]
  if (from < 0 || to < from) return undefined
  try {
    const value: unknown = secureJson.parse(text.slice(from, to + 1), {
      protoAction: 'remove',
      constructorAction: 'remove'
    })
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // The text is no JSON. The caller tells the model so.
    return undefined
  }
}

function validFields (value: object, { properties }: TObject): Record<string, unknown> {
  const given = new Map<string, unknown>(Object.entries(value))
  const fields = Object.entries(properties).flatMap(([name, schema]): [string, unknown][] => {
    const field = given.get(name)
    const fits: boolean = Value.Check(schema, field)
    if (fits) return [[name, field]]
    return isList(schema) && Array.isArray(field)
      ? [[name, field.filter((item) => Value.Check(schema.items, item))]]
      : []
  })
  return Object.fromEntries(fields)
}

function isList (schema: TSchema): schema is TSchema & { items: TSchema } {
  return 'items' in schema
}
