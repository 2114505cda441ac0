import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scopes } from '../../src/services/keys/scopes.ts'
import { startS3 } from '../support/s3.ts'
import { Client, panelCsv, startService } from '../support/service.ts'
import { exampleCalls, type ExampleCall } from './example-calls.ts'

/*
 * `node --import=tsx test/api-examples/record.ts` sends the requests of example-calls.ts to a service of its own, and
 * writes src/api/examples.json: the requests, and what was answered. An answer whose schema has a name stands once,
 * under that name.
 */
interface Schema {
  $ref?: string
  anyOf?: Schema[]
}
interface Operation {
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

const { paths } = JSON.parse(readFileSync('src/api/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
const files = { 'sales.csv': panelCsv(3, 60).replaceAll('series-', 'shop-'), 'customers.csv': customers() }
const requests: Record<string, unknown> = {}
const answers: Record<string, unknown> = {}
/** What stands for itself in requests, and what is put back where it is written. */
const values = new Map<string, string>()

const folder = mkdtempSync(join(tmpdir(), 'tabcast-examples-'))
const ends: Array<() => Promise<void>> = [async () => rmSync(folder, { recursive: true })]
try {
  const s3 = await startS3({ teardown: (end) => ends.unshift(end as () => Promise<void>) })
  await s3.createBucket('sales')
  await s3.client.putObject('sales', 'history/2025.csv', files['sales.csv'])
  values.set('{endpoint}', s3.endpoint).set('{access_key_id}', s3.accessKeyId).set('{secret_access_key}',
    s3.secretAccessKey)
  const newKey = () => randomBytes(24).toString('base64url')
  const keys = { tenant: newKey(), admin: newKey(), sandbox: newKey() }
  const keysFile = join(folder, 'keys.json')
  const tenantScopes = scopes.filter((scope) => scope !== 'sandbox' && scope !== 'admin')
  writeFileSync(keysFile, JSON.stringify({
    [keys.tenant]: { tenant: 'acme', scopes: tenantScopes },
    [keys.admin]: { tenant: 'operator', scopes: ['admin'] },
    [keys.sandbox]: { tenant: null, scopes: ['sandbox'] }
  }), { mode: 0o600 })
  const service = await startService({
    TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
    TABCAST_SANDBOX_ENABLED: 'true',
    TABCAST_STATIC_KEYS_FILE: keysFile
  })
  ends.unshift(() => service.cleanup())
  for (const call of exampleCalls) await record(call, new Client(service.baseUrl, keys[call.by ?? 'tenant']))
  const written = JSON.stringify({ requests, answers }, null, 2).replaceAll(service.baseUrl, 'http://127.0.0.1:8080')
  writeFileSync('src/api/examples.json', withoutSecrets(written) + '\n')
} finally {
  for (const end of ends) await end()
}

async function record (call: ExampleCall, client: Client): Promise<void> {
  const [method = '', path = ''] = call.route.split(' ')
  const fields = call.body ?? (call.form === undefined ? undefined : { file: call.file, ...call.form })
  if (fields !== undefined) requests[call.route] = fields
  if (call.isNotSent === true) return
  const address = path === '/objects/{*}' ? '{upload_url}' : path + (call.query ?? '')
  const url = filled(address).replace(client.baseUrl, '')
  const answer = await client.request(method, url, contentOf(call))
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${text}`)
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';')
  if (type === 'text/csv') answers[call.route] = text.split('\n').slice(0, 3).join('\n')
  if (type === 'text/event-stream') answers[call.route] = text.split('\n\n').slice(0, 2).join('\n\n')
  if (type !== 'application/json') return
  const body = JSON.parse(text) as Record<string, unknown>
  const schema = paths[path]?.[method.toLowerCase()]?.responses[answer.status]?.content?.[type]?.schema
  answers[call.answer ?? (schema?.anyOf?.[0] ?? schema)?.$ref?.split('/').at(-1) ?? call.route] = shortened(body)
  keepIds(body)
  if (call.ends !== true) return
  const ended = await client.ended(String(body['job_id']))
  if (ended.status === 'failed') throw new Error(`${call.route}: ${ended.error}`)
  keepIds({ model_id: ended['model_version'] })
}

function contentOf (
  { body, form, file, route }: ExampleCall
): { body?: string | FormData, headers?: Record<string, string> } {
  if (body !== undefined) {
    return { body: filled(JSON.stringify(body)), headers: { 'content-type': 'application/json' } }
  }
  if (file === undefined) return {}
  if (route.startsWith('PUT ')) {
    const { required_headers: headers } = answers['PresignedUpload'] as { required_headers: Record<string, string> }
    return { body: files[file], headers }
  }
  const content = new FormData()
  for (const [name, value] of Object.entries(form ?? {})) content.append(name, String(value))
  content.append('file', new Blob([files[file]]), file)
  return { body: content }
}

function keepIds (body: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(body)) {
    if (/(?:^id|_id|upload_url)$/.test(name) && typeof value === 'string') values.set(`{${name}}`, value)
  }
  const [first] = (body['deliveries'] ?? []) as Array<Record<string, unknown>>
  if (first !== undefined) keepIds(first)
}

/** Of a long list of rows the first ones say enough. */
function shortened (body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map((
      [name, value]
    ) => [name, Array.isArray(value) && value.length > 20 ? value.slice(0, 2) : value])
  )
}

function filled (text: string): string {
  return [...values].reduce((given, [name, value]) => given.replaceAll(name, value), text)
}

/** Keys and secrets of a service that is gone look like those of one that is not. */
function withoutSecrets (text: string): string {
  const example = (length: number) => 'EXAMPLE'.repeat(7).slice(0, length)
  return [...values].reduce(
    (given, [name, value]) => /endpoint\}|access_key/.test(name) ? given.replaceAll(value, name) : given,
    text
  )
    .replaceAll('{endpoint}', 'https://s3.example.com')
    .replaceAll('{access_key_id}', 'ACCESS_KEY_ID').replaceAll('{secret_access_key}', 'SECRET_ACCESS_KEY')
    .replaceAll(/(tbc_[a-z]+_\w{8}_)[\w-]{43}_\w{6}/g, `$1${example(43)}_${example(6)}`)
    .replaceAll(/whsec_[\w+/]+=*/g, `whsec_${Buffer.alloc(32).toString('base64')}`)
    .replaceAll(/\{(object_id)\}/g, (name) => values.get(name) ?? name)
}

function customers (): string {
  const rows = Array.from({ length: 200 }, (_, row) => {
    const visits = row * 7 % 23
    return [20 + row * 13 % 50, ['basic', 'plus', 'team'][row % 3], visits, visits + row % 5 > 12 ? 'no' : 'yes'].join()
  })
  return ['age,plan,visits,churned', ...rows].join('\n') + '\n'
}
