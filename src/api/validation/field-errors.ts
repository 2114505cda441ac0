import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import type { FieldError } from '../../domain/error-codes.ts'
import { defined } from '../../platform/defined.ts'

/** The most faults that an answer lists, so that callers cannot choose its length. */
const maxFields = 64

/** The longest text of an input that is echoed. */
const maxEcho = 200

/** Values of such fields are never echoed. */
const secretField = /secret|credential|password|token/i

interface Issue {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
  message: string
}

/**
 * The validator's errors in the form of FastAPI: names of pydantic 2, one entry for each fault. A union with null fails
 * in all its branches, and only the other branch's error helps the caller.
 */
export function fieldErrors (part: string, input: unknown, errors: readonly TLocalizedValidationError[],
  schema: TSchema): FieldError[] {
  const issues = errors as unknown as readonly Issue[]
  const unions = new Set(issues.filter((issue) => issue.keyword === 'anyOf').map((issue) => issue.instancePath))
  const fields = issues
    .filter((issue) => issue.keyword !== 'boolean' && issue.keyword !== 'anyOf')
    .filter((issue) => !(issue.params['type'] === 'null' && unions.has(issue.instancePath)))
    .flatMap((issue) =>
      describe(issue, [part, ...segments(issue.instancePath)], valueAt(input, issue.instancePath), () =>
        knownFields(schema, segments(issue.instancePath)))
    )
    .map((field) => field.loc.some((name) => secretField.test(String(name))) ? { ...field, input: null } : field)
  // The validator stops after a number of faults, and all of them may be branches of unions.
  if (fields.length === 0) {
    return [{
      loc: [part],
      msg: 'too much of it is wrong',
      type: 'value_error',
      input: null,
      ctx: { error: 'too much of it is wrong' }
    }]
  }
  if (fields.length <= maxFields) return fields
  // A thousand unknown fields must not hide the fault of a known one.
  const [unknown, others] = [fields.filter(({ type }) => type === 'extra_forbidden'),
    fields.filter(({ type }) => type !== 'extra_forbidden')]
  return [...others.slice(0, maxFields - 1), ...unknown].slice(0, maxFields)
}

type Text = Pick<FieldError, 'type' | 'msg' | 'ctx'>

function describe (issue: Issue, loc: FieldError['loc'], value: unknown,
  fieldsThere: () => readonly string[]): FieldError[] {
  const { keyword, params } = issue
  if (keyword === 'required') {
    return (params['requiredProperties'] as string[]).map((name) => ({
      loc: [...loc, name],
      msg: 'Field required',
      type: 'missing',
      input: null
    }))
  }
  if (keyword === 'additionalProperties') {
    const known = fieldsThere()
    return (params['additionalProperties'] as string[]).map((name) => ({
      loc: [...loc, name],
      msg: `Extra inputs are not permitted${known.length === 0 ? '' : `; known are ${listed(known, 'and')}`}`,
      type: 'extra_forbidden',
      input: echo((value as Record<string, unknown>)[name])
    }))
  }
  const { type, msg, ctx } = explain(issue, value)
  return [{ loc, msg, type, input: echo(value), ...defined({ ctx }) }]
}

function explain ({ keyword, params, message }: Issue, value: unknown): Text {
  const limit = params['limit'] as number
  switch (keyword) {
    case 'type':
      return wrongType(String(params['type']), value)
    case 'minLength':
      return {
        type: 'string_too_short',
        msg: `String should have at least ${count(limit, 'character')}`,
        ctx: { min_length: limit }
      }
    case 'maxLength':
      return {
        type: 'string_too_long',
        msg: `String should have at most ${count(limit, 'character')}`,
        ctx: { max_length: limit }
      }
    case 'minItems':
      return { type: 'too_short', msg: `List should have at least ${count(limit, 'item')}`, ctx: { min_length: limit } }
    case 'maxItems':
      return { type: 'too_long', msg: `List should have at most ${count(limit, 'item')}`, ctx: { max_length: limit } }
    case 'maxProperties':
      return {
        type: 'too_long',
        msg: `Dictionary should have at most ${count(limit, 'item')}`,
        ctx: { max_length: limit }
      }
    case 'minimum':
      return {
        type: 'greater_than_equal',
        msg: `Input should be greater than or equal to ${limit}`,
        ctx: { ge: limit }
      }
    case 'maximum':
      return { type: 'less_than_equal', msg: `Input should be less than or equal to ${limit}`, ctx: { le: limit } }
    case 'enum': {
      const expected = listed(params['allowedValues'] as unknown[], 'or')
      return { type: 'literal_error', msg: `Input should be ${expected}`, ctx: { expected } }
    }
    case 'pattern':
      return {
        type: 'string_pattern_mismatch',
        msg: `String should match pattern '${String(params['pattern'])}'`,
        ctx: { pattern: params['pattern'] }
      }
    default:
      return { type: 'value_error', msg: message, ctx: { error: message } }
  }
}

