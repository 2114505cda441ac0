import t from 'tap'
import { runKeys } from '../support/command.ts'
import { expectError, type Answer } from '../support/expect-error.ts'
import { expectHealthy, openObjects, spooled } from '../support/leftovers.ts'
import { multipartAround, openRaw, requestHead, uploadHead } from '../support/raw-http.ts'
import { Client, panelCsv, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/*
 * Bodies in tiny chunks: one read of the network holds ten thousand of one byte. `cleanup` fails on a pause of the
 * event loop.
 */
const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const { last: key } = await runKeys(service, 'create', '--tenant', 'hostile', '--scopes', 'forecast,jobs:read,storage')
const client = new Client(service.baseUrl, key)
const chunked = { 'transfer-encoding': 'chunked' }

function chunks (body: string, size: number): string {
  const pieces = body.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
  return pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')
}

async function sent (head: string, body: string): Promise<Answer> {
  const raw = await openRaw(service.baseUrl)
  raw.send(head + body)
  const answer = await raw.answer(60_000)
  raw.socket.destroy()
  return answer
}

const { head, tail } = multipartAround('data.csv', { prediction_length: '2', presets: 'fast' })

t.test('a form in chunks of a byte is refused, and nothing of it stays', async (t) => {
  const form = `${head}${panelCsv(200, 200)}`
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => sent(uploadHead(client.key, chunked), chunks(form, 1)))
  )
  for (const answer of answers) {
    const { detail } = await expectError(t, answer, 400, 'validation_error')
    t.match(detail, { suggestion: /Content-Length/ })
  }
  await until('the spool is empty', async () => (await spooled(service)).length === 0)
  t.strictSame(openObjects(service), [])
  await expectHealthy(t, service)
})

t.test('a form that turns into chunks of a byte in the midst of its file leaves no file', async (t) => {
  const raw = await openRaw(service.baseUrl)
  raw.send(uploadHead(client.key, chunked) + chunks(`${head}${panelCsv(200, 200)}`, 10_000))
  await until('the file is being written', async () => (await spooled(service)).length > 0)
  raw.send(chunks('1,2024-01-01,1\n'.repeat(200_000), 1))
  await expectError(t, await raw.answer(60_000), 400, 'validation_error')
  await until('the spool is empty', async () => (await spooled(service)).length === 0)
  t.strictSame(openObjects(service), [])
  raw.socket.destroy()
})

t.test('a body of JSON in chunks of a byte is refused', async (t) => {
  const request = requestHead('POST', '/forecast/batch', {
    authorization: `Bearer ${client.key}`,
    'content-type': 'application/json',
    ...chunked
  })
  await expectError(t, await sent(request, chunks(`{"requests": [${' '.repeat(20_000)}]}`, 1)), 400, 'validation_error')
})

t.test('small bodies in chunks of a byte, and a form whose rows are chunks, are taken', async (t) => {
  const request = requestHead('POST', '/estimate/runtime', {
    authorization: `Bearer ${client.key}`,
    'content-type': 'application/json',
    ...chunked
  })
  t.equal(
    (await sent(request, `${chunks('{"num_items": 3, "total_rows": 300, "prediction_length": 2}', 1)}0\r\n\r\n`))
      .status,
    200
  )
  const rows = `${head}${panelCsv(40, 100)}${tail}`.split(/(?<=\n)/).map((row) => chunks(row, 1_000)).join('')
  t.equal((await sent(uploadHead(client.key, chunked), `${rows}0\r\n\r\n`)).status, 202)
})

t.test('what follows a refusal, or a request that takes no body, is not looked at, and the answer is read', async (t) => {
  const crumb = chunks('x'.repeat(100_000), 1)
  const unknown = requestHead('POST', '/forecast', { 'content-type': 'application/json', ...chunked })
  await expectError(t, await sent(unknown, crumb), 401, 'auth_failed')
  for (const path of ['/livez', '/limits']) {
    const raw = await openRaw(service.baseUrl)
    raw.send(requestHead('GET', path, { authorization: `Bearer ${client.key}`, ...chunked }) + crumb)
    const answer = await raw.answer()
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('connection'), 'close')
    raw.send(crumb)
    t.equal(await raw.ended(), 'end', 'the connection ends, whatever else comes, and is not torn down')
    t.equal(raw.received().split('HTTP/1.1 ').length, 2, 'one answer, and nothing behind it')
    t.ok(raw.received().endsWith(answer.text))
    raw.socket.destroy()
  }
  await expectHealthy(t, service)
})

t.test('a client that leaves within its body is no failure of the service', async (t) => {
  const request = requestHead('POST', '/estimate/runtime', {
    authorization: `Bearer ${client.key}`,
    'content-type': 'application/json',
    'content-length': '5000'
  })
  for (let at = 0; at < 5; at++) {
    const raw = await openRaw(service.baseUrl)
    raw.send(`${request}{"num_items"`)
    await client.request('GET', '/limits')
    raw.socket.resetAndDestroy()
  }
  await expectHealthy(t, service)
  t.notMatch(service.log(), /request failed/)
})
