import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import t, { type Test } from 'tap'
import { scopes } from '../../src/services/keys/scopes.ts'
import { runKeys } from '../support/command.ts'
import { csv, series } from '../support/csv.ts'
import { readAnswer, type Answer } from '../support/expect-error.ts'
import { knownFields, largestWithin, leftOut, type Known } from '../support/largest-request.ts'
import { expectHealthy } from '../support/leftovers.ts'
import { operationsOf, type Operation } from '../support/request-fields.ts'
import { Client, startService } from '../support/service.ts'

/* The largest request that each route takes: it is answered within a second, and the api stays as small as it was. */
const maxMs = 1_000
const maxGrowth = 64 * 2 ** 20
/** Other tests run beside this one: what counts is how fast a request can be, on a core of its own. */
const attempts = 3
const waitsForCores = (): number => Math.max(1, (loadavg()[0] as number) / availableParallelism())

const service = await startService({ TABCAST_RATE_LIMITS: 'false', TABCAST_QUICK_QUEUE: '10000' })
t.teardown(service.cleanup)
// A key with the scope admin belongs to the deployment, all others to a tenant.
const keyWith = async (...names: string[]): Promise<Client> =>
  new Client(service.baseUrl, (await runKeys(service, 'create', '--tenant', 'acme', '--scopes', names.join(','))).last)
const client = await keyWith(...scopes.filter((scope) => scope !== 'admin' && scope !== 'sandbox'))
const operator = await keyWith('admin')
const dataset = csv(series({ length: 40 }))

function residentMemory (): number {
  const [pid] = service.pids('api')
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1]) * 1024
}

const operations = operationsOf(await (await client.request('GET', '/openapi.json')).json())
const limits = await (await client.request('GET', '/limits')).json() as Record<string, number>
const [maxJsonBytes, maxJsonKeys, maxFieldBytes] = [limits['max_json_bytes'] as number,
  limits['max_json_keys'] as number, limits['max_form_field_bytes'] as number]

async function store (): Promise<string> {
  const presigned = await (await client.request('POST', '/storage/uploads/presign', {
    body: JSON.stringify({ filename: 'a.csv', content_type: 'text/csv' }),
    headers: { 'content-type': 'application/json' }
  })).json() as { object_id: string, upload_url: string, required_headers: Record<string, string> }
  await fetch(presigned.upload_url, { method: 'PUT', headers: presigned.required_headers, body: dataset })
  await client.request('POST', `/storage/uploads/${presigned.object_id}/complete`, {
    body: '{}',
    headers: { 'content-type': 'application/json' }
  })
  return presigned.object_id
}

const objectId = await store()
// The list of cities is read at the first look-up, and stays.
await client.request('POST', '/forecast/storage-object', {
  body: JSON.stringify({ object_id: objectId, external_covariates: { weather: { enabled: true, city: 'Berlin' } } }),
  headers: { 'content-type': 'application/json' }
})
const known: Known = { ...knownFields, object_id: () => objectId }

/** The most memory that the api has held so far: V8 gives some of it back and takes it again. */
let highest = residentMemory()

/** The same request until one is fast; never a fault of the service. */
async function expectQuick (t: Test, what: string, send: () => Promise<Answer>): Promise<void> {
  let fastest = Infinity
  let answer: Answer | undefined
  const allowedMs = maxMs * waitsForCores()
  for (let attempt = 0; attempt < attempts && fastest > maxMs; attempt++) {
    const start = performance.now()
    answer = await send()
    fastest = Math.min(fastest, performance.now() - start)
  }
  const growth = residentMemory() - highest
  highest += Math.max(0, growth)
  t.ok(answer !== undefined && answer.status < 500, `${what}: ${answer?.status} ${answer?.text.slice(0, 300)}`)
  t.ok(fastest <= allowedMs, `${what}: ${Math.round(fastest)} ms, ${answer?.status}`)
  t.ok(growth < maxGrowth, `${what}: the api grew by ${Math.round(growth / 2 ** 20)} MiB`)
}

const pathOf = ({ path, parameters }: Operation): string =>
  path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const schema = parameters.find((one) => one.in === 'path' && one.name === name)?.schema
    return name === 'object_id' ? objectId : 'x'.repeat(Math.min(schema?.maxLength ?? 1, 4_000))
  })

async function send ({ method, ...operation }: Operation, query: string, body?: string | FormData): Promise<Answer> {
  const isJson = typeof body === 'string'
  const caller = operation.path.startsWith('/admin/') ? operator : client
  return await readAnswer(
    await caller.request(method, pathOf({ method, ...operation }) + query, {
      headers: isJson ? { 'content-type': 'application/json' } : {},
      ...body === undefined ? {} : { body }
    })
  )
}

