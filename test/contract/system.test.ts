import { Validator } from '@seriousme/openapi-schema-validator'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { errorTable } from '../../src/domain/error-codes.ts'
import { runTabcast } from '../support/command.ts'
import { csv, series } from '../support/csv.ts'
import { expectError } from '../support/expect-error.ts'
import { Client, startService } from '../support/service.ts'

/* What the service says about itself, and how much of it one caller gets. */
const service = await startService()
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))

async function openly (path: string): Promise<Response> {
  return await fetch(service.baseUrl + path)
}

async function json (answer: Response): Promise<Record<string, unknown>> {
  return await answer.json() as Record<string, unknown>
}

t.test('/livez says that the process is alive, to anybody', async (t) => {
  const answer = await openly('/livez')
  t.equal(answer.status, 200)
  t.strictSame(await json(answer), { status: 'alive' })
})

t.test('/health shows every check, to anybody', async (t) => {
  const answer = await openly('/health')
  const health = await json(answer)
  t.equal(answer.status, 200)
  t.strictSame(Object.keys(health).sort(), ['checks', 'commit', 'status', 'timestamp', 'version'])
  t.equal(health['status'], 'ok')
  t.strictSame(health['checks'], {
    upload_dir: 'ok',
    output_dir: 'ok',
    metadata_store: 'ok',
    disk: 'ok',
    queue: 'ok',
    object_store: 'ok',
    workers: 'ok'
  })
  t.ok(Math.abs(Date.parse(String(health['timestamp'])) - Date.now()) < 60_000)
  t.equal(health['version'], (await runTabcast(['version'])).last)
  t.ok(health['commit'])
})

t.test('/models and /limits answer any key, and no one else', async (t) => {
  const models = await json(await client.request('GET', '/models'))
  t.strictSame(models['available_presets'], ['fast', 'balanced', 'best'])
  t.ok(models['note'])
  const limits = await json(await client.request('GET', '/limits'))
  t.match(limits, {
    max_upload_bytes: 2 ** 30,
    max_object_bytes: 5 * 2 ** 30,
    upload_content_types: null,
    preview_max_bytes: 262_144,
    preview_max_rows: 100,
    max_batch_requests: 100,
    signed_url_seconds: 300,
    signed_upload_seconds: 900,
    max_rows: 200_000_000,
    max_columns: 500,
    max_series: 2_000_000,
    max_hierarchy_levels: 20,
    max_cell_chars: 32_768,
    min_observations_per_series: 2,
    max_prediction_length: 1000,
    max_forecast_points: 50_000_000,
    max_output_bytes: 17_179_869_184,
    job_retention_seconds: 3600,
    job_budget_seconds: 3600,
    max_json_bytes: 2 ** 20,
    max_json_depth: 20,
    max_form_field_bytes: 65_536,
    max_form_parts: 40
  })
  for (const path of ['/models', '/limits']) await expectError(t, await openly(path), 401, 'auth_failed')
})

t.test('every answer carries a request id and headers that keep browsers from guessing', async (t) => {
  for (const path of ['/livez', '/health', '/openapi.json', '/models', '/nothing']) {
    const answer = await openly(path)
    t.match(answer.headers.get('x-request-id') ?? '', /^req_[0-9A-HJKMNP-TV-Z]{26}$/, path)
    t.equal(answer.headers.get('x-content-type-options'), 'nosniff', path)
    await answer.arrayBuffer()
  }
})

