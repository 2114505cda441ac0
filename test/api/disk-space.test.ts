import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { request, type ClientRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { pino } from 'pino'
import t from 'tap'
import { messageVersion } from '../../src/domain/message-version.ts'
import { dataPaths } from '../../src/platform/config.ts'
import { DiskSpace } from '../../src/platform/disk/disk-space.ts'
import { ScratchSpace } from '../../src/platform/disk/scratch-space.ts'
import type { QuickCheckReply, QuickConvertRequest } from '../../src/platform/queue/quick-messages.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, type Answer } from '../support/expect-error.ts'
import { form } from '../support/form.ts'
import { filesIn } from '../support/leftovers.ts'
import { send, StorageCaller } from '../support/storage.ts'
import { until } from '../support/until.ts'
import { watchFolders } from '../support/watched-folders.ts'

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const MiB = 2 ** 20
const bytesIn = async (folder: string): Promise<number> =>
  (await Promise.all((await filesIn(folder)).map(async (path) => (await stat(join(folder, path))).blocks * 512)))
    .reduce((sum, bytes) => sum + bytes, 0)

async function upload (stage: ApiStage, content = csv, url = '/forecast'): Promise<Answer> {
  const { headers, payload } = form([['file', content, 'a.csv']])
  const answer = await stage.app.inject({
    method: 'POST',
    url,
    headers: { ...headers, authorization: `Bearer ${stage.key}` },
    payload
  })
  return {
    status: answer.statusCode,
    headers: new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
    text: answer.payload
  }
}

t.test('a data folder over its quota refuses uploads and jobs before they are read, goes on with the rest, and ' +
  'recovers', async (t) => {
  const stage = await openApi(t, { TABCAST_DATA_DIR_MAX_BYTES: String(8 * MiB), TABCAST_SWEEP_MS: '100' })
  const caller = new StorageCaller(stage)
  const { job_id: jobId } = JSON.parse((await upload(stage)).text) as { job_id: string }
  const kept = await caller.store(csv)
  const waiting = await caller.presign({ file_size: csv.length })
  const large = await caller.store('x'.repeat(4 * MiB))
  writeFileSync(join(stage.folder, 'other'), Buffer.alloc(5 * MiB))
  await stage.room.measure()
  const before = await filesIn(stage.folder)

  for (const url of ['/forecast', '/v2/classify', '/fine-tune', '/agent/analyze']) {
    const refused = await upload(stage, csv, url)
    const { detail } = await expectError(t, refused, 503, 'storage_error')
    t.match(detail, { reason: 'data_dir_full', suggestion: /Delete/ }, url)
    t.equal(refused.headers.get('retry-after'), '30')
  }
  await expectError(t, await caller.ask('POST', '/forecast/storage-object', { object_id: kept }), 503, 'storage_error')
  await expectError(t, await caller.ask('POST', '/forecast/batch', { requests: [{ object_id: kept }] }), 503,
    'storage_error')
  await expectError(t,
    await caller.ask('POST', '/storage/uploads/presign', { filename: 'a.csv', content_type: 'text/csv' }), 503,
    'storage_error')
  await expectError(t, await send(stage, waiting, csv), 503, 'storage_error')
  const records = stage.metadata.table('audit').count() + stage.metadata.table('idempotency').count()
  const connection = '/data-connections/conn_01JCZXW8000000000000000000'
  for (const [method, path] of [['POST', `${connection}/test`], ['GET', `${connection}/objects`], ['POST',
    `${connection}/validate`]] as const) {
    const refused = await stage.app.inject({
      method,
      url: path,
      ...(path.endsWith('validate') ? { payload: {} } : {}),
      headers: { authorization: `Bearer ${stage.key}`, ...(method === 'POST' ? { 'idempotency-key': path } : {}) }
    })
    t.match([refused.statusCode, refused.json()], [503, {
      error_code: 'storage_error',
      detail: { reason: 'data_dir_full' }
    }], path)
  }
  t.equal(stage.metadata.table('audit').count() + stage.metadata.table('idempotency').count(), records,
    'nor of records that each request would leave')
  t.strictSame(await readdir(dataPaths(stage.config).spool), [], 'nothing is left in the spool')
  t.strictSame((await filesIn(stage.folder)).sort(), before.sort(), 'nor anywhere else')

  const health = await stage.app.inject('/health')
  t.equal(health.statusCode, 200, 'reads go on')
  t.match(health.json(), {
    status: 'degraded',
    checks: { disk: 'error: no room for uploads and jobs', upload_dir: 'ok' }
  })
  t.equal((await caller.ask('GET', `/jobs/${jobId}`)).status, 200)
  t.equal((await caller.ask('POST', `/storage/uploads/${kept}/complete`, {})).status, 200,
    'what was sent before can be finished')
  const owner = new StorageCaller(stage, (await stage.keys.create({ tenant: 'acme', scopes: ['keys:write'] })).key)
  const issued = JSON.parse((await owner.ask('POST', '/keys', { scopes: ['keys:write'] })).text) as { id: string }
  t.equal((await owner.ask('POST', `/keys/${issued.id}/rotate`, {})).status, 200, 'a stolen key can be replaced')
  t.equal((await caller.ask('DELETE', `/jobs/${jobId}`)).status, 204)
  t.equal((await caller.ask('DELETE', `/storage/objects/${large}`)).status, 204)
  await until('there is room again', async () => {
    await stage.room.measure()
    return stage.room.shortage() === undefined
  })
  t.equal((await upload(stage)).status, 202)
  t.equal((await send(stage, waiting, csv)).status, 200)
})

t.test('the log says once that uploads are refused because there is no room, and once that they are not any more', async (t) => {
  const clock = mock.timers
  clock.enable({ apis: ['setTimeout'] })
  t.teardown(() => clock.reset())
  const folder = t.testdir({ small: 'x' })
  const lines: Array<{ msg: string, level: number, reason?: string }> = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as typeof lines[number]) })
  const room = new DiskSpace({ folder, maxBytes: MiB, minFreeBytes: 0, log })
  t.teardown(() => room.stop())
  const look = async () => {
    await room.measure()
    const before = lines.length
    clock.tick(10_000)
    for (let turns = 0; turns < 200 && lines.length === before; turns++) await turn()
  }
  t.throws(() => room.check('acme', 2 * MiB), /may store/)
  t.strictSame(lines, [], 'a file that is too large says nothing of the others')
  writeFileSync(join(folder, 'large'), Buffer.alloc(2 * MiB))
  await room.measure()
  for (let request = 0; request < 3; request++) t.throws(() => room.check('acme'), /may store/)
  t.match(lines, [{
    level: 40,
    msg: 'uploads and jobs are refused: there is no room for them',
    reason: /may store 1048576/
  }])
  rmSync(join(folder, 'large'))
  await look()
  t.match(lines[1], { level: 40, msg: 'there is room for uploads and jobs again' })
  t.equal(lines.length, 2)
})

