import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { csv, series } from '../support/csv.ts'
import { expectError, suggestionOf } from '../support/expect-error.ts'
import { dataBytes, expectHealthy, expectNothingLeft, spooled } from '../support/leftovers.ts'
import { boundary, multipartAround, openRaw, requestHead, uploadHead } from '../support/raw-http.ts'
import { Client, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/*
 * Uploads that lie about their length, dawdle, stop in the middle or are too large: items 21 to 24 of the bad
 * inputs.
 */
const maxUpload = 1024 * 1024
const service = await startService({ TABCAST_RATE_LIMITS: 'false', TABCAST_MAX_UPLOAD_BYTES: String(maxUpload) })
t.teardown(service.cleanup)
const key = await service.createKey('hostile')
const client = new Client(service.baseUrl, key)

/** A dataset of exactly so many bytes. */
function dataset (bytes: number): string {
  const rows = csv(series({ length: 3000, stepMs: 3_600_000, stamp: (time) => time.toISOString() }))
  const line = 'padding,2024-01-01,1\n'
  const text = rows + line.repeat(Math.max(0, Math.floor((bytes - rows.length) / line.length)))
  return text + ' '.repeat(bytes - text.length)
}

async function expectUntouched (t: Test): Promise<void> {
  await expectNothingLeft(t, service, 'hostile')
  await expectHealthy(t, service)
}

t.test('21: a file one byte over the limit is a 413 file_too_large, and the connection ends cleanly', async (t) => {
  const file = dataset(maxUpload + 1)
  const { head, tail } = multipartAround('data.csv')
  const announced = { 'content-length': String(head.length + file.length + tail.length) }
  for (const headers of [announced, { 'transfer-encoding': 'chunked' }]) {
    const isChunked = 'transfer-encoding' in headers
    const raw = await openRaw(service.baseUrl)
    raw.send(uploadHead(key, { ...headers, connection: 'close' }))
    for (const part of [head, file, tail]) raw.send(isChunked ? `${part.length.toString(16)}\r\n${part}\r\n` : part)
    if (isChunked) raw.send('0\r\n\r\n')
    const envelope = await expectError(t, await raw.answer(), 413, 'file_too_large')
    t.ok(suggestionOf(envelope))
    t.equal(await raw.ended(), 'end', 'a FIN and no reset, so that the answer is never lost')
    await expectUntouched(t)
  }
  const exact = await client.submit(dataset(maxUpload))
  t.not(exact.status, 413, 'a file of exactly the limit is read')
  await exact.arrayBuffer()
})

t.test('21: a much larger upload is refused while it is still being sent', async (t) => {
  const before = await dataBytes(service)
  const raw = await openRaw(service.baseUrl)
  raw.send(uploadHead(key, { 'content-length': String(2 ** 34) }) + multipartAround('data.csv').head)
  const block = Buffer.alloc(64 * 1024, 'a')
  const sender = setInterval(() => {
    if (raw.socket.writable && raw.socket.writableLength < 2 ** 20) raw.send(block)
  }, 1)
  t.teardown(() => clearInterval(sender))
  await expectError(t, await raw.answer(), 413, 'file_too_large')
  await raw.ended(30_000)
  clearInterval(sender)
  await expectUntouched(t)
  t.ok(await dataBytes(service) - before < 2 * maxUpload, 'the disk did not take it')
})

t.test('22: a Content-Length that lies is refused and never hangs', async (t) => {
  const { head, tail } = multipartAround('data.csv')
  const body = head + csv(series()) + tail

  const short = await openRaw(service.baseUrl)
  short.send(uploadHead(key, { 'content-length': String(body.length - 200), connection: 'close' }) + body)
  await expectError(t, await short.answer(), 400, 'validation_error')

  const long = await openRaw(service.baseUrl)
  long.send(uploadHead(key, { 'content-length': String(body.length + 500) }) + body)
  long.socket.end()
  const end = await Promise.race([long.ended(), long.answer().then(({ status }) => status)])
  t.ok(end === 400 || end === 'end' || end === 'reset', `half-closed before the announced length: ${end}`)

  const huge = await openRaw(service.baseUrl)
  huge.send(uploadHead(key, { 'content-length': String(2 ** 50) }) + head)
  huge.send('item_id,timestamp,target\n')
  const refused = await huge.answer(35_000)
  t.ok([400, 408, 413].includes(refused.status), `an announced petabyte: ${refused.status}`)
  await expectUntouched(t)
})

t.test('22: a request that cannot be framed is a 400 with the envelope', async (t) => {
  const body = 'x'
  const heads = {
    'two lengths': { 'content-length': '1\r\ncontent-length: 2' },
    'a negative length': { 'content-length': '-1' },
    'a length that is no number': { 'content-length': '1e3' },
    'a length and chunks': { 'content-length': '1', 'transfer-encoding': 'chunked' }
  }
  for (const [what, headers] of Object.entries(heads)) {
    const raw = await openRaw(service.baseUrl)
    raw.send(uploadHead(key, headers) + body)
    t.comment(what)
    await expectError(t, await raw.answer(), 400, 'validation_error')
    await raw.ended()
  }
  const garbage = await openRaw(service.baseUrl)
  garbage.send('\x16\x03\x01\x02\x00 not HTTP\r\n\r\n')
  await expectError(t, await garbage.answer(), 400, 'validation_error')
  await expectUntouched(t)
})

t.test('22: a form that is cut off or is none is refused', async (t) => {
  const { head, tail } = multipartAround('data.csv')
  const data = csv(series())
  const bodies = {
    'no closing boundary': head + data,
    'no file part':
      `--${boundary}\r\ncontent-disposition: form-data; name="prediction_length"\r\n\r\n3\r\n--${boundary}--\r\n`,
    'nothing at all': '',
    'only the closing boundary': `--${boundary}--\r\n`,
    'two files': head + data + `\r\n${head}` + data + tail,
    'a file under another name': (head + data + tail).replace('name="file"', 'name="upload"'),
    'a text field named file':
      `--${boundary}\r\ncontent-disposition: form-data; name="file"\r\n\r\n${data}\r\n--${boundary}--\r\n`,
    'forty-one fields':
      Array.from({ length: 41 },
        (_, at) => `--${boundary}\r\ncontent-disposition: form-data; name="f${at}"\r\n\r\n1\r\n`).join('') +
      head + data + tail,
    'a field beyond its limit': multipartAround('data.csv', { freq: 'D'.repeat(70_000) }).head + data + tail
  }
  for (const [what, body] of Object.entries(bodies)) {
    const raw = await openRaw(service.baseUrl)
    raw.send(uploadHead(key, { 'content-length': String(body.length), connection: 'close' }) + body)
    const answer = await raw.answer()
    t.ok([400, 413, 422].includes(answer.status), `${what}: ${answer.status}`)
    await expectError(t, answer, answer.status, 'validation_error')
    await expectUntouched(t)
  }
  for (const type of ['multipart/form-data', 'text/csv', 'application/octet-stream',
    'application/x-www-form-urlencoded', undefined]) {
    const raw = await openRaw(service.baseUrl)
    const headers: Record<string, string> = {
      authorization: `Bearer ${key}`,
      'content-length': String(data.length),
      connection: 'close'
    }
    raw.send(
      requestHead('POST', '/forecast', type === undefined ? headers : { ...headers, 'content-type': type }) + data
    )
    const answer = await raw.answer()
    t.ok([400, 415].includes(answer.status), `${type}: ${answer.status}`)
    await expectError(t, answer, answer.status, 'validation_error')
  }
  await expectUntouched(t)
})

t.test('23: an upload of one byte a second is cut off within 30 seconds', async (t) => {
  const { head } = multipartAround('data.csv')
  const slow = await Promise.all(Array.from({ length: 4 }, async (_, at) => {
    const raw = await openRaw(service.baseUrl)
    const isChunked = at % 2 === 1
    raw.send(
      isChunked
        ? `${uploadHead(key, { 'transfer-encoding': 'chunked' })}${head.length.toString(16)}\r\n${head}\r\n`
        : uploadHead(key, { 'content-length': '100000' }) + head
    )
    const dripping = setInterval(() => {
      if (raw.socket.writable) raw.send(isChunked ? '1\r\na\r\n' : 'a')
    }, 1000)
    t.teardown(() => clearInterval(dripping))
    return raw
  }))
  const silent = await openRaw(service.baseUrl)
  silent.send(uploadHead(key, { 'content-length': '100000' }))
  const started = performance.now()
  const waiting = Promise.all([...slow, silent].map(async (raw) => {
    const answer = await raw.answer(40_000)
    await expectError(t, answer, 408, 'request_timeout')
    await raw.ended(10_000)
  }))
  await sleep(1000)
  const job = await client.submitted(csv(series()), { prediction_length: '3', presets: 'fast' })
  t.equal((await client.ended(job.job_id)).status, 'completed', 'others are served meanwhile')
  await client.request('DELETE', `/jobs/${job.job_id}`)
  await waiting
  t.ok(performance.now() - started <= 30_000, 'within 30 seconds')
  await expectUntouched(t)
})

t.test('24: an upload that is aborted in the middle leaves no file', async (t) => {
  const { head } = multipartAround('data.csv')
  const block = dataset(200_000)
  for (const how of ['destroy', 'resetAndDestroy'] as const) {
    const raw = await openRaw(service.baseUrl)
    raw.send(uploadHead(key, { 'content-length': '900000' }) + head + block)
    await until('the upload to be spooled', async () => (await spooled(service)).length > 0)
    raw.socket[how]()
    await until('an empty spool', async () => (await spooled(service)).length === 0)
  }
  await expectUntouched(t)
  t.equal(service.pids('api').length, 1)
})