t.test('/openapi.json is valid OpenAPI 3.1, has every route, and the codes of the error table', async (t) => {
  const document = await json(await openly('/openapi.json'))
  const result = await new Validator().validate(structuredClone(document))
  t.ok(result.valid, JSON.stringify(result.errors))
  t.match(document, {
    openapi: /^3\.1\./,
    info: { version: '0.1.0', 'x-release': (await runTabcast(['version'])).last }
  })
  const paths = document['paths'] as Record<string,
    Record<string, { responses: Record<string, unknown>, security?: unknown[] }>>
  const shown = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`)
  )
  for (const route of [
    'post /forecast',
    'post /forecast/storage-object',
    'post /forecast/batch',
    'get /forecast/batch/{batch_id}',
    'get /forecast/batch/{batch_id}/download',
    'delete /forecast/batch/{batch_id}',
    'post /storage/uploads/presign',
    'post /storage/uploads/{object_id}/complete',
    'get /storage/objects',
    'get /storage/objects/{object_id}',
    'get /storage/objects/{object_id}/download-url',
    'get /storage/objects/{object_id}/preview',
    'delete /storage/objects/{object_id}',
    'get /jobs',
    'get /jobs/{job_id}',
    'delete /jobs/{job_id}',
    'get /jobs/{job_id}/download',
    'get /health',
    'get /livez',
    'get /models',
    'get /limits',
    'post /v2/classify',
    'post /v2/classify/storage-object',
    'post /v2/regress',
    'post /v2/regress/storage-object',
    'get /jobs/{job_id}/artifacts/{name}'
  ]) t.ok(shown.includes(route), route)
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { responses, security }] of Object.entries(methods)) {
      const isPublic = ['/health', '/livez'].includes(path) || path.startsWith('/objects')
      t.equal(security?.length === 0, isPublic, `${method} ${path}: ${isPublic ? 'public' : 'needs a key'}`)
      if (!isPublic) {
        t.ok(['401', '403', '429'].every((status) => status in responses),
          `${method} ${path}: the errors of keys are described`)
      }
    }
  }
  const { schemas } = document['components'] as {
    schemas: Record<string, { enum?: string[], properties?: object, required?: string[] }>
  }
  t.strictSame(new Set(schemas['ErrorCode']?.enum), new Set(Object.keys(errorTable)))
  t.strictSame(new Set(Object.keys(schemas['Error']?.properties ?? {})),
    new Set(['detail', 'error_code', 'retryable', 'request_id']))
  t.ok(['job_id', 'status', 'created_at'].every((field) => schemas['Job']?.required?.includes(field)))
  // What is printed is for clients, which may meet a deployment with a sandbox.
  const printed = JSON.parse((await runTabcast(['openapi'])).stdout) as { paths: Record<string, unknown>,
    tags: Array<{ name: string }> }
  for (const path of Object.keys(printed.paths)) if (path.startsWith('/sandbox/')) delete printed.paths[path]
  t.strictSame({ ...printed, tags: printed.tags.filter(({ name }) => name !== 'sandbox') }, document,
    '`tabcast openapi` prints the same')
})

t.test('what is answered is what is described', async (t) => {
  const { components } = await json(await openly('/openapi.json')) as unknown as {
    components: { schemas: Record<string, { properties: object }> }
  }
  const fields = (name: string) => Object.keys(components.schemas[name]?.properties ?? {}).sort()
  const job = await client.submitted(csv(series()), { prediction_length: '3' })
  t.strictSame(Object.keys(job).sort(), fields('Job'))
  t.strictSame(Object.keys(await json(await openly('/health'))).sort(), fields('Health'))
  t.strictSame(Object.keys(await json(await client.request('GET', '/limits'))).sort(), fields('Limits'))
  t.strictSame(Object.keys(await json(await client.request('GET', '/jobs'))).sort(), fields('JobList'))
  t.strictSame(Object.keys(await json(await client.request('GET', '/nothing'))).sort(), fields('Error'))
})

t.test('/docs/api is a page about the interface, without a key', async (t) => {
  const answer = await openly('/docs/api')
  t.equal(answer.status, 200)
  t.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  const page = await answer.text()
  t.notMatch(page, /(?:src|href)="(?:https?:)?\/\//, 'everything comes from the service itself')
})

t.test('rate limits are shown on every counted answer', async (t) => {
  const read = await client.request('GET', '/jobs')
  t.equal(read.headers.get('ratelimit-policy'), '"read";q=60000;w=60')
  t.match(read.headers.get('ratelimit') ?? '', /^"read";r=\d+;t=\d+$/)
  const create = await client.submit(csv(series()), { prediction_length: '0' })
  t.match(create.headers.get('ratelimit-policy') ?? '', '"create";q=6000;w=60')
  t.match(create.headers.get('ratelimit-policy') ?? '', '"upload";q=6000;w=60')
  t.equal((await openly('/livez')).headers.get('ratelimit'), null)
})

t.test('one caller over its limit is a 429 rate_limited, others are still served', async (t) => {
  await service.restart({
    TABCAST_RATE_READS_PER_MINUTE: '30',
    TABCAST_RATE_CREATES_PER_MINUTE: '2',
    TABCAST_RATE_AUTH_FAILURES_PER_MINUTE: '5'
  })
  const answers = []
  for (let call = 0; call < 40; call++) answers.push(await client.request('GET', '/models'))
  const refused = answers.filter(({ status }) => status === 429)
  t.ok(refused.length >= 5 && refused.length <= 10, `${refused.length} of 40 calls are refused`)
  for (const answer of refused.slice(0, 2)) {
    t.match(answer.headers.get('ratelimit') ?? '', /^"read";r=0;t=\d+$/)
    const envelope = await expectError(t, answer, 429, 'rate_limited')
    t.equal(envelope.retryable, true)
  }
  const other = new Client(service.baseUrl, await service.createKey('other'))
  t.equal((await other.request('GET', '/models')).status, 200, 'another key')
  t.equal((await openly('/health')).status, 200)

  const small = csv(series())
  const creates = []
  for (let call = 0; call < 4; call++) creates.push(await other.submit(small))
  t.strictSame(creates.map(({ status }) => status), [202, 202, 429, 429], 'creates are counted apart from reads')

  await sleep(1000 * Number(refused.at(-1)?.headers.get('retry-after')))
  t.equal((await client.request('GET', '/models')).status, 200, 'after Retry-After the next call is taken')
})

t.test('an address that keeps guessing keys is slowed down, and a right key still works', async (t) => {
  const guesser = new Client(service.baseUrl, 'tbc_live_guess')
  const statuses = []
  for (let call = 0; call < 8; call++) statuses.push((await guesser.request('GET', '/models')).status)
  t.strictSame([...new Set(statuses)], [401, 429])
  const fresh = new Client(service.baseUrl, await service.createKey('fresh'))
  t.equal((await fresh.request('GET', '/models')).status, 200)
})