t.test('the thread that answers requests reads no folder to measure them all', async (t) => {
  const folder = t.testdir({
    a: 'x'.repeat(100_000),
    objects: { b: 'x'.repeat(100_000) },
    scratch: { c: 'x'.repeat(MiB) }
  })
  const seen = watchFolders(t)
  const room = new DiskSpace({
    folder,
    scratch: join(folder, 'scratch'),
    maxBytes: MiB,
    minFreeBytes: 0,
    log: pino({ level: 'silent' })
  })
  await room.measure()
  t.strictSame(seen, { readWhole: [], opened: [] })
  t.match(room.shortage(MiB - 200_000), /The service stores 2\d{5} bytes/)
  t.equal(room.shortage(MiB - 250_000), undefined)
  const measured = room.measure()
  await room.stop()
  await measured
})

t.test('what was let in since the last measurement counts, so that a burst does not overshoot', async (t) => {
  const folder = t.testdir({ a: 'x'.repeat(100_000) })
  const room = new DiskSpace({ folder, maxBytes: MiB, minFreeBytes: 0, log: pino({ level: 'silent' }) })
  t.teardown(() => room.stop())
  await room.measure()
  for (let call = 0; call < 9; call++) room.check('acme', 100_000)
  t.throws(() => room.check('acme', 100_000), { code: 'storage_error', status: 503 })
  await room.measure()
  t.equal(room.shortage(100_000), undefined, 'what never arrived is forgotten')
})