function formOf (fields: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (name !== 'file') form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  form.append('file', new Blob([dataset]), 'data.csv')
  return form
}

const json = operations.filter(({ body }) => body?.contentType === 'application/json')
const forms = operations.filter(({ body }) => body?.contentType === 'multipart/form-data')
const others = operations.filter(({ body, method }) => body === undefined && method !== 'DELETE')

t.test('JSON bodies at their bounds', async (t) => {
  t.ok(json.length > 10, `${json.length} routes`)
  for (const operation of json) {
    for (const [at, value] of largestWithin(operation.body?.schema ?? {}, '', known, maxJsonBytes, maxJsonKeys)
      .entries()) {
      const text = JSON.stringify(
        operation.path.startsWith('/estimate/') ? { ...value as object, object_id: null, columns: null } : value
      )
      await expectQuick(t,
        `${operation.method} ${operation.path}, ${['full lists', 'long texts'][at]}, ${text.length} bytes`, () =>
        send(operation, '', text))
    }
  }
  await expectHealthy(t, service)
})

t.test('forms at their bounds', async (t) => {
  t.ok(forms.length > 5, `${forms.length} routes`)
  for (const operation of forms) {
    const { properties = {} } = operation.body?.schema ?? {}
    for (const at of [0, 1]) {
      const fields = Object.fromEntries(
        Object.entries(properties).filter(([name]) => !leftOut.has(name)).map((
          [name, schema]
        ) => [name, largestWithin(schema, name, known, maxFieldBytes, maxJsonKeys)[at]])
      )
      await expectQuick(t, `${operation.method} ${operation.path}, ${['full lists', 'long texts'][at]}`, () =>
        send(operation, '', formOf(fields)))
    }
  }
  await expectHealthy(t, service)
})

t.test('paths and queries at their bounds', async (t) => {
  for (const operation of others) {
    const query = operation.parameters.filter((one) => one.in === 'query').flatMap(({ name, schema }) => {
      // A wait is what the caller asks for.
      const value = name === 'wait' ? 0 : largestWithin(schema, name, known, 4_000, maxJsonKeys)[0]
      return (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)])
    })
    await expectQuick(t, `${operation.method} ${operation.path}`, () =>
      send(operation, query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`))
  }
  await expectHealthy(t, service)
})

/** Of what no route takes, as much as fits into a body. */
const refused: Record<string, () => unknown> = {
  'as many unknown fields as a body may have': () =>
    Object.fromEntries(Array.from({ length: maxJsonKeys - 1 }, (_, at) => [`k${at}`, at])),
  'a hundred requests of a batch with a hundred unknown fields each': () => ({
    requests: Array.from({ length: 99 },
      () => Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`k${at}`, at])))
  }),
  'a hundred thousand requests of a batch': () => ({ requests: Array.from({ length: 100_000 }, () => 1) }),
  'half a million numbers where texts are wanted': () => ({
    intent: { entity_columns: new Array(500_000).fill(1) },
    columns: [],
    lag_periods: new Array(10).fill('x')
  }),
  'unknown fields that are large': () =>
    Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, new Array(4_000).fill(1)])),
  'three hundred thousand empty lists where names are wanted that differ': () => ({
    object_id: objectId,
    reconciliation: { hierarchy_columns: Array.from({ length: 300_000 }, () => []) }
  }),
  'eighty thousand names of columns that differ': () => ({
    object_id: objectId,
    reconciliation: { hierarchy_columns: Array.from({ length: 80_000 }, (_, at) => `c${at}`) }
  }),
  'two hundred thousand columns': () => ({ intent: {}, columns: new Array(200_000).fill('a') }),
  'a hundred requests for the weather of a place that there is not': () => ({
    requests: Array.from({ length: 100 }, (_, at) => ({
      object_id: objectId,
      custom_id: `c${at}`,
      external_covariates: { weather: { enabled: true, city: `Sprnigfeild ${at} ${'x'.repeat(180)}` } }
    }))
  }),
  'a field of one large text': () => ({ [`x${'y'.repeat(900_000)}`]: 1 }),
  'filters of the wrong shape': () => ({
    object_id: 'x',
    preparation: {
      filters: Array.from({ length: 50 }, () => ({ column: 1, op: 'x', values: new Array(900).fill({}) }))
    }
  })
}

t.test('bodies that no route takes', async (t) => {
  for (const operation of json) {
    for (const [what, body] of Object.entries(refused)) {
      const text = JSON.stringify(body())
      if (text.length > maxJsonBytes) throw new Error(`${what} is ${text.length} bytes`)
      await expectQuick(t, `${operation.method} ${operation.path}, ${what}`, () => send(operation, '', text))
    }
  }
  await expectHealthy(t, service)
})
