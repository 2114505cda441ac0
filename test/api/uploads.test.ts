import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { watchUploadRate } from '../../src/api/upload-rate.ts'
import { dataPaths } from '../../src/platform/config.ts'
import type { TabcastError } from '../../src/platform/errors.ts'
import { storedInput } from '../../src/services/jobs/job-record.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, fieldsOf, suggestionOf, type Answer } from '../support/expect-error.ts'
import { form } from '../support/form.ts'
import { multipartAround, openRaw, uploadHead } from '../support/raw-http.ts'
import { until } from '../support/until.ts'

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'

async function submit (stage: ApiStage, ...parts: Parameters<typeof form>): Promise<Answer> {
  const { headers, payload } = form(...parts)
  const { statusCode, headers: given, payload: text } = await stage.app.inject({
    method: 'POST',
    url: '/forecast',
    headers: { ...headers, authorization: `Bearer ${stage.key}` },
    payload
  })
  return {
    status: statusCode,
    headers: new Headers(Object.entries(given).map(([name, value]) => [name, String(value)])),
    text
  }
}

async function expectNothingLeft (t: Test, { config, store }: ApiStage): Promise<void> {
  await until('an empty spool', async () => (await readdir(dataPaths(config).spool)).length === 0)
  for await (const { key } of store.list('')) t.fail(`left behind: ${key}`)
}

t.test('fields count wherever they stand, and empty ones are not given', async (t) => {
  const stage = await openApi(t)
  const answer = await submit(stage, [
    ['presets', ''],
    ['prediction_length', '3'],
    ['file', csv, 'Sales 2024.CSV'],
    ['quantile_levels', '[0.9, 0.1]'],
    ['covariates', 'price, promo'],
    ['freq', 'M'],
    ['timestamp_format', 'iso8601'],
    ['metadata', '{"a": {"b": [1]}}'],
    ['name', 'spring'],
    ['feature_engineering', '{"enabled": false}'],
    ['explainability', 'null']
  ])
  t.equal(answer.status, 202, answer.text)
  const job = JSON.parse(answer.text)
  t.equal(answer.headers.get('location'), `/jobs/${job.job_id}`)
  t.equal(answer.headers.get('retry-after'), '1')
  t.match(job, {
    name: 'spring',
    metadata: { a: { b: [1] } },
    prediction_length: 3,
    effective_config: {
      presets: 'balanced',
      covariates: ['price', 'promo'],
      freq: 'ME',
      quantile_levels: [0.1, 0.9],
      timestamp_format: 'iso8601',
      quantile_column_style: 'raw'
    }
  })
  const record = stage.jobs.get('acme', job.job_id)
  t.match(record?.input, { bytes: csv.length, sha256: createHash('sha256').update(csv).digest('hex'), format: 'csv' })
  t.equal(
    Buffer.from(await stage.store.getBytes(record === undefined ? '' : storedInput(record)?.key ?? '', 1000))
      .toString(),
    csv
  )
  t.strictSame(await readdir(dataPaths(stage.config).spool), [], 'the spool is empty again')
})