t.test('an upload that nobody announced ends when it has its share of the room', async (t) => {
  const stage = await openApi(t, { TABCAST_DATA_DIR_MAX_BYTES: String(24 * MiB) })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  await stage.room.measure()
  const left = 24 * MiB - (await bytesIn(stage.folder))
  // What the client has given away, or the socket has taken, says nothing: the rest of a refused upload is read and
  // dropped.
  const { spool } = dataPaths(stage.config)
  let stored = 0
  const answered = new AbortController()
  const look = (): void => {
    for (const name of readdirSync(spool)) {
      stored = Math.max(stored, statSync(join(spool, name), { throwIfNoEntry: false })?.size ?? 0)
    }
    if (!answered.signal.aborted) setImmediate(look)
  }
  look()
  // As much as the service takes: only its refusal ends it.
  const pieces = async function* () {
    yield '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nitem_id,timestamp,target\n'
    for (let sent = 0; !answered.signal.aborted && sent < 4096 * MiB; sent += MiB) {
      yield Buffer.alloc(MiB, 'a,2024-01-01,1\n')
    }
  }
  const response = await fetch(`${baseUrl}/forecast`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.key}`, 'content-type': 'multipart/form-data; boundary=b' },
    body: Readable.from(pieces()) as never,
    duplex: 'half'
  } as RequestInit).finally(() => answered.abort())
  t.equal(response.status, 429)
  t.equal(response.headers.get('retry-after'), '30')
  t.match(await response.json(), {
    error_code: 'rate_limited',
    detail: { reason: 'uploads_under_way', suggestion: /fewer at a time/ }
  })
  t.ok(stored > MiB && stored < 0.75 * left + 5 * MiB, `${stored} bytes were stored, and there was room for ${left}`)
  await until('nothing is left in the spool', async () => (await readdir(spool)).length === 0)
})

t.test('bytes that come end when the room does, whoever has taken it', async (t) => {
  const folder = t.testdir({})
  const room = new DiskSpace({ folder, maxBytes: 32 * MiB, minFreeBytes: 0, log: pino({ level: 'silent' }) })
  t.teardown(() => room.stop())
  await room.measure()
  const announced = room.arriving('acme', 16 * MiB)
  announced.come(4 * MiB)
  writeFileSync(join(folder, 'other'), Buffer.alloc(33 * MiB))
  await room.measure()
  t.throws(() => announced.come(4 * MiB), { code: 'storage_error', reason: 'data_dir_full' })
})

t.test('uploads of one tenant that come at once leave room for another, without a quota', async (t) => {
  const stage = await openApi(t, { TABCAST_DATA_DIR_MAX_BYTES: String(64 * MiB) })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  await stage.room.measure()
  const announce = async (key: string,
    announced: number): Promise<{ outgoing: ClientRequest, status: Promise<number | 'continue'> }> => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': announced,
      expect: '100-continue'
    }
    const outgoing = request(`${baseUrl}/forecast`, { method: 'POST', headers, agent: false })
    const status = new Promise<number | 'continue'>((resolve) => {
      outgoing.on('error', () => undefined).once('response', (answer) => resolve(answer.statusCode ?? 0))
        // The first bytes: the form is being read when they have been taken.
        .once('continue', () => {
          outgoing.write(
            '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nitem_id,timestamp,target\n'
          )
          setTimeout(() => resolve('continue'), 300)
        })
    })
    outgoing.flushHeaders()
    t.teardown(() => outgoing.destroy())
    return { outgoing, status }
  }
  const { key: other } = await stage.keys.create({ tenant: 'other' })
  const uploads = []
  for (let at = 0; at < 8; at++) uploads.push(await announce(stage.key, 10 * MiB))
  const statuses = await Promise.all(uploads.map(({ status }) => status))
  t.equal(statuses.filter((status) => status === 429).length, 4,
    `${statuses.join()}: four have the share of their tenant`)
  t.equal(await (await announce(other, 10 * MiB)).status, 'continue', 'another tenant may send')
  for (const { outgoing } of uploads) outgoing.destroy()
  await until('they are gone', async () => (await readdir(dataPaths(stage.config).spool)).length <= 1)
  await until('there is room for the tenant again',
    async () => await (await announce(stage.key, 10 * MiB)).status === 'continue')
})

t.test('uploads that are announced and never come take no room from others', async (t) => {
  const stage = await openApi(t, { TABCAST_DATA_DIR_MAX_BYTES: String(64 * MiB) })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  await stage.room.measure()
  for (let at = 0; at < 20; at++) {
    const outgoing = request(`${baseUrl}/forecast`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${stage.key}`,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': 40 * MiB,
        expect: '100-continue'
      },
      agent: false
    }).on('error', () => undefined)
    const isTaken = new Promise((resolve) => {
      outgoing.once('continue', () => resolve('continue')).once('response', (answer) => resolve(answer.statusCode))
    })
    outgoing.flushHeaders()
    t.equal(await isTaken, 'continue')
    await until('its room is held', () => stage.room.shortage(30 * MiB) !== undefined)
    outgoing.destroy()
    await until('it is given back', () => stage.room.shortage(50 * MiB) === undefined)
  }
  const { key } = await stage.keys.create({ tenant: 'other' })
  t.equal((await upload({ ...stage, key })).status, 202)
})

