import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { meantBreaks } from '../../src/api/meant-breaks.ts'
import { openApiBreaks } from '../../src/api/openapi-breaks.ts'
import { openApiDocument } from '../../src/api/openapi-document.ts'

/* Each kind of change of the interface: what breaks a client is named, what only adds is not. */

type Json = Record<string, unknown>

const base = () => ({
  paths: {
    '/open': { get: { security: [], responses: { 200: { content: { 'text/plain': {} } } } } },
    '/jobs': {
      post: {
        parameters: [
          {
            in: 'query',
            name: 'limit',
            required: false,
            schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 }
          },
          { in: 'query', name: 'order', required: true, schema: { enum: ['asc', 'desc'] } }
        ],
        requestBody: {
          required: false,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['object_id'],
                additionalProperties: true,
                properties: {
                  object_id: { type: 'string', minLength: 1, maxLength: 128 },
                  ratio: { anyOf: [{ type: 'number' }, { type: 'null' }] },
                  tags: { type: 'array', maxItems: 10, items: { type: 'string' } },
                  preset: { enum: ['fast', 'best'], default: 'fast' }
                }
              }
            }
          }
        },
        responses: {
          202: {
            headers: { Location: {} },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Job' } } }
          },
          404: { content: { 'application/json': { schema: { type: 'object' } } } }
        }
      }
    }
  },
  webhooks: {
    done: {
      post: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Job' } } }
        }
      }
    }
  },
  components: {
    schemas: {
      Job: {
        type: 'object',
        required: ['job_id', 'status'],
        properties: {
          job_id: { type: 'string' },
          status: { enum: ['pending', 'done'] },
          kind: { enum: ['a', 'b'] },
          count: { type: 'number' },
          at: { type: 'string', format: 'date-time' },
          error: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          parts: {
            type: 'array',
            items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
          },
          parent: { anyOf: [{ $ref: '#/components/schemas/Job' }, { type: 'null' }] }
        }
      }
    }
  }
})

type Document = ReturnType<typeof base>
// The tests change what the types of the literal fix.
type Loose = any
const post = (document: Document): Loose => document.paths['/jobs'].post
const body = (document: Document): Loose => document.paths['/jobs'].post.requestBody.content['application/json'].schema
const job = (document: Document): Loose => document.components.schemas.Job

