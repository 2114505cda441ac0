import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { csv, series } from '../support/csv.ts'
import { expectError } from '../support/expect-error.ts'
import { Client, startService, type TestService } from '../support/service.ts'

/* Stored objects that are deleted while somebody waits for an answer about them. */

const table = csv(series({ length: 60 }))
const labelled = 'size,colour,label\n' +
  Array.from({ length: 60 }, (_, row) => `${row % 7},${row % 3},${row % 2 === 0 ? 'yes' : 'no'}\n`).join('')

/** Every route that reads a stored object before it answers. */
const readers: Record<string, (client: Client, id: string) => Promise<Response>> = {
  forecast: (client, id) =>
    post(client, '/forecast/storage-object', { object_id: id, prediction_length: 3, presets: 'fast' }),
  batch: (client, id) =>
    post(client, '/forecast/batch', { requests: [{ object_id: id, prediction_length: 3, presets: 'fast' }] }),
  fine_tune: (client, id) =>
    post(client, '/fine-tune/storage-object', { object_id: id, prediction_length: 3, base_preset: 'fast' }),
  classify: (client, id) => post(client, '/v2/classify/storage-object', { object_id: id, label_column: 'label' }),
  regress: (client, id) => post(client, '/v2/regress/storage-object', { object_id: id, label_column: 'size' }),
  estimate_runtime: (client, id) => post(client, '/estimate/runtime', { object_id: id, prediction_length: 3 }),
  estimate_cost: (client, id) => post(client, '/estimate/cost', { object_id: id, prediction_length: 3 }),
  preview: (client, id) => client.request('GET', `/storage/objects/${id}/preview`)
}

async function post (client: Client, path: string, body: object): Promise<Response> {
  return await client.request('POST', path, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' }
  })
}

async function store (client: Client, reader: string): Promise<string> {
  const presigned = await post(client, '/storage/uploads/presign', { filename: 'table.csv', content_type: 'text/csv' })
  const { object_id: id, upload_url: url, required_headers: headers } = await presigned.json() as { object_id: string,
    upload_url: string, required_headers: Record<string, string> }
  const sent = await fetch(url, {
    method: 'PUT',
    headers,
    body: reader === 'classify' || reader === 'regress' ? labelled : table
  })
  const completed = await post(client, `/storage/uploads/${id}/complete`, {})
  if (!sent.ok || !completed.ok) throw new Error(`the upload answered ${sent.status} and ${completed.status}`)
  return id
}

async function remove (t: Test, client: Client, id: string): Promise<void> {
  t.equal((await client.request('DELETE', `/storage/objects/${id}`)).status, 204)
}

async function open (t: Test,
  settings: Record<string, string> = {}): Promise<{ service: TestService, client: Client }> {
  const service = await startService({ TABCAST_RATE_LIMITS: 'false', TABCAST_SWEEP_MS: '500', ...settings })
  t.teardown(service.cleanup)
  return { service, client: new Client(service.baseUrl, await service.createKey('acme')) }
}

t.test('an object that is deleted before its turn to be read comes is 404, whoever reads it', async (t) => {
  const { service, client } = await open(t, {
    TABCAST_CHECK_SLOTS: '1',
    TABCAST_QUICK_TIMEOUT_MS: '120000',
    TABCAST_CHECK_WAIT_MS: '120000'
  })
  const stranger = new Client(service.baseUrl, await service.createKey('stranger'))
  const objects = await Promise.all(
    Object.keys(readers).map(async (reader) => [reader, await store(client, reader)] as const)
  )
  // The only place is taken by a check that does not go on, so all the others wait behind it.
  const slots = service.pids('slot')
  for (const pid of slots) process.kill(pid, 'SIGSTOP')
  const held = stranger.submit(table, { prediction_length: '3', presets: 'fast' })
  await sleep(500)
  const answers = objects.map(([reader, id]) => readers[reader]!(client, id))
  await sleep(1000)
  for (const [, id] of objects) await remove(t, client, id)
  for (const pid of slots) process.kill(pid, 'SIGCONT')
  t.equal((await held).status, 202)
  for (const [at, [reader]] of objects.entries()) {
    await t.test(reader, async (t) => {
      await expectError(t, await answers[at]!, 404, 'not_found')
    })
  }
  t.strictSame((await client.page()).jobs, [], 'no job came of it')
})

t.test('an object that is deleted at any moment of a request is read whole or 404', async (t) => {
  const { client } = await open(t)
  const counts: Record<string, number> = {}
  for (let round = 0; round < 8; round++) {
    await Promise.all(Object.entries(readers).map(async ([reader, read]) => {
      const id = await store(client, reader)
      const [answer] = await Promise.all([read(client, id), sleep(Math.random() * 60).then(() =>
        remove(t, client, id)
      )])
      counts[answer.status] = (counts[answer.status] ?? 0) + 1
      if (answer.status === 404) await expectError(t, answer, 404, 'not_found')
      else t.ok([200, 202].includes(answer.status), `${reader}: ${answer.status} ${await answer.text()}`)
    }))
  }
  t.comment(JSON.stringify(counts))
})