t.test('what did not come is taken back once, whatever is measured meanwhile', async (t) => {
  const folder = t.testdir({ a: 'x'.repeat(100_000) })
  const room = new DiskSpace({ folder, maxBytes: 64 * MiB, minFreeBytes: 0, log: pino({ level: 'silent' }) })
  t.teardown(() => room.stop())
  const stored = (): number => Number(/stores (\d+) bytes/.exec(room.shortage(64 * MiB) ?? '')?.[1])
  await room.measure()
  const used = stored()
  const [before, during, after] = [room.arriving('a', MiB), room.arriving('b', MiB), room.arriving('c', MiB)]
  before.come(1_000)
  before.release(true)
  t.equal(stored(), used + 2 * MiB + 1_000, 'without a walk')
  const walk = room.measure()
  await turn()
  during.release(true)
  const late = room.arriving('d', MiB)
  t.equal(stored(), used + 2 * MiB + 1_000, 'while one is under way')
  await walk
  t.equal(stored(), used + MiB, 'it forgets what was let in before')
  after.release(true)
  t.equal(stored(), used + MiB, 'which has been forgotten')
  late.release(true)
  t.equal(stored(), used)
})

t.test('what came and was thrown away takes no room from others', async (t) => {
  const stage = await openApi(t, { TABCAST_DATA_DIR_MAX_BYTES: String(64 * MiB) })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const caller = new StorageCaller(stage)
  await stage.room.measure()
  const storedMiB = (): number =>
    Math.round(Number(/stores (\d+) bytes/.exec(stage.room.shortage(64 * MiB) ?? '')?.[1]) / MiB)
  const before = storedMiB()
  const large = csv + 'a,2024-03-01,3\n'.repeat(5 * MiB / 15)
  const post = async (url: string, fields: Array<[string, string]>, more: Record<string, string> = {}) => {
    const { headers, payload } = form([...fields, ['file', large, 'a.csv']])
    const { statusCode } = await stage.app.inject({
      method: 'POST',
      url,
      headers: { ...headers, authorization: `Bearer ${stage.key}`, ...more },
      payload
    })
    return statusCode
  }
  t.equal(await post('/forecast', [['prediction_length', 'x']]), 422)
  t.equal(storedMiB(), before, 'a form with a wrong field')
  stage.beforeCheck = () => ({ v: messageVersion, ok: false, failed: 'pipeline_failed' })
  t.equal(await post('/forecast', [['prediction_length', '1']]), 500)
  t.equal(storedMiB(), before, 'a file that was stored and then refused')
  stage.beforeCheck = () => undefined
  const once = { 'idempotency-key': 'once' }
  for (const what of ['a job', 'its repeat']) {
    t.equal(await post('/forecast', [['prediction_length', '1']], once), 202)
    t.equal(storedMiB(), before + 5, what)
  }

  const { upload_url: address, required_headers: headers } = await caller.presign({ file_size: 10 * MiB })
  const { pathname, search } = new URL(address)
  const outgoing = request(baseUrl + pathname + search, {
    method: 'PUT',
    headers: { ...headers, 'content-length': 10 * MiB },
    agent: false
  }).on('error', () => undefined)
  outgoing.write(Buffer.alloc(5 * MiB, 'x'))
  await until('half of it has come', async () => await bytesIn(dataPaths(stage.config).spool) >= 4 * MiB)
  t.equal(storedMiB(), before + 15)
  outgoing.destroy()
  await until('it is forgotten', () => storedMiB() === before + 5)
})

