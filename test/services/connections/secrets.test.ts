import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readKeyring } from '../../../src/platform/vault/keyring.ts'
import { runTabcast } from '../../support/command.ts'
import { startS3, whyNoS3 } from '../../support/s3.ts'
import { Client, startService } from '../../support/service.ts'

/*
 * The whole service: where a customer's secret may not be found, rotation of the keyring, and keys that belong to
 * nobody.
 */

const canary = 'canary-9f8e7d6c5b4a3210-secret'

/** Every file under the folder. */
async function filesUnder (folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

t.test('a secret is in no file, log or answer of the service, also after failures and a rotation of the keyring', {
  skip: whyNoS3('minio')
}, async (t) => {
  const store = await startS3(t, 'minio')
  await store.createBucket('data')
  await store.client.putObject('data', 'in/1.csv', Buffer.from('item_id,timestamp,target\n'))
  const service = await startService({
    TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
    TABCAST_CONNECTOR_TIMEOUT_MS: '2000',
    TABCAST_LOG_LEVEL: 'trace'
  })
  t.teardown(service.cleanup)
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  const answers: string[] = []
  const call = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await client.request(method, path,
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    const text = await answer.text()
    answers.push(text, JSON.stringify([...answer.headers]))
    return text === '' ? {} : JSON.parse(text) as Record<string, unknown>
  }
  const connection = (secret: string, accessKeyId: string, endpoint: string) => ({
    connector_type: 's3_compatible',
    name: 'sales',
    object_storage: {
      bucket: 'data',
      prefix: 'in/',
      endpoint_url: endpoint,
      auth_method: 'access_key',
      file_format: 'csv',
      credentials: { access_key_id: accessKeyId, secret_access_key: secret }
    }
  })
  const { connection_id: working } = await call('POST', '/data-connections',
    connection(store.secretAccessKey, store.accessKeyId, store.endpoint))
  const { connection_id: marked } = await call('POST', '/data-connections',
    connection(canary, 'AKIACANARY0000001', store.endpoint))
  await call('POST', '/data-connections', connection(canary, 'x', 'http://169.254.169.254'))
  await call('POST', '/data-connections', {
    ...connection(canary, 'AKIACANARY0000001', store.endpoint),
    connector_type: 'nope'
  })

  t.match(await call('POST', `/data-connections/${String(working)}/test`), { ok: true })
  const rotation = await runTabcast(['vault', 'rotate'], { TABCAST_DATA_DIR: join(service.folder, 'data') })
  t.match(rotation, { status: 0, stdout: /anew: 2\./ }, rotation.stderr)
  t.equal(readKeyring(join(service.folder, 'data', 'keyring.json')).keys.size, 1, 'the old key is gone')
  t.match(await call('POST', `/data-connections/${String(working)}/test`), { ok: true },
    'the worker reads the keyring again')
  t.match(await call('POST', `/data-connections/${String(marked)}/test`), {
    ok: false,
    error_code: 'AUTHENTICATION_FAILED'
  })
  for (const path of ['objects', 'validate']) {
    await call(path === 'objects' ? 'GET' : 'POST', `/data-connections/${String(marked)}/${path}`,
      path === 'objects' ? undefined : {})
  }
  await call('POST', `/data-connections/${String(marked)}/credentials`, {
    credentials: { access_key_id: 'AKIACANARY0000002', secret_access_key: `${canary}-2` }
  })
  await call('GET', `/data-connections/audit?connection_id=${String(marked)}`)
  await call('GET', '/data-connections')

  for (const answer of answers) t.notMatch(answer, canary)
  t.notMatch(service.log(), canary)
  const files = await filesUnder(service.folder)
  t.ok(files.some((path) => path.endsWith('data.mdb')) && files.some((path) => path.includes('/nats/')),
    'the record and the queue are among them')
  for (const path of files) {
    const content = await readFile(path)
    t.notOk(content.includes(canary) || content.includes(Buffer.from(canary).toString('base64')),
      `${path} does not hold it`)
  }

  await service.stop()
  const idle = await runTabcast(['vault', 'rotate'], { TABCAST_DATA_DIR: join(service.folder, 'data') })
  t.match(idle, { status: 0, stdout: /anew: 2\./ }, 'without a running service, on the folder itself')
  await service.restart()
  t.match(await call('POST', `/data-connections/${String(working)}/test`), { ok: true })
  t.equal((await runTabcast(['vault', 'turn'])).status, 64)
})

t.test('a key of the static map without a tenant works on data of its own and has no connections', async (t) => {
  const folder = t.testdir({})
  const path = join(folder, 'keys.json')
  await writeFile(path, JSON.stringify({
    'nobodys-key-1': { tenant: null },
    'nobodys-key-2': { tenant: null, scopes: ['jobs:read', 'connections'] },
    'acme-key-3': 'acme'
  }))
  const service = await startService({ TABCAST_STATIC_KEYS_FILE: path })
  t.teardown(service.cleanup)
  for (const key of ['nobodys-key-1', 'nobodys-key-2']) {
    const client = new Client(service.baseUrl, key)
    t.equal((await client.request('GET', '/jobs')).status, 200)
    const answer = await client.request('GET', '/data-connections')
    t.match({ status: answer.status, ...await answer.json() as object }, { status: 403, error_code: 'auth_failed' })
    t.equal((await client.request('DELETE', '/data-connections/conn_1')).status, 403)
  }
  t.equal((await new Client(service.baseUrl, 'acme-key-3').request('GET', '/data-connections')).status, 200)
  const data = { TABCAST_DATA_DIR: join(service.folder, 'data') }
  t.equal((await runTabcast(['keys', 'create'], data)).status, 64, 'the command line makes keys of tenants only')
  t.equal((await runTabcast(['keys', 'create', '--tenant', 'key-0123456789abcdef'], data)).status, 64,
    'and of none that is called like a key')
})
