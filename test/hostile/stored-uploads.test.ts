import t, { type Test } from 'tap'
import { expectError, suggestionOf } from '../support/expect-error.ts'
import { deletedButOpen, expectHealthy, objectsOf, spooled } from '../support/leftovers.ts'
import { openRaw, requestHead, type RawConnection } from '../support/raw-http.ts'
import { Client, startService } from '../support/service.ts'
import type { Json, Upload } from '../support/storage.ts'
import { until } from '../support/until.ts'

/*
 * Uploads to signed addresses that lie, dawdle, stop in the middle, are too large or come twice: item 58, and 21 to
 * 24 for this way in.
 */
const maxObject = 1024 * 1024
const service = await startService({
  TABCAST_RATE_LIMITS: 'false',
  TABCAST_MAX_OBJECT_BYTES: String(maxObject),
  TABCAST_SWEEP_MS: '200'
})
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))

async function presign (body: Json = {}): Promise<Upload> {
  const answer = await client.request('POST', '/storage/uploads/presign', {
    body: JSON.stringify({ filename: 'a.csv', content_type: 'text/csv', ...body }),
    headers: { 'content-type': 'application/json' }
  })
  return await answer.json() as Upload
}

async function complete (id: string): Promise<Response> {
  return await client.request('POST', `/storage/uploads/${id}/complete`, {
    body: '{}',
    headers: { 'content-type': 'application/json' }
  })
}

function head ({ upload_url: address, required_headers: headers }: Upload, more: Record<string, string> = {}): string {
  const { pathname, search } = new URL(address)
  return requestHead('PUT', pathname + search, { ...headers, ...more })
}

async function openUpload (upload: Upload, more: Record<string, string> = {}): Promise<RawConnection> {
  const raw = await openRaw(service.baseUrl)
  raw.send(head(upload, more))
  return raw
}

async function expectNothingOf (t: Test, { object_id: id }: Upload): Promise<void> {
  await until('an empty spool', async () => (await spooled(service)).length === 0)
  t.strictSame((await objectsOf(service, 'acme')).filter((path) => path.includes(id)), [], 'nothing was stored')
  const waiting = await expectError(t, await complete(id), 409, 'object_not_ready')
  t.equal(waiting.retryable, true, 'the address still waits for its upload')
  await expectHealthy(t, service)
}

t.test('a file over the limit is a 413, whether its size is announced or not', async (t) => {
  const announced = await presign()
  const large = await openUpload(announced, { 'Content-Length': String(maxObject + 1) })
  t.ok(suggestionOf(await expectError(t, await large.answer(), 413, 'file_too_large')))
  large.socket.destroy()
  await expectNothingOf(t, announced)

  const chunked = await presign()
  const raw = await openUpload(chunked, { 'transfer-encoding': 'chunked', connection: 'close' })
  const block = Buffer.alloc(64 * 1024, 'a')
  for (let sent = 0; sent <= maxObject; sent += block.length) {
    raw.send(`${block.length.toString(16)}\r\n`)
    raw.send(block)
    raw.send('\r\n')
  }
  raw.send('0\r\n\r\n')
  await expectError(t, await raw.answer(), 413, 'file_too_large')
  t.equal(await raw.ended(), 'end', 'a FIN and no reset, so that the answer is never lost')
  await expectNothingOf(t, chunked)
})

t.test('a body that is not what its header says is refused, and nothing of it stays', async (t) => {
  const upload = await presign({ file_size: 100 })
  for (const length of ['99', '101']) {
    const raw = await openUpload(upload, { 'Content-Length': length })
    raw.send('x'.repeat(Number(length)))
    await expectError(t, await raw.answer(), 403, 'auth_failed')
    raw.socket.destroy()
  }
  const { 'Content-Length': _length, ...unsized } = upload.required_headers
  const chunked = await openUpload({ ...upload, required_headers: unsized }, { 'transfer-encoding': 'chunked' })
  chunked.send(`64\r\n${'x'.repeat(100)}\r\n0\r\n\r\n`)
  await expectError(t, await chunked.answer(), 403, 'auth_failed')
  chunked.socket.destroy()

  const halfway = await openUpload(upload)
  halfway.send('x'.repeat(50))
  halfway.socket.end()
  const end = await Promise.race([halfway.ended(), halfway.answer().then(({ status }) => status)])
  t.ok(end === 400 || end === 'end' || end === 'reset', `half-closed before the announced length: ${end}`)
  await expectNothingOf(t, upload)
})