t.test('a client that leaves before the answer changes nothing of what counts', async (t) => {
  const stage = await openApi(t, { TABCAST_DATA_DIR_MAX_BYTES: String(64 * MiB) })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  await stage.room.measure()
  const storedMiB = (): number =>
    Math.round(Number(/stores (\d+) bytes/.exec(stage.room.shortage(64 * MiB) ?? '')?.[1]) / MiB)
  const before = storedMiB()
  const { server } = stage.app
  /** What the worker says is said when the client has gone. */
  const leave = async (reply: QuickCheckReply): Promise<void> => {
    const { headers, payload } = form([['prediction_length', '1'], ['file', csv + '\n'.repeat(5 * MiB), 'a.csv']])
    const outgoing = request(`${baseUrl}/forecast`, {
      method: 'POST',
      headers: { ...headers, 'content-length': payload.length, authorization: `Bearer ${stage.key}` },
      agent: false
    }).on('error', () => undefined)
    const isAsked = new Promise<void>((resolve) => {
      stage.beforeCheck = async () => {
        resolve()
        await until('its connection has closed',
          async () => await promisify(server.getConnections.bind(server))() === 0)
        return reply
      }
    })
    outgoing.end(payload)
    await isAsked
    t.equal(storedMiB(), before + 5)
    outgoing.destroy()
  }
  await leave({ v: messageVersion, ok: false, failed: 'pipeline_failed' })
  await until('it is forgotten', () => storedMiB() === before)
  await leave(stage.checkReply)
  await until('the job', () => stage.metadata.table('jobs').count() === 1)
  await stage.app.inject('/livez')
  t.equal(storedMiB(), before + 5)
})

t.test('what was measured before it was thrown away is taken off as well', async (t) => {
  const folder = t.testdir({ a: 'x'.repeat(100_000) })
  const room = new DiskSpace({ folder, maxBytes: 64 * MiB, minFreeBytes: 0, log: pino({ level: 'silent' }) })
  t.teardown(() => room.stop())
  const stored = (): number => Number(/stores (\d+) bytes/.exec(room.shortage(64 * MiB) ?? '')?.[1])
  await room.measure()
  const used = stored()
  const [kept, gone] = [room.arriving('acme', MiB), room.arriving('acme', 0)]
  for (const [name, upload] of [['kept', kept], ['gone', gone]] as const) {
    writeFileSync(join(folder, name), Buffer.alloc(MiB))
    upload.come(MiB)
  }
  await room.measure()
  t.equal(stored(), used + 2 * MiB)
  gone.come(1_000)
  kept.release(true)
  rmSync(join(folder, 'gone'))
  gone.release(false)
  t.equal(stored(), used + MiB)
})

