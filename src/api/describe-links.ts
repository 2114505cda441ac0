/*
 * Links (OpenAPI 3.1, Link Object) from answers that contain an identifier to the operations that accept it. They are
 * made from names alone, so a new route is linked when its parameter has the usual name.
 */
type Json = Record<string, unknown>

interface Parameter {
  name: string
  in: string
}
interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, Answer>
}
interface Answer {
  content?: Record<string, { schema?: Json }>
  links?: Json
}
interface Description {
  components?: { schemas?: Record<string, Json>, links?: Json }
  paths?: Record<string, Record<string, Operation>>
}

export function describeLinks<T extends object> (document: T): T {
  const { components, paths = {} } = document as Description
  if (components === undefined) return document
  const links: Json = {}
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
  )
  const names = [
    ...new Set(
      Object.keys(paths).flatMap((path) => [...path.matchAll(/\{((?:\w+_)?id)\}/g)].map(([, name = '']) => name))
    )
  ]
  const targets = new Map(
    names.map((
      name
    ) => [name,
      operations.flatMap(({ path, operation }) => takes(operation, name).map((target) => ({ path, ...target })))]
    )
  )
  for (const { path, method, operation } of operations) {
    const answer = answerOf(operation)
    if (answer === undefined) continue
    for (const { name, pointer } of identifiersIn(answer, method, names, components.schemas ?? {})) {
      for (const { path: target, operationId, place } of targets.get(name) ?? []) {
        // Several resources call their identifier `id`, so each links only to addresses below its own.
        const isOther = name === 'id' && !target.startsWith(path.replace(/\{id\}.*/, ''))
        if (isOther || operationId === operation.operationId) continue
        const key = [operationId, ...pointer.split('/').slice(1, -1)].join('.')
        links[key] = { operationId, ...place(`$response.body#${pointer}`) }
        answer.links = { ...answer.links, [operationId]: { $ref: `#/components/links/${key}` } }
      }
    }
  }
  components.links = links
  return document
}

interface Target {
  operationId: string
  place: (expression: string) => Json
}

function takes ({ operationId, parameters = [], requestBody }: Operation, name: string): Target[] {
  if (parameters.some((parameter) => parameter.name === name)) {
    return [{ operationId, place: (expression) => ({ parameters: { [name]: expression } }) }]
  }
  const properties = requestBody?.content['application/json']?.schema['properties'] as Json | undefined
  return properties !== undefined && name in properties && name !== 'id'
    ? [{ operationId, place: (expression) => ({ requestBody: { [name]: expression } }) }]
    : []
}

/** Identifiers in the answer of a POST and in the first entry of a list. One that may be null is not linked. */
function identifiersIn (answer: Answer, method: string, names: readonly string[],
  schemas: Record<string, Json>): Array<{ name: string, pointer: string }> {
  const resolve = (schema: Json | undefined): Json => {
    const [first] = schema?.['anyOf'] as Json[] | undefined ?? []
    const reference = (first ?? schema)?.['$ref']
    return typeof reference === 'string' ? resolve(schemas[reference.split('/').at(-1) ?? '']) : schema ?? {}
  }
  const propertiesOf = (schema: Json | undefined) =>
    Object.entries(resolve(schema)['properties'] as Record<string, Json> | undefined ?? {})
  const known = (entries: Array<[string, Json]>, pointer: string) =>
    entries.filter(([name, { type }]) => names.includes(name) && type === 'string').map(([name]) => ({
      name,
      pointer: `${pointer}/${name}`
    }))
  const properties = propertiesOf(answer.content?.['application/json']?.schema)
  const lists = properties.filter(([, { type, items }]) => type === 'array' && items !== undefined)
  return [...method === 'post' ? known(properties, '') : [],
    ...lists.flatMap(([list, { items }]) => known(propertiesOf(items as Json), `/${list}/0`))]
}

function answerOf ({ responses }: Operation): Answer | undefined {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
}
