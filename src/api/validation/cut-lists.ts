import type { TSchema } from 'typebox'

/** The parts of a JSON schema that are used here. */
interface SchemaNode {
  anyOf?: SchemaNode[]
  items?: SchemaNode
  properties?: Record<string, SchemaNode>
  maxItems?: number
}

type Cut = (value: unknown) => void

/**
 * Cuts lists that are longer than the schema allows to one item too many, in place. They are still refused, but the
 * schema and not the sender determines what the refusal costs: the check of a list reads every item, and a check for
 * unique items compares them.
 */
export function listCutter (schema: TSchema): Cut {
  return cutterOf(schema as SchemaNode) ?? (() => undefined)
}

/** undefined when the schema contains no list. */
function cutterOf ({ anyOf = [], items, properties = {}, maxItems }: SchemaNode): Cut | undefined {
  const branches = anyOf.map(cutterOf).filter((cut) => cut !== undefined)
  const ofItems = items === undefined ? undefined : cutterOf(items)
  const fields = Object.entries(properties).flatMap(([name, node]) => {
    const cut = cutterOf(node)
    return cut === undefined ? [] : [{ name, cut }]
  })
  if (branches.length === 0 && ofItems === undefined && fields.length === 0 && maxItems === undefined) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null) return
    for (const cut of branches) cut(value)
    if (Array.isArray(value)) {
      if (maxItems !== undefined && value.length > maxItems + 1) value.length = maxItems + 1
      if (ofItems !== undefined) { for (const item of value) ofItems(item) }
      return
    }
    for (const { name, cut } of fields) if (Object.hasOwn(value, name)) cut((value as Record<string, unknown>)[name])
  }
}
