import type { TSchema } from 'typebox'

/** The parts of a JSON schema that are used here. */
interface SchemaNode {
  type?: string
  anyOf?: SchemaNode[]
  properties?: Record<string, SchemaNode>
}

/**
 * Query strings and forms only carry text. Turns the text of the schema's own properties into their types, and leaves
 * text that does not match exactly, so that the later check reports it. TypeBox's own conversion would read 1.5 as the
 * integer 1.
 */
export function textCoercion (schema: TSchema): (input: Record<string, unknown>) => Record<string, unknown> {
  const conversions = Object.entries((schema as SchemaNode).properties ?? {}).flatMap(([name, node]) => {
    const convert = conversion(node)
    return convert === undefined ? [] : [{ name, convert }]
  })
  return (input) => {
    for (const { name, convert } of conversions) {
      if (input[name] !== undefined) input[name] = convert(input[name])
    }
    return input
  }
}

type Convert = (value: unknown) => unknown

function conversion (node: SchemaNode): Convert | undefined {
  const type = node.type ?? node.anyOf?.find((branch) => branch.type !== 'null')?.type
  switch (type) {
    case 'integer':
      return (value) => isText(value, /^[+-]?\d{1,15}$/) ? Number(value) : value
    case 'number':
      return (value) => isText(value, /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/) ? Number(value) : value
    case 'boolean':
      return (value) => value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value
    case 'array':
      return (value) => Array.isArray(value) ? value : [value]
    default:
      return undefined
  }
}

function isText (value: unknown, shape: RegExp): boolean {
  return typeof value === 'string' && shape.test(value)
}