t.test('what is wrong with a form is said, and nothing of it stays', async (t) => {
  const stage = await openApi(t, { TABCAST_MAX_UPLOAD_BYTES: '1000', TABCAST_MAX_FORM_FIELD_BYTES: '300' })
  const file: [string, string, string] = ['file', csv, 'a.csv']
  const fields: Array<[string, Parameters<typeof form>[0], Array<[loc: string, type: string]>]> = [
    ['no file', [['presets', 'fast']], [['file', 'missing']]],
    ['a file as text', [['file', csv]], [['file', 'value_error']]],
    ['a file in another field', [['data', csv, 'a.csv']], [['data', 'extra_forbidden']]],
    ['a field twice', [file, ['freq', 'D'], ['freq', 'h']], [['freq', 'duplicate_field']]],
    ['an unknown field', [file, ['horizon', '3']], [['horizon', 'extra_forbidden']]],
    ['prediction_length 0', [['prediction_length', '0'], file], [['prediction_length', 'greater_than_equal']]],
    ['prediction_length -1', [['prediction_length', '-1'], file], [['prediction_length', 'greater_than_equal']]],
    ['prediction_length 1.5', [['prediction_length', '1.5'], file], [['prediction_length', 'int_parsing']]],
    ['prediction_length 1e9', [['prediction_length', '1e9'], file], [['prediction_length', 'int_parsing']]],
    ['prediction_length 1000000000', [['prediction_length', '1000000000'], file], [['prediction_length',
      'less_than_equal']]],
    ['latitude 91', [['latitude', '91'], file], [['latitude', 'less_than_equal']]],
    ['longitude north', [['longitude', 'north'], file], [['longitude', 'float_parsing']]],
    ['quantile 0', [['quantile_levels', '0,0.5'], file], [['quantile_levels', 'value_error']]],
    ['JSON that is none', [['metadata', '{'], ['reconciliation', 'yes'], file], [['metadata', 'json_invalid'], [
      'reconciliation',
      'json_invalid'
    ]]],
    ['__proto__ in JSON', [['metadata', '{"__proto__": {}}'], file], [['metadata', 'json_invalid']]],
    ['a block with an unknown field', [['reconciliation', '{"weigths": "ols"}'], file], [['reconciliation.weigths',
      'extra_forbidden']]],
    ['a block with an unknown variable', [['external_covariates',
      '{"rates": {"enabled": true, "variables": ["libor"]}}'], file], [['external_covariates.rates.variables',
      'value_error']]],
    ['a long file name', [['file', csv, `${'a'.repeat(252)}.csv`]], [['file', 'value_error']]]
  ]
  for (const [title, parts, faults] of fields) {
    await t.test(title, async (t) => {
      const envelope = await expectError(t, await submit(stage, parts), 422, 'validation_error')
      t.strictSame(fieldsOf(envelope).map(({ loc, type }) => [loc.slice(1).join('.'), type]), faults)
      t.ok(fieldsOf(envelope).every(({ loc }) => loc[0] === 'body'))
    })
  }
  const others: Array<
    [string, Parameters<typeof form>[0], number, 'validation_error' | 'file_too_large' | 'invalid_preset']
  > = [
    ['an unknown preset', [['presets', 'huge'], file], 400, 'invalid_preset'],
    ['an empty file', [['file', '', 'a.csv']], 400, 'validation_error'],
    ['CSV named .xlsx', [['file', csv, 'a.xlsx']], 415, 'validation_error'],
    ['another type', [['file', csv, 'a.json']], 415, 'validation_error'],
    ['Parquet named .csv', [['file', 'PAR1....PAR1', 'a.csv']], 415, 'validation_error'],
    ['CSV named .xls', [['file', csv, 'a.xls']], 415, 'validation_error'],
    ['a workbook named .csv', [['file', 'PK\x03\x04....', 'a.csv']], 415, 'validation_error'],
    ['CSV named .parquet', [['file', csv, 'a.parquet']], 415, 'validation_error'],
    ['one byte too many', [['file', 'x'.repeat(1001), 'a.csv']], 413, 'file_too_large'],
    ['a field too long', [['name', 'x'.repeat(301)], file], 413, 'validation_error'],
    ['JSON of 10,000 levels', [['metadata', '['.repeat(100) + ']'.repeat(100)], file], 400, 'validation_error']
  ]
  for (const [title, parts, status, code] of others) {
    await t.test(title, async (t) => {
      t.ok(suggestionOf(await expectError(t, await submit(stage, parts), status, code)) ?? [400].includes(status))
    })
  }
  t.equal((await submit(stage, [['file', csv.padEnd(1000, '\n'), 'a.csv']])).status, 202,
    'as many bytes as are allowed')
  const [job] =
    stage.jobs.list('acme', { statuses: [], jobType: null, createdAfterMs: null, limit: 10, before: null }).jobs
  await stage.jobs.delete('acme', job?.jobId ?? '')
  await expectNothingLeft(t, stage)
})