function wrongType (wanted: string, value: unknown): Text {
  const isText = typeof value === 'string'
  switch (wanted) {
    case 'integer':
      if (isText) {
        return { type: 'int_parsing', msg: 'Input should be a valid integer, unable to parse string as an integer' }
      }
      if (typeof value === 'number') {
        return { type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part' }
      }
      return { type: 'int_type', msg: 'Input should be a valid integer' }
    case 'number':
      return isText
        ? { type: 'float_parsing', msg: 'Input should be a valid number, unable to parse string as a number' }
        : { type: 'float_type', msg: 'Input should be a valid number' }
    case 'boolean':
      return isText
        ? { type: 'bool_parsing', msg: 'Input should be a valid boolean, unable to interpret input' }
        : { type: 'bool_type', msg: 'Input should be a valid boolean' }
    case 'array':
      return { type: 'list_type', msg: 'Input should be a valid list' }
    case 'object':
      return { type: 'dict_type', msg: 'Input should be a valid dictionary' }
    default:
      return { type: 'string_type', msg: 'Input should be a valid string' }
  }
}

function count (limit: number, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`
}

/** `'a', 'b' or 'c'` */
function listed (values: readonly unknown[], last: 'and' | 'or'): string {
  const quoted = values.map((value) => `'${String(value)}'`)
  return quoted.length === 1 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`
}

interface Known {
  properties?: Record<string, Known>
  items?: Known
  anyOf?: Known[]
}

/** The known fields of a closed object at this path; a nullable block is one branch of a union. */
function knownFields (schema: Known, path: ReadonlyArray<string | number>): string[] {
  const [next, ...rest] = path
  const branches = schema.anyOf ?? [schema]
  if (next === undefined) return branches.flatMap(({ properties = {} }) => Object.keys(properties))
  return branches.flatMap(({ properties = {}, items }) => {
    const inner = typeof next === 'number' ? items : Object.hasOwn(properties, next) ? properties[next] : undefined
    return inner === undefined ? [] : knownFields(inner, rest)
  })
}

/** JSON pointer to `loc`. Positions in arrays are numbers. */
function segments (pointer: string): Array<string | number> {
  return pointer.split('/').slice(1).map((part) =>
    /^(?:0|[1-9]\d{0,8})$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')
  )
}

function valueAt (input: unknown, pointer: string): unknown {
  return segments(pointer).reduce<unknown>(
    (value, part) => (value as Record<string | number, unknown> | undefined)?.[part],
    input
  )
}

/** A short form of the input, so that neither answers nor logs repeat a request in full. */
function echo (value: unknown): unknown {
  if (typeof value === 'string') return value.length <= maxEcho ? value : `${value.slice(0, maxEcho)}...`
  if (typeof value !== 'object' || value === null) return value
  // Limited, so that the sender cannot choose what a refusal costs.
  const text = JSON.stringify(beginningOf(value, { left: maxEcho }))
  if (secretField.test(text)) return '(not given back)'
  return text.length <= maxEcho ? value : `${text.slice(0, maxEcho)}...`
}

/** The first parts of a value, limited in number. Each part is at least one character of its JSON. */
function beginningOf (value: unknown, parts: { left: number }): unknown {
  if (typeof value === 'string') return value.slice(0, maxEcho + 1)
  if (typeof value !== 'object' || value === null) return value
  const beginning: Array<[string, unknown]> = []
  for (const key in value) {
    if (parts.left-- <= 0) break
    beginning.push([key, beginningOf((value as Record<string, unknown>)[key], parts)])
  }
  return Array.isArray(value) ? beginning.map(([, part]) => part) : Object.fromEntries(beginning)
}
