import { isDeepStrictEqual } from 'node:util'

/** Called with a place in the description and what breaks there. */
export type Report = (at: string, what: string) => void
export type Json = Record<string, unknown>

/** `request`: what clients send, which must stay accepted. `response`: what they receive, which must stay readable. */
export type Direction = 'request' | 'response'

export interface SchemaContext {
  direction: Direction
  /** Follow `$ref` in the earlier and in the later document. */
  resolveBefore: (schema: Json) => Json
  resolveAfter: (schema: Json) => Json
  /** Pairs that are being compared further up, because schemas may contain themselves. */
  open: ReadonlySet<string>
}

/**
 * Clients wait for one of these values, and would wait for ever for a new one. Other fields of answers may get new
 * values.
 */
const closedFields = new Set(['status'])

const raised = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const
const lowered = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const

/** Reports each way in which `after` breaks a client that was written for `before`. */
export function compareSchemas (before: unknown, after: unknown, at: string, context: SchemaContext,
  report: Report): void {
  const old = context.resolveBefore(asSchema(before))
  const now = context.resolveAfter(asSchema(after))
  const pair = `${nameOf(before)} ${nameOf(after)}`
  if (nameOf(before) !== '' && context.open.has(pair)) return
  const inner = { ...context, open: new Set([...context.open, pair]) }
  if ('anyOf' in old || 'anyOf' in now) {
    compareBranches(branchesOf(old), branchesOf(now), at, inner, report)
    return
  }
  compareTypes(old, now, at, context.direction, report)
  compareValues(old, now, at, context.direction, report)
  if (context.direction === 'request') compareBounds(old, now, at, report)
  else if (old['format'] !== undefined && now['format'] !== old['format']) {
    report(at, `format ${String(old['format'])} became ${String(now['format'])}`)
  }
  compareProperties(old, now, at, inner, report)
  if (isObject(old['items']) && isObject(now['items'])) {
    compareSchemas(old['items'], now['items'], `${at}[]`, inner, report)
  }
}

/**
 * In a request, some later branch must accept each earlier one. In a response, each later branch must have existed
 * before.
 */
function compareBranches (before: unknown[], after: unknown[], at: string, context: SchemaContext,
  report: Report): void {
  const [given, known] = context.direction === 'request' ? [before, after] : [after, before]
  for (const branch of given) {
    const attempts = known.map((candidate) => {
      const found: Array<[string, string]> = []
      const [old, now] = context.direction === 'request' ? [branch, candidate] : [candidate, branch]
      compareSchemas(old, now, at, context, (where, what) => found.push([where, what]))
      return {
        found,
        isSameKind: nameOf(branch) !== '' ? nameOf(branch) === nameOf(candidate) : kindOf(branch) === kindOf(candidate)
      }
    })
    if (attempts.some(({ found }) => found.length === 0)) continue
    const closest = attempts.find(({ isSameKind }) => isSameKind)
    if (closest === undefined) {
      report(at,
        context.direction === 'request' ? `${shown(branch)} is not taken any more` : `may now be ${shown(branch)}`)
    } else for (const [where, what] of closest.found) report(where, what)
  }
}

function compareTypes (old: Json, now: Json, at: string, direction: Direction, report: Report): void {
  const [from, to] = [typeOf(old), typeOf(now)]
  if (from === to) return
  const [narrow, wide] = direction === 'request' ? [from, to] : [to, from]
  if (wide === 'any' || (narrow === 'integer' && wide === 'number')) return
  report(at, `type ${from} became ${to}`)
}

function compareValues (old: Json, now: Json, at: string, direction: Direction, report: Report): void {
  const [from, to] = [valuesOf(old), valuesOf(now)]
  if (direction === 'request') {
    if (to === undefined) return
    if (from === undefined) report(at, 'takes only some values now')
    else for (const value of without(from, to)) report(at, `the value ${shown(value)} is not taken any more`)
  } else if (from !== undefined && closedFields.has(at.split('.').at(-1) ?? '')) {
    for (const value of without(to ?? ['another one'], from)) report(at, `may now be ${shown(value)}`)
  }
}

function compareBounds (old: Json, now: Json, at: string, report: Report): void {
  for (const name of raised) {
    if (Number(now[name] ?? -Infinity) > Number(old[name] ?? -Infinity)) {
      report(at, `${name} ${shown(old[name])} became ${shown(now[name])}`)
    }
  }
  for (const name of lowered) {
    if (Number(now[name] ?? Infinity) < Number(old[name] ?? Infinity)) {
      report(at, `${name} ${shown(old[name])} became ${shown(now[name])}`)
    }
  }
  if (now['pattern'] !== undefined && now['pattern'] !== old['pattern']) report(at, 'the pattern changed')
  if (now['uniqueItems'] === true && old['uniqueItems'] !== true) report(at, 'items must be unique now')
  if ('default' in old && !isDeepStrictEqual(old['default'], now['default'])) {
    report(at, `default ${shown(old['default'])} became ${shown(now['default'])}`)
  }
}

function compareProperties (old: Json, now: Json, at: string, context: SchemaContext, report: Report): void {
  const [from, to] = [propertiesOf(old), propertiesOf(now)]
  const [required, requiredNow] = [namesIn(old['required']), namesIn(now['required'])]
  for (const [name, schema] of Object.entries(from)) {
    if (to[name] === undefined) report(`${at}.${name}`, 'was removed')
    else compareSchemas(schema, to[name], `${at}.${name}`, context, report)
  }
  if (context.direction === 'request') {
    for (const name of without(requiredNow, required)) report(`${at}.${String(name)}`, 'is required now')
  } else {for (const name of without(required, requiredNow)) {
      if (to[String(name)] !== undefined) report(`${at}.${String(name)}`, 'may be left out now')
    }}
  const [rest, restNow] = [old['additionalProperties'], now['additionalProperties']]
  if (context.direction === 'request' && restNow === false && rest !== false) {
    report(at, 'takes no other fields any more')
  }
  if (isObject(rest) && isObject(restNow)) compareSchemas(rest, restNow, `${at}.*`, context, report)
}

function typeOf (schema: Json): string {
  if (typeof schema['type'] === 'string') return schema['type']
  const [value] = valuesOf(schema) ?? []
  if (value !== undefined) return value === null ? 'null' : typeof value
  return 'properties' in schema ? 'object' : 'any'
}

function kindOf (schema: unknown): string {
  return typeOf(asSchema(schema))
}

function nameOf (schema: unknown): string {
  return isObject(schema) && typeof schema['$ref'] === 'string' ? schema['$ref'] : ''
}

function branchesOf (schema: Json): unknown[] {
  return Array.isArray(schema['anyOf']) ? schema['anyOf'] : [schema]
}

function valuesOf (schema: Json): unknown[] | undefined {
  if ('const' in schema) return [schema['const']]
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined
}

function propertiesOf (schema: Json): Json {
  return isObject(schema['properties']) ? schema['properties'] : {}
}

function namesIn (list: unknown): unknown[] {
  return Array.isArray(list) ? list : []
}

function without (values: readonly unknown[], others: readonly unknown[]): unknown[] {
  return values.filter((value) => !others.includes(value))
}

function asSchema (value: unknown): Json {
  return isObject(value) ? value : {}
}

export function isObject (value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown (value: unknown): string {
  return isObject(value) ? nameOf(value).split('/').at(-1) || kindOf(value) : JSON.stringify(value) ?? 'none'
}
