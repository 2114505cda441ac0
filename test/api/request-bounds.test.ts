import t, { type Test } from 'tap'
import { openApi, type ApiStage } from '../support/api.ts'
import { form } from '../support/form.ts'
import { fieldsOf, missingBound, operationsOf, type Operation, type RequestField,
  type Schema } from '../support/request-fields.ts'

/*
 * No number, text, list or map of a request is without a bound, and what is beyond it is refused before any work is
 * done.
 */

const dataset = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'

async function served (t: Test): Promise<{ stage: ApiStage, operations: Operation[] }> {
  const stage = await openApi(t, { TABCAST_RATE_LIMITS: 'false' })
  const operations = operationsOf((await stage.app.inject('/openapi.json')).json())
  return { stage, operations }
}

/** What the server bounds by its bytes: an uploaded file (max_upload_bytes), and metadata (max_metadata_bytes). */
function isBoundedByBytes ({ path, schema }: RequestField): boolean {
  return path.at(-1) === 'file' && schema.type === 'string' && schema.format === 'binary'
}

t.test('every number, text, list and map of every request of the served description has a bound', async (t) => {
  const { operations } = await served(t)
  let fields = 0
  for (const { method, path, parameters, body } of operations) {
    const all = [
      ...parameters.flatMap((parameter) => fieldsOf(parameter.schema, [`${parameter.in} ${parameter.name}`])),
      ...body === undefined ? [] : fieldsOf(body.schema, ['body'])
    ]
    fields += all.length
    const open = all.filter((field) => !isBoundedByBytes(field)).flatMap((field) => {
      const missing = missingBound(field.schema)
      return missing === undefined ? [] : [`${field.path.join('.')}: ${missing}`]
    })
    t.strictSame(open, [], `${method} ${path}`)
  }
  t.ok(fields > 1000, `${fields} fields were looked at`)
})

/** Values that are one beyond a bound; those that no request can carry are left out. */
function beyond ({ type, ...schema }: Schema, maxBytes: number): unknown[] {
  if (schema.enum !== undefined || schema.const !== undefined || schema.anyOf !== undefined) return []
  const values: unknown[] = []
  if (type === 'integer' || type === 'number') {
    for (const [bound, step] of [[schema.minimum, -1], [schema.maximum, 1], [schema.exclusiveMinimum, 0], [
      schema.exclusiveMaximum,
      0
    ]] as const) {
      // Next to the largest numbers there is no other one.
      const value = bound === undefined ? undefined : bound + step
      if (value !== undefined && (step === 0 || value !== bound)) values.push(value)
    }
  }
  if (type === 'string' && schema.maxLength !== undefined && schema.maxLength < maxBytes) {
    values.push('x'.repeat(schema.maxLength + 1))
  }
  if (type === 'array' && schema.maxItems !== undefined) {
    values.push(Array.from({ length: schema.maxItems + 1 }, (_, at) => example(schema.items ?? {}, at)))
  }
  if (type === 'object' && schema.maxProperties !== undefined) {
    values.push(Object.fromEntries(Array.from({ length: schema.maxProperties + 1 }, (_, at) => [`${at}`, 1])))
  }
  return values
}

/** A value that is of the type, and whose other rules are not what is looked at. */
function example ({ type, enum: values, const: constant, anyOf, minimum, exclusiveMinimum }: Schema,
  at: number): unknown {
  if (constant !== undefined || values !== undefined) return constant ?? values?.[0]
  if (anyOf !== undefined) return example(anyOf[0] ?? {}, at)
  if (type === 'string') return `v${at}`
  if (type === 'integer' || type === 'number') return Math.max(minimum ?? 0, exclusiveMinimum ?? 0) + 1
  if (type === 'array') return []
  return type === 'object' ? {} : true
}

/** A body that has nothing but this value, at its place. */
function bodyOf (path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => (name === '0' ? [inner] : { [name]: inner }), value)
}

const isText = (value: unknown): value is string => typeof value === 'string'

t.test('what is one beyond a bound is a 422 that names the field', async (t) => {
  const { stage, operations } = await served(t)
  const scopes = ['forecast', 'tabular', 'agent', 'jobs:read', 'jobs:delete', 'storage', 'connections', 'models',
    'admin', 'keys:write', 'webhooks', 'audit:read'] as const
  const key = (await stage.keys.create({ tenant: 'acme', scopes: [...scopes] })).key
  const { MAX_FORM_FIELD_BYTES: maxFieldBytes, MAX_JSON_BYTES: maxJsonBytes } = stage.config
  let asked = 0

  const ask = async (operation: Operation, part: string, path: readonly string[], value: unknown) => {
    const isForm = operation.body?.contentType === 'multipart/form-data'
    const query = part === 'query' ? `?${new URLSearchParams({ [path[0] as string]: String(value) })}` : ''
    const body = part === 'body' ? bodyOf(path, value) as Record<string, unknown> : {}
    const sent = isForm
      ? form([
        ...Object.entries(body).map(([name, one]): [string, string] => [name, isText(one) ? one : JSON.stringify(one)]),
        ['file', dataset, 'a.csv']
      ])
      : { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) }
    const answer = await stage.app.inject({
      method: operation.method as 'POST',
      url: operation.path.replaceAll(/\{[^}]+\}/g, 'none') + query,
      headers: { authorization: `Bearer ${key}`, ...part === 'body' ? sent.headers : {} },
      ...part === 'body' ? { payload: sent.payload } : {}
    })
    asked++
    const what = `${operation.method} ${operation.path} ${part}.${path.join('.')} = ${
      JSON.stringify(value).slice(0, 40)
    }`
    if (answer.statusCode === 413 && isForm && JSON.stringify(value).length > maxFieldBytes) return
    t.equal(answer.statusCode, 422, `${what}: ${answer.payload.slice(0, 300)}`)
    const places = answer.json<{ detail: Array<{ loc: unknown[] }> }>().detail.map(({ loc }) => loc.join('.'))
    t.ok(places.some((place) => place.startsWith([part, ...path].join('.'))), `${what} is named: ${places.join(', ')}`)
  }

  for (const operation of operations) {
    for (const { in: part, name, schema } of operation.parameters.filter((one) => one.in === 'query')) {
      for (const { schema: inner } of fieldsOf(schema)) {
        if (inner.type !== 'array') {
          for (const value of beyond(inner, 10_000)) await ask(operation, part, [name], value)
        }
      }
    }
    if (operation.body === undefined) continue
    for (const field of fieldsOf(operation.body.schema)) {
      if (field.path.length === 0 || field.path.includes('*') || isBoundedByBytes(field)) continue
      for (const value of beyond(field.schema,
        operation.body.contentType === 'application/json' ? maxJsonBytes : maxFieldBytes)) {
        await ask(operation, 'body', field.path, value)
      }
    }
  }
  t.ok(asked > 500, `${asked} requests`)
})