const breaking: Array<[string, (document: Document) => unknown, RegExp]> = [
  ['a path goes', (d) => delete (d.paths as Loose)['/open'], /^GET \/open: was removed/],
  ['a method goes', (d) => delete (d.paths['/jobs'] as Loose).post, /^POST \/jobs: was removed/],
  ['an open route needs a key', (d) => delete (d.paths['/open'].get as Loose).security, /needs a key/],
  ['a parameter goes', (d) => post(d).parameters.shift(), /query limit: was removed/],
  ['a parameter becomes required', (d) => {
    post(d).parameters[0].required = true
  }, /query limit: is required/],
  ['a new parameter is required',
    (d) => post(d).parameters.push({ in: 'query', name: 'x', required: true, schema: {} }), /query x: is required/],
  ['a parameter takes less', (d) => {
    post(d).parameters[0].schema.maximum = 100
  }, /maximum 200 became 100/],
  ['a parameter loses a value', (d) => {
    post(d).parameters[1].schema.enum = ['asc']
  }, /"desc" is not taken/],
  ['a default changes', (d) => {
    post(d).parameters[0].schema.default = 20
  }, /default 50 became 20/],
  ['a body becomes required', (d) => {
    post(d).requestBody.required = true
  }, /body: is required/],
  ['a media type of the body goes', (d) => {
    post(d).requestBody.content = { 'text/csv': {} }
  }, /application\/json was removed/],
  ['a field of the body goes', (d) => delete body(d).properties.ratio, /body\.ratio: was removed/],
  ['a field of the body changes its type', (d) => {
    body(d).properties.object_id.type = 'integer'
  }, /type string became integer/],
  ['a field of the body takes no null', (d) => {
    body(d).properties.ratio = { type: 'number' }
  }, /null.* is not taken/],
  ['a field of the body narrows to whole numbers', (d) => {
    body(d).properties.ratio.anyOf[0].type = 'integer'
  }, /type number became integer|is not taken/],
  ['a field of the body becomes required', (d) => body(d).required.push('ratio'), /body\.ratio: is required/],
  ['a new field of the body is required', (d) => {
    body(d).properties.x = {}
    body(d).required.push('x')
  }, /body\.x: is required/],
  ['a field of the body loses a value', (d) => {
    body(d).properties.preset.enum = ['fast']
  }, /"best" is not taken/],
  ['a field of the body takes only some values', (d) => {
    body(d).properties.object_id.enum = ['a']
  }, /takes only some values/],
  ['a field of the body gets a pattern', (d) => {
    body(d).properties.object_id.pattern = '^a'
  }, /pattern/],
  ['a list of the body is shorter', (d) => {
    body(d).properties.tags.maxItems = 5
  }, /tags: maxItems 10 became 5/],
  ['items of the body change', (d) => {
    body(d).properties.tags.items.type = 'number'
  }, /tags\[\]: type string became number/],
  ['the body is closed', (d) => {
    body(d).additionalProperties = false
  }, /takes no other fields/],
  ['a status goes', (d) => delete post(d).responses[404], /POST \/jobs 404: was removed/],
  ['the status of success changes', (d) => {
    post(d).responses = { 200: post(d).responses[202], 404: post(d).responses[404] }
  }, /202: was removed/],
  ['a header of an answer goes', (d) => delete post(d).responses[202].headers, /header Location: was removed/],
  ['a media type of an answer goes', (d) => {
    post(d).responses[404].content = {}
  }, /application\/json was removed/],
  ['a field of an answer goes', (d) => delete job(d).properties.count, /202\.count: was removed/],
  ['a field of an answer changes its type', (d) => {
    job(d).properties.job_id.type = 'integer'
  }, /job_id: type string became integer/],
  ['a field of an answer has no type any more', (d) => {
    job(d).properties.job_id = {}
  }, /job_id: type string became any/],
  ['a field of an answer becomes nullable', (d) => {
    job(d).properties.job_id = { anyOf: [{ type: 'string' }, { type: 'null' }] }
  }, /job_id: may now be "?null/],
  ['a field of an answer may be left out', (d) => {
    job(d).required = ['status']
  }, /job_id: may be left out/],
  ['a field of an answer changes its format', (d) => {
    job(d).properties.at.format = 'date'
  }, /format date-time became date/],
  ['a closed list of values grows', (d) => {
    job(d).properties.status.enum.push('cancelled')
  }, /status: may now be "cancelled"/],
  ['a field in a list of an answer goes', (d) => delete job(d).properties.parts.items.properties.name,
    /parts\[\]\.name: was removed/],
  ['an announcement goes', (d) => delete (d.webhooks as Loose).done, /POST done: was removed/]
]

const additive: Array<[string, (document: Document) => unknown]> = [
  ['nothing', () => undefined],
  ['a path', (d) => {
    ;(d.paths as Loose)['/new'] = { get: { responses: {} } }
  }],
  ['a method', (d) => {
    ;(d.paths['/jobs'] as Loose).get = { responses: {} }
  }],
  ['an optional parameter', (d) => post(d).parameters.push({ in: 'query', name: 'x', required: false, schema: {} })],
  ['a parameter that is no longer required', (d) => {
    post(d).parameters[1].required = false
  }],
  ['an optional field of the body', (d) => {
    body(d).properties.x = { type: 'string' }
  }],
  ['a wider bound', (d) => {
    body(d).properties.object_id.maxLength = 256
  }],
  ['a value that is taken', (d) => {
    body(d).properties.preset.enum.push('slow')
  }],
  ['a field of the body that takes null', (d) => {
    body(d).properties.object_id = { anyOf: [{ type: 'string', minLength: 1, maxLength: 128 }, { type: 'null' }] }
  }],
  ['a field of an answer', (d) => {
    job(d).properties.x = { type: 'string' }
  }],
  ['a field of an answer that is always there', (d) => job(d).required.push('count')],
  ['a whole number where a number was', (d) => {
    job(d).properties.count.type = 'integer'
  }],
  ['an answer that is never null any more', (d) => {
    job(d).properties.error = { type: 'string' }
  }],
  ['a value of a list that may grow', (d) => {
    job(d).properties.kind.enum.push('c')
  }],
  ['a status of a refusal', (d) => {
    post(d).responses[429] = {}
  }],
  ['a header of an answer', (d) => {
    post(d).responses[404].headers = { 'Retry-After': {} }
  }],
  ['other words', (d) => {
    job(d).description = 'A job.'
  }],
  ['an announcement', (d) => {
    ;(d.webhooks as Loose).failed = { post: {} }
  }]
]

t.test('what breaks a client is named', async (t) => {
  for (const [name, change, expected] of breaking) {
    const changed = base()
    change(changed)
    const found = openApiBreaks(base(), changed)
    t.ok(found.some((line) => expected.test(line)), `${name}: ${found.join('; ') || 'nothing was found'}`)
  }
})

t.test('what only adds breaks nobody', async (t) => {
  for (const [name, change] of additive) {
    const changed = base()
    change(changed)
    t.strictSame(openApiBreaks(base(), changed), [], name)
  }
})

t.test('in the description of this service each route, and each field of a job, that goes is named', async (t) => {
  const text = JSON.stringify(await openApiDocument())
  const document = (): Loose => JSON.parse(text) as Json
  t.strictSame(openApiBreaks(document(), document()), [])
  const changed = document()
  const routes = Object.keys(changed.paths)
  changed.paths = {}
  const found = openApiBreaks(document(), changed)
  for (const path of routes) t.ok(found.some((line) => line.includes(` ${path}: was removed`)), path)
  const fields = Object.keys(document().components.schemas.Job.properties)
  const emptied = document()
  emptied.components.schemas.Job.properties = {}
  const missing = openApiBreaks(document(), emptied)
  for (const field of fields) t.ok(missing.includes(`POST /forecast 202.${field}: was removed`), field)
})

t.test('what is taken away on purpose is something that was there, and the rest breaks nobody', async (t) => {
  const released = JSON.parse(await readFile(join('src', 'api', 'openapi-released.json'), 'utf8')) as Json
  const found = openApiBreaks(released, JSON.parse(JSON.stringify(await openApiDocument())) as Json)
  for (const { breaks, why } of meantBreaks) t.ok(found.some((line) => breaks.test(line)), `${breaks} (${why})`)
  t.strictSame(found.filter((line) => !meantBreaks.some(({ breaks }) => breaks.test(line))), [])
})
