/*
 * The OpenAPI description of the service that shows the page, and what a form needs of it.
 */
let loading

/** Asked for once by all forms of a page, and again after a failure. */
export function loadDescription () {
  loading ??= fetch('/openapi.json').then(async (answer) => {
    if (!answer.ok) throw new Error(`/openapi.json answers ${answer.status}`)
    return await answer.json()
  }).catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

/** A schema without its reference, and without the `null` that it may be instead. */
export function resolved (schema, description) {
  if ('$ref' in schema) {
    const name = schema.$ref.slice('#/components/schemas/'.length)
    return resolved(description.components.schemas[name], description)
  }
  const shapes = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  if (shapes.length !== 1) return schema
  const { anyOf, ...rest } = schema
  return { ...resolved(shapes[0], description), ...rest }
}

/** What a value may be, in a few words. */
export function shapeText (schema) {
  const { type, format, minimum, maximum, default: standard } = schema
  if (schema.enum !== undefined) return withDefault(schema.enum.join(' | '), standard)
  if (format === 'binary') return 'file'
  if (minimum !== undefined && maximum !== undefined) return withDefault(`${type}, ${minimum} to ${maximum}`, standard)
  return withDefault(type === 'array' ? 'list' : type ?? 'value', standard)
}

function withDefault (text, standard) {
  const isShown = standard !== undefined && standard !== null && String(standard) !== ''
  return isShown ? `${text}; default ${typeof standard === 'object' ? JSON.stringify(standard) : standard}` : text
}

/** The fields of an object, or of the objects in a list. */
export function fieldsOf (schema, description) {
  const { properties, items, required } = schema
  if (properties === undefined) return items === undefined ? [] : fieldsOf(resolved(items, description), description)
  return Object.entries(properties).map(([name, property]) => ({
    name,
    isRequired: required?.includes(name) ?? false,
    schema: resolved(property, description)
  }))
}