t.test('a client that goes away in the middle leaves nothing, and may come again', async (t) => {
  const upload = await presign({ file_size: 200_000 })
  const raw = await openUpload(upload)
  raw.send('x'.repeat(100_000))
  await until('the upload is under way', async () => (await spooled(service)).length === 1)
  raw.socket.destroy()
  await expectNothingOf(t, upload)
  const again = await openUpload(upload)
  again.send('y'.repeat(200_000))
  t.equal((await again.answer()).status, 200)
  again.socket.destroy()
  t.equal((await complete(upload.object_id)).status, 200)
})

t.test('an upload that stands still is a 408, and its place is free', async (t) => {
  const upload = await presign({ file_size: 200_000 })
  const raw = await openUpload(upload)
  raw.send('x')
  await expectError(t, await raw.answer(30_000), 408, 'request_timeout')
  await raw.ended(30_000)
  await expectNothingOf(t, upload)
})

t.test('58: of many uploads to one address one is taken, and it stays', async (t) => {
  const upload = await presign({ file_size: 9 })
  const contents = Array.from({ length: 10 }, (_, at) => `content-${at}`)
  const answers = await Promise.all(
    contents.map(async (content) =>
      await fetch(upload.upload_url, { method: 'PUT', headers: upload.required_headers, body: content })
    )
  )
  const statuses = answers.map(({ status }) => status)
  // The others came while it did, or after it.
  t.equal(statuses.filter((status) => status === 200).length, 1)
  t.ok(statuses.every((status) => [200, 409, 412].includes(status)), statuses.join())
  t.equal((await complete(upload.object_id)).status, 200)
  const { download_url: address } =
    await (await client.request('GET', `/storage/objects/${upload.object_id}/download-url`)).json() as {
      download_url: string
    }
  t.equal(await (await fetch(address)).text(), contents[statuses.indexOf(200)])
  await expectError(t,
    await fetch(upload.upload_url, { method: 'PUT', headers: upload.required_headers, body: 'content-x' }), 412,
    'validation_error')
  await expectError(t, await fetch(upload.upload_url, { headers: upload.required_headers }), 403, 'auth_failed')
  await expectError(t, await fetch(address, { method: 'PUT', headers: upload.required_headers, body: 'content-x' }),
    403, 'auth_failed')
  await until('an empty spool', async () => (await spooled(service)).length === 0)
})

t.test('an object that is deleted during its upload is not resurrected', async (t) => {
  const upload = await presign({ file_size: 200_000 })
  const raw = await openUpload(upload)
  raw.send('x'.repeat(100_000))
  await until('the upload is under way', async () => (await spooled(service)).length === 1)
  t.equal((await client.request('DELETE', `/storage/objects/${upload.object_id}`)).status, 204)
  raw.send('x'.repeat(100_000))
  await expectError(t, await raw.answer(), 404, 'not_found')
  raw.socket.destroy()
  await until('an empty spool', async () => (await spooled(service)).length === 0)
  t.strictSame((await objectsOf(service, 'acme')).filter((path) => path.includes(upload.object_id)), [])
})

t.test('a download under way breaks off when its object is deleted, and the bytes leave the disk', async (t) => {
  await service.restart({ TABCAST_MAX_OBJECT_BYTES: String(64 * 1024 * 1024) })
  const bytes = 32 * 1024 * 1024
  const upload = await presign({ file_size: bytes })
  t.equal(
    (await fetch(upload.upload_url, {
      method: 'PUT',
      headers: upload.required_headers,
      body: Buffer.alloc(bytes, 'a')
    })).status,
    200
  )
  t.equal((await complete(upload.object_id)).status, 200)
  const { download_url: address } =
    await (await client.request('GET', `/storage/objects/${upload.object_id}/download-url`)).json() as {
      download_url: string
    }
  const raw = await openRaw(service.baseUrl)
  // As a reader who takes what the socket has, once, and then nothing more.
  raw.socket.on('data', () => raw.socket.pause())
  const { pathname, search } = new URL(address)
  raw.send(requestHead('GET', pathname + search, {}))
  await until('the first bytes', () => raw.socket.bytesRead > 0)
  t.equal((await client.request('DELETE', `/storage/objects/${upload.object_id}`)).status, 204)
  await until('the file to be closed', () => deletedButOpen(service).length === 0)
  raw.socket.removeAllListeners('data').on('data', () => undefined).resume()
  await raw.ended()
  t.ok(raw.socket.bytesRead < bytes, 'it was cut off')
  await expectError(t, await fetch(address), 404, 'not_found')
  await expectHealthy(t, service)
})
