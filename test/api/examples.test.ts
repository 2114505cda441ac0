import t from 'tap'
import { Compile } from 'typebox/schema'
import { openApiDocument } from '../../src/api/openapi-document.ts'

/* The recorded examples of the interface description (test/api-examples), compared with its schemas. */
interface Schema {
  $ref?: string
  type?: string
  properties?: Record<string, unknown>
  examples?: unknown[]
}
interface MediaType {
  schema: Schema
  example?: unknown
}
interface Operation {
  requestBody?: { required?: boolean, content: Record<string, MediaType> }
  responses: Record<string, { content?: Record<string, MediaType> }>
}
interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const document = JSON.parse(JSON.stringify(await openApiDocument())) as Description
const { components } = document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation }))
)

/** With no field that the schema does not name, so that none is left of an earlier release. */
const closed = closedObjects(components) as Description['components']

function closedObjects (schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closedObjects)
  if (typeof schema !== 'object' || schema === null) return schema
  const { examples: _, ...parts } = schema as Schema
  const inner = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, closedObjects(part)]))
  return typeof parts.properties === 'object' && parts.type === 'object'
    ? { additionalProperties: false, ...inner }
    : inner
}

function faults (schema: Schema, example: unknown): string[] {
  const [, errors] = Compile({ ...closedObjects(schema) as object, components: closed } as never).Errors(example)
  return errors.map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

t.test('each example is what its schema says, with no field more', async (t) => {
  let compared = 0
  const compare = (name: string, schema: Schema, example: unknown) => {
    compared++
    t.strictSame(faults(schema, example), [], name)
  }
  for (const [name, schema] of Object.entries(components.schemas)) {
    for (const example of schema.examples ?? []) compare(name, schema, example)
  }
  for (const { name, operation: { requestBody, responses } } of operations) {
    for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)]) {
      for (const { schema, example } of Object.values(content)) {
        if (example !== undefined) compare(name, schema, example)
      }
    }
  }
  t.ok(compared >= 70, `${compared} examples`)
})

t.test('each request that takes a body, and each answer in JSON, has an example', async (t) => {
  for (const { name, operation: { requestBody, responses } } of operations) {
    for (const { schema, example } of Object.values(requestBody?.content ?? {})) {
      const isNeeded = 'multipart/form-data' in (requestBody?.content ?? {}) || requestBody?.required === true
      if (isNeeded) t.not(example, undefined, `${name}: ${schema.type}`)
    }
    for (const [status, { content }] of Object.entries(responses)) {
      const answer = content?.['application/json']
      if (Number(status) >= 400 || answer === undefined) continue
      const named = answer.schema.$ref?.split('/').at(-1) ?? ''
      const isShown = answer.example !== undefined || 'anyOf' in answer.schema ||
        (components.schemas[named]?.examples ?? []).length > 0
      t.ok(isShown || answer.schema.type === 'string', `${name} ${status}`)
    }
  }
})

t.test('an example that is not what its schema says is found', async (t) => {
  const { Job: job = {} } = components.schemas
  const good = job.examples?.[0] as Record<string, unknown>
  t.strictSame(faults(job, good), [])
  t.not(faults(job, { ...good, status: 'over' }).length, 0)
  t.not(faults(job, { ...good, more: 1 }).length, 0)
  const { job_id: _, ...less } = good
  t.not(faults(job, less).length, 0)
})