t.test('a part that is declared as JSON is held to the same bounds', async (t) => {
  const stage = await openApi(t)
  const send = async (value: string) => {
    const { headers, payload } = form([['metadata', value], ['file', csv, 'a.csv']])
    const declared = Buffer.from(
      payload.toString('latin1').replace('name="metadata"\r\n',
        'name="metadata"\r\ncontent-type: application/json\r\n'),
      'latin1'
    )
    const { statusCode, headers: given, payload: text } = await stage.app.inject({
      method: 'POST',
      url: '/forecast',
      headers: { ...headers, authorization: `Bearer ${stage.key}` },
      payload: declared
    })
    return {
      status: statusCode,
      headers: new Headers(Object.entries(given).map(([name, item]) => [name, String(item)])),
      text
    }
  }
  const answer = await send('{"a": 1}')
  t.equal(answer.status, 202)
  t.strictSame(JSON.parse(answer.text).metadata, { a: 1 })
  await expectError(t, await send('['.repeat(10_000) + ']'.repeat(10_000)), 400, 'validation_error')
  await expectError(t, await send('{"__proto__": 1}'), 400, 'validation_error')
  await expectError(t, await send('{'), 400, 'validation_error')
})

t.test('without a worker an upload is refused before it is read', async (t) => {
  const stage = await openApi(t, { TABCAST_HEARTBEAT_MS: '500' })
  await stage.silenceWorker()
  await expectError(t, await submit(stage, [['file', csv, 'a.csv']]), 503, 'compute_unavailable')
  await expectNothingLeft(t, stage)
})

t.test('a full queue refuses before the upload is read', async (t) => {
  const stage = await openApi(t, { TABCAST_MAX_QUEUED_PER_TENANT: '1' })
  t.equal((await submit(stage, [['file', csv, 'a.csv']])).status, 202)
  await expectError(t, await submit(stage, [['file', csv, 'a.csv']]), 503, 'server_overloaded')
})

t.test('what clients do to connections', async (t) => {
  const stage = await openApi(t, { TABCAST_MAX_UPLOAD_BYTES: '100000' })
  await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const base = `http://127.0.0.1:${(stage.app.server.address() as AddressInfo).port}`
  const { head, tail } = multipartAround('a.csv')
  const length = (bytes: number) => String(head.length + bytes + tail.length)

  await t.test('one byte over the limit: 413, and the connection is usable', async (t) => {
    const connection = await openRaw(base)
    connection.send(uploadHead(stage.key, { 'content-length': length(100_001) }) + head + 'x'.repeat(100_001) + tail)
    await expectError(t, await connection.answer(), 413, 'file_too_large')
    connection.socket.destroy()
    await expectNothingLeft(t, stage)
  })
  await t.test('far over the limit: 413 from the announced length alone, and the client gets to read it', async (t) => {
    const connection = await openRaw(base)
    connection.send(uploadHead(stage.key, { 'content-length': '100000000000' }) + head)
    await expectError(t, await connection.answer(), 413, 'file_too_large')
    connection.socket.destroy()
  })
  await t.test('chunked without an end: 413', async (t) => {
    const connection = await openRaw(base)
    connection.send(uploadHead(stage.key, { 'transfer-encoding': 'chunked' }))
    const chunk = (text: string) => connection.send(`${text.length.toString(16)}\r\n${text}\r\n`)
    chunk(head)
    for (let i = 0; i < 30; i++) chunk('x'.repeat(4096))
    await expectError(t, await connection.answer(), 413, 'file_too_large')
    connection.socket.destroy()
    await expectNothingLeft(t, stage)
  })
  await t.test('an announced length that is too short: 400', async (t) => {
    const connection = await openRaw(base)
    connection.send(uploadHead(stage.key, { 'content-length': length(10) }) + head + 'x'.repeat(1000) + tail)
    await expectError(t, await connection.answer(), 400, 'validation_error')
    connection.socket.destroy()
    await expectNothingLeft(t, stage)
  })
  await t.test('an announced length that is too long, and then the end: no hang, nothing left', async (t) => {
    const connection = await openRaw(base)
    connection.send(uploadHead(stage.key, { 'content-length': length(5000) }) + head + 'x'.repeat(1000))
    await until('the spool has the file', async () => (await readdir(dataPaths(stage.config).spool)).length === 1)
    connection.socket.end()
    await connection.ended()
    await expectNothingLeft(t, stage)
  })
  await t.test('a client that goes away within the file', async (t) => {
    const connection = await openRaw(base)
    connection.send(uploadHead(stage.key, { 'content-length': length(5000) }) + head + 'x'.repeat(1000))
    await until('the spool has the file', async () => (await readdir(dataPaths(stage.config).spool)).length === 1)
    connection.socket.resetAndDestroy()
    await expectNothingLeft(t, stage)
  })
  await t.test('a client that goes away while its file is checked: the job is there, as after any lost answer', async (t) => {
    const connection = await openRaw(base)
    stage.beforeCheck = () => {
      connection.socket.resetAndDestroy()
    }
    connection.send(uploadHead(stage.key, { 'content-length': length(csv.length) }) + head + csv + tail)
    const [job] = await until('the job', () => {
      const { jobs } = stage.jobs.list('acme', {
        statuses: [],
        jobType: null,
        createdAfterMs: null,
        limit: 10,
        before: null
      })
      return jobs.length > 0 ? jobs : undefined
    })
    t.equal(await stage.jobs.delete('acme', job?.jobId ?? ''), true)
    await expectNothingLeft(t, stage)
  })
})

