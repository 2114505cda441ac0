import { compareSchemas, isObject, type Direction, type Json, type Report,
  type SchemaContext } from './schema-breaks.ts'

/**
 * One sentence for each change in the later description that breaks clients of the earlier one. Additions break
 * nothing.
 */
export function openApiBreaks (before: Json, after: Json): string[] {
  const breaks = new Set<string>()
  const report: Report = (at, what) => {
    breaks.add(`${at}: ${what}`)
  }
  const context = (direction: Direction): SchemaContext => ({
    direction,
    resolveBefore: resolver(before),
    resolveAfter: resolver(after),
    open: new Set()
  })
  for (const [name, old, now] of operations(before, after, 'paths', report)) {
    compareAccess(old, now, name, report)
    compareParameters(old, now, name, context('request'), report)
    compareBody(old, now, name, context('request'), report)
    compareAnswers(old, now, name, context('response'), report)
  }
  // The service sends webhooks, so their bodies are compared like answers.
  for (const [name, old, now] of operations(before, after, 'webhooks', report)) {
    compareContent(objectAt(old, 'requestBody'), objectAt(now, 'requestBody'), name, context('response'), report)
  }
  return [...breaks]
}

function* operations (before: Json, after: Json, part: string, report: Report): Iterable<[string, Json, Json]> {
  for (const [path, methods] of Object.entries(objectAt(before, part))) {
    for (const [method, old] of Object.entries(methods as Json)) {
      const now = objectAt(objectAt(after, part), path)[method]
      const name = `${method.toUpperCase()} ${path}`
      if (isObject(old) && isObject(now)) yield [name, old, now]
      else report(name, 'was removed')
    }
  }
}

function compareAccess (old: Json, now: Json, at: string, report: Report): void {
  const isOpen = ({ security }: Json) => Array.isArray(security) && security.length === 0
  if (isOpen(old) && !isOpen(now)) report(at, 'needs a key now')
}

function compareParameters (old: Json, now: Json, at: string, context: SchemaContext, report: Report): void {
  const [from, to] = [parametersOf(old), parametersOf(now)]
  for (const [name, parameter] of from) {
    const later = to.get(name)
    if (later === undefined) {
      report(`${at} ${name}`, 'was removed')
      continue
    }
    if (later['required'] === true && parameter['required'] !== true) report(`${at} ${name}`, 'is required now')
    compareSchemas(parameter['schema'], later['schema'], `${at} ${name}`, context, report)
  }
  for (const [name, parameter] of to) {
    if (parameter['required'] === true && !from.has(name)) report(`${at} ${name}`, 'is required now')
  }
}

function compareBody (old: Json, now: Json, at: string, context: SchemaContext, report: Report): void {
  const [from, to] = [objectAt(old, 'requestBody'), objectAt(now, 'requestBody')]
  if (to['required'] === true && from['required'] !== true) report(`${at} body`, 'is required now')
  compareContent(from, to, `${at} body`, context, report)
}

function compareAnswers (old: Json, now: Json, at: string, context: SchemaContext, report: Report): void {
  const later = objectAt(now, 'responses')
  for (const [status, answer] of Object.entries(objectAt(old, 'responses'))) {
    const place = `${at} ${status}`
    const answerNow = later[status]
    if (!isObject(answerNow)) {
      report(place, 'was removed')
      continue
    }
    for (const name of Object.keys(objectAt(answer as Json, 'headers'))) {
      if (objectAt(answerNow, 'headers')[name] === undefined) report(`${place} header ${name}`, 'was removed')
    }
    compareContent(answer as Json, answerNow, place, context, report)
  }
}

function compareContent (old: Json, now: Json, at: string, context: SchemaContext, report: Report): void {
  const later = objectAt(now, 'content')
  for (const [type, content] of Object.entries(objectAt(old, 'content'))) {
    const contentNow = later[type]
    if (isObject(contentNow)) compareSchemas((content as Json)['schema'], contentNow['schema'], at, context, report)
    else report(at, `${type} was removed`)
  }
}

function parametersOf (operation: Json): Map<string, Json> {
  const list = Array.isArray(operation['parameters']) ? operation['parameters'] as Json[] : []
  return new Map(list.map((parameter) => [`${String(parameter['in'])} ${String(parameter['name'])}`, parameter]))
}

function resolver (document: Json): (schema: Json) => Json {
  return (schema) => {
    let found: unknown = schema
    while (isObject(found) && typeof found['$ref'] === 'string') {
      const [, ...steps] = found['$ref'].split('/')
      found = steps.reduce<unknown>((at, step) => isObject(at) ? at[step] : undefined, document)
    }
    if (!isObject(found)) throw new Error(`the description names ${String(schema['$ref'])}, and has none`)
    return found
  }
}

function objectAt (parent: Json, name: string): Json {
  const value = parent[name]
  return isObject(value) ? value : {}
}