t.test('no walk follows one that took long at once, and none begins behind the end', async (t) => {
  const folder = t.testdir({ a: 'x'.repeat(100_000) })
  let walks = 0
  const count = (): void => {
    walks++
  }
  process.on('worker', count)
  t.teardown(() => process.off('worker', count))
  mock.timers.enable({ apis: ['setTimeout'] })
  const room = new DiskSpace({ folder, maxBytes: MiB, minFreeBytes: 0, log: pino({ level: 'silent' }) })
  await turn()
  mock.timers.tick(10_000)
  mock.timers.reset()
  await until('the first walk is over', () => /stores [1-9]/.test(room.shortage(MiB) ?? ''))
  await turn()
  t.equal(walks, 1, 'the second one waits until the first one has been paid for')

  const queued = [room.measure(), room.measure()]
  await turn()
  await room.stop()
  await Promise.all(queued)
  t.equal(walks, 2, 'the one that was under way')
})

t.test('a CSV that is made at a download asks for room before it is made', async (t) => {
  const stage = await openApi(t, { TABCAST_DATA_DIR_MAX_BYTES: String(64 * MiB) })
  const caller = new StorageCaller(stage)
  const requests: QuickConvertRequest[] = []
  let made: number | undefined
  stage.worker.serveQuickConvert(async (request) => {
    requests.push(request)
    if (made !== undefined) {
      await stage.store.putBytes(request.csvKey, Buffer.from('a table'))
      return {
        v: messageVersion,
        ok: true,
        file: { name: 'forecast.csv', contentType: 'text/csv', bytes: made, sha256: 'f' }
      }
    }
    return { v: messageVersion, ok: false, failed }
  })
  let failed: 'storage_error' | 'dataset_too_large' = 'storage_error'
  const table = { name: 'forecast.parquet', contentType: 'application/octet-stream', bytes: 5, sha256: 'f' }
  const completed = async (csvBytes?: number): Promise<string> => {
    const { job_id: jobId } = JSON.parse((await upload(stage)).text) as { job_id: string }
    await stage.finishNext({ 'forecast.parquet': 'table' }, {
      files: [{ ...table, ...(csvBytes === undefined ? {} : { csvBytes }) }]
    })
    await until('its end',
      async () =>
        (JSON.parse((await caller.ask('GET', `/jobs/${jobId}`)).text) as { status: string }).status === 'completed')
    return jobId
  }
  const [large, most, small] = [await completed(65 * MiB), await completed(56 * MiB), await completed(20 * MiB)]
  await stage.room.measure()
  const ask = async (jobId: string, format: string) =>
    await caller.ask('GET', `/jobs/${jobId}/download?format=${format}`)
  for (const format of ['csv', 'zip', 'presign']) {
    t.match((await expectError(t, await ask(large, format), 503, 'storage_error')).detail, {
      reason: 'data_dir_full',
      suggestion: /Delete/
    })
    t.match((await expectError(t, await ask(most, format), 429, 'rate_limited')).detail, {
      reason: 'uploads_under_way',
      suggestion: /as Parquet/
    })
  }
  t.equal((await ask(large, 'parquet')).status, 200)
  t.strictSame(requests, [], 'no worker was asked')
  for (let call = 0; call < 3; call++) {
    t.match((await expectError(t, await ask(small, 'csv'), 503, 'storage_error')).detail, { suggestion: /parquet/ },
      'a worker without room')
  }
  t.match(requests[0], { roomBytes: 20 * MiB + table.bytes })
  t.equal(requests.length, 3, 'what was not made takes no share of the room')
  failed = 'dataset_too_large'
  const never = await expectError(t, await ask(small, 'csv'), 413, 'dataset_too_large')
  t.match(never, {
    retryable: false,
    detail: { detail: /more of the disk than a tenant may have/, suggestion: /parquet/ }
  })
  await stage.room.measure()
  made = 60 * MiB
  t.match((await expectError(t, await ask(small, 'csv'), 429, 'rate_limited')).detail, { reason: 'uploads_under_way' },
    'it has more than was reckoned')
  t.equal(await stage.store.stat(requests.at(-1)?.csvKey ?? ''), undefined, 'and is not kept')
  made = 7
  t.equal((await ask(small, 'csv')).status, 200)
  // A run of before did not say.
  t.match((await expectError(t, await ask(await completed(), 'csv'), 503, 'storage_error')).detail, {
    reason: 'data_dir_full'
  })
})