/** A server that only watches the rate, and what it says within three windows of one second. */
async function watched (t: Test, serve: (request: IncomingMessage) => void,
  send: (client: ClientRequest) => void): Promise<TabcastError | undefined> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const client = httpRequest({ port: (server.address() as AddressInfo).port, method: 'POST' })
  client.on('error', (error) => t.comment(error.message))
  send(client)
  const [request] = await once(server, 'request') as [IncomingMessage]
  serve(request)
  const rate = watchUploadRate(request, { minBytesPerSecond: 1024, maxBytes: 4 * 1024 * 1024, windowSeconds: 1 })
  const failure = await Promise.race([rate.failed.catch((error: TabcastError) => error), sleep(3500, undefined)])
  rate.stop()
  client.destroy()
  return failure
}

t.test('the rate of an upload', async (t) => {
  const drip = (client: ClientRequest, bytes: number) => {
    client.write(Buffer.alloc(bytes))
    const timer = setInterval(() => client.write(Buffer.alloc(bytes)), 100)
    t.teardown(() => clearInterval(timer))
  }
  t.match(await watched(t, (request) => request.resume(), (client) => drip(client, 10)), {
    code: 'request_timeout',
    status: 408
  }, 'too slow')
  t.equal(await watched(t, (request) => request.resume(), (client) => drip(client, 1024)), undefined, 'fast enough')
  t.match(await watched(t, (request) => request.resume(), (client) => drip(client, 1024 * 1024)), {
    code: 'file_too_large',
    status: 413
  }, 'too much in all')
  const unread = await watched(t, (request) => request.once('readable', () => undefined),
    (client) => client.write(Buffer.alloc(2 * 1024 * 1024)))
  t.equal(unread, undefined, 'the client is not blamed for what we have not read')
})

t.test('a key that is revoked while a body arrives makes nothing of it', async (t) => {
  const stage = await openApi(t)
  const base = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const { head, tail } = multipartAround('a.csv')
  const { key, summary: { id } } = await stage.keys.create({ tenant: 'acme' })
  const connection = await openRaw(base)
  const length = String(head.length + csv.length + tail.length)
  connection.send(uploadHead(key, { 'content-length': length }) + head + csv.slice(0, 30))
  await until('the upload has begun', async () => (await readdir(dataPaths(stage.config).spool)).length > 0)
  t.equal(await stage.keys.revoke(id), true)
  connection.send(csv.slice(30) + tail)
  const answer = await connection.answer()
  await expectError(t, answer, 401, 'auth_failed')
  await expectNothingLeft(t, stage)
  t.equal(stage.metadata.table('jobs').count(), 0)
})
