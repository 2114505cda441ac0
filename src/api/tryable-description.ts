interface Property {
  default?: unknown
  examples?: unknown[]
}
interface Body {
  schema?: { required?: string[], properties?: Record<string, Property> }
  example?: unknown
}
interface Operation {
  requestBody?: { content: Record<string, Body> }
}

/**
 * The description as the page at /docs/api gets it: with requests that can be sent as they stand. Left to itself the
 * page fills every field, those that nobody needs too, with words such as `string`.
 */
export function tryableDescription<T extends object> (description: T): T {
  const copy = structuredClone(description)
  const { paths = {} } = copy as { paths?: Record<string, Record<string, Operation>> }
  for (const operations of Object.values(paths)) {
    for (const { requestBody } of Object.values(operations)) {
      for (const [type, body] of Object.entries(requestBody?.content ?? {})) {
        if (type === 'multipart/form-data') leaveEmpty(body)
        else body.example ??= {}
      }
    }
  }
  return copy
}

/** A field of a form that is empty is not sent, and a file cannot be given as an example. */
function leaveEmpty (body: Body): void {
  const { schema: { required = [], properties = {} } = {} } = body
  delete body.example
  for (const [name, property] of Object.entries(properties)) {
    if (!required.includes(name) && property.default === undefined) property.examples = ['']
  }
}