t.test('files of runs under way do not take the room of uploads, and sources of one tenant leave some to others', async (t) => {
  const folder = t.testdir({ scratch: { run: 'x'.repeat(2 * MiB) } })
  const scratch = join(folder, 'scratch')
  const room = new DiskSpace({ folder, scratch, maxBytes: 64 * MiB, minFreeBytes: 0, log: pino({ level: 'silent' }) })
  t.teardown(() => room.stop())
  await room.measure()
  t.equal(room.shortage(63 * MiB), undefined)
  t.match(room.shortage(64 * MiB), /may store/)

  // A quarter of 64 MiB, and three quarters of what others leave of that.
  const sources = new ScratchSpace({ folder: scratch, maxBytes: 64 * MiB, minFreeBytes: 0, workers: 1 })
  const take = async (tenant: string, bytes: number): Promise<() => void> => {
    const end = await sources.take(tenant, bytes)
    if (typeof end === 'string') throw new Error(end)
    return end
  }
  await t.rejects(take('acme', 13 * MiB), /never/)
  const first = await take('acme', 8 * MiB)
  await t.rejects(take('acme', 5 * MiB), /now/)
  const second = await take('acme', 4 * MiB)
  await t.rejects(take('other', 4 * MiB), /now/)
  const third = await take('other', 3 * MiB)
  first()
  first()
  await t.rejects(take('other', 7 * MiB), /now/, 'it is given back once')
  for (const release of [second, third, await take('other', 6 * MiB)]) release()
  ;(await take('acme', 12 * MiB))()
  const large = new ScratchSpace({ folder: scratch, maxBytes: 0, minFreeBytes: 2 ** 60, workers: 1 })
  t.equal(await large.take('acme', 1), 'disk')
})

t.test('bytes are kept free on the disk', {
  skip: process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0
    ? false
    : 'mounting a small disk needs root'
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-room-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder])
  t.teardown(() => {
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })
  const room = new DiskSpace({ folder, maxBytes: 0, minFreeBytes: MiB, log: pino({ level: 'silent' }) })
  room.check('acme')
  room.check('acme', 2 * MiB)
  t.throws(() => room.check('acme', 3.5 * MiB), /kept free/, 'what would not fit is refused before it comes')
  writeFileSync(join(folder, 'other'), Buffer.alloc(3.5 * MiB))
  t.throws(() => room.check('acme'), /kept free/)
  room.checkRecords()
  writeFileSync(join(folder, 'more'), Buffer.alloc(MiB / 4))
  t.throws(() => room.checkRecords(), /kept free/, 'half of it is for small records')
  t.equal(new DiskSpace({ folder, maxBytes: 0, minFreeBytes: 0, log: pino({ level: 'silent' }) }).shortage(), undefined,
    'unless that is switched off')
  rmSync(join(folder, 'other'))
  room.check('acme')
})
