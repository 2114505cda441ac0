import t from 'tap'
import { Compile } from 'typebox/compile'
import type { TSchema } from 'typebox'
import { objectPreviewSchema, presignedDownloadSchema, presignedUploadSchema,
  storedObjectSchema } from '../../src/api/schemas/object.ts'
import { messageVersion } from '../../src/domain/message-version.ts'
import type { QuickPreviewRequest } from '../../src/platform/queue/quick-messages.ts'
import { openApi } from '../support/api.ts'
import { expectError, fieldsOf, suggestionOf } from '../support/expect-error.ts'
import { fetchSigned, isSameAnswer, send, StorageCaller, type Json } from '../support/storage.ts'

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const unknownId = 'obj_01AAAAAAAAAAAAAAAAAAAAAAAA'
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function matches (schema: TSchema, value: unknown): boolean {
  return Compile({ ...schema, additionalProperties: false } as TSchema).Check(value)
}

t.test('presign, send, complete, list, download, delete', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const upload = await acme.presign({
    filename: 'Übersicht "2024".csv',
    content_type: 'text/csv; charset=utf-8',
    file_size: csv.length,
    category: 'processed'
  })
  t.ok(matches(presignedUploadSchema, upload), 'as described')
  t.match(upload, { object_id: /^obj_[0-9A-HJKMNP-TV-Z]{26}$/, method: 'PUT', expires_at: time })
  t.strictSame(upload.required_headers, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Length': String(csv.length),
    'If-None-Match': '*',
    'x-amz-meta-object-id': upload.object_id
  })
  const lifetimeMs = Date.parse(upload.expires_at) - Date.now()
  t.ok(lifetimeMs > 840_000 && lifetimeMs <= 900_000, 'an upload address lives for 900 s')
  const [year, month] = new Date().toISOString().split('-')
  t.match(new URL(upload.upload_url).pathname,
    `/objects/processed/acme/${year}/${month}/${upload.object_id}/_bersicht__2024_.csv`)

  const path = `/storage/objects/${upload.object_id}`
  t.match(await acme.json('GET', path), {
    object_id: upload.object_id,
    status: 'presigned',
    original_filename: 'Übersicht "2024".csv',
    content_type: 'text/csv; charset=utf-8',
    created_at: time,
    file_size: csv.length
  })
  for (const early of [`${path}/download-url`, `${path}/preview`]) {
    t.ok(suggestionOf(await expectError(t, await acme.ask('GET', early), 409, 'object_not_ready')))
  }
  const waiting = await expectError(t, await acme.complete(upload.object_id), 409, 'object_not_ready')
  t.equal(waiting.retryable, true, 'the file may still come')

  const sent = await send(stage, upload, csv, { Accept: 'text/plain' })
  t.equal(sent.status, 200, sent.text)
  t.equal(sent.text, '')
  t.ok(sent.headers.get('etag'))
  const completed = await acme.complete(upload.object_id, { expected_file_size: csv.length })
  t.equal(completed.status, 200)
  const object = JSON.parse(completed.text) as Json
  t.ok(matches(storedObjectSchema, object), 'as described')
  t.match(object, { status: 'uploaded', file_size: csv.length, uploaded_at: time })
  t.strictSame(JSON.parse((await acme.complete(upload.object_id)).text), object, 'complete may be repeated')
  t.strictSame(await acme.json('GET', path), object)

  const download = await acme.json('GET', `${path}/download-url`)
  t.ok(matches(presignedDownloadSchema, download), 'as described')
  const downloadMs = Date.parse(String(download['expires_at'])) - Date.now()
  t.ok(downloadMs > 240_000 && downloadMs <= 300_000, 'a download address lives for 300 s')
  const file = await fetchSigned(stage, String(download['download_url']))
  t.equal(file.text, csv)
  t.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8')
  t.equal(file.headers.get('content-disposition'),
    'attachment; filename="_bersicht__2024_.csv"; filename*=UTF-8\'\'%C3%9Cbersicht%20%222024%22.csv')
  const part = await fetchSigned(stage, String(download['download_url']), { range: 'bytes=0-6' })
  t.match(part, { status: 206, text: 'item_id' })

  t.equal((await acme.ask('DELETE', path)).status, 204)
  await expectError(t, await acme.ask('GET', path), 404, 'not_found')
  await expectError(t, await fetchSigned(stage, String(download['download_url'])), 404, 'not_found')
  await expectError(t, await send(stage, upload, csv), 404, 'not_found')
  t.equal(await stage.store.stat(decodeURIComponent(new URL(upload.upload_url).pathname.slice('/objects/'.length))),
    undefined, 'the bytes are gone')
  await expectError(t, await acme.ask('DELETE', path), 404, 'not_found')
})

t.test('what presign refuses', async (t) => {
  const stage = await openApi(t, {
    TABCAST_MAX_OBJECT_BYTES: '1000',
    TABCAST_UPLOAD_CONTENT_TYPES: 'text/csv, application/vnd.apache.parquet',
    TABCAST_SIGNED_UPLOAD_SECONDS: '60'
  })
  const acme = new StorageCaller(stage)
  const refused = async (body: Json) =>
    await acme.ask('POST', '/storage/uploads/presign', { filename: 'a.csv', content_type: 'text/csv', ...body })
  await expectError(t, await refused({ file_size: 1001 }), 413, 'file_too_large')
  t.match(
    suggestionOf(await expectError(t, await refused({ content_type: 'application/zip' }), 415, 'validation_error')),
    'text/csv, application/vnd.apache.parquet'
  )
  const wrong: Array<[Json, string]> = [
    [{ filename: '' }, 'filename'],
    [{ filename: 'ä'.repeat(128) }, 'filename'],
    [{ filename: 'a\u0000.csv' }, 'filename'],
    [{ filename: 'a\r\nx: y' }, 'filename'],
    [{ filename: '\ud800.csv' }, 'filename'],
    [{ filename: undefined }, 'filename'],
    [{ content_type: 'csv' }, 'content_type'],
    [{ content_type: 'text/csv\r\nx: y' }, 'content_type'],
    [{ content_type: undefined }, 'content_type'],
    [{ file_size: -1 }, 'file_size'],
    [{ file_size: '7' }, 'file_size'],
    [{ file_size: 1.5 }, 'file_size'],
    [{ category: 'secret' }, 'category'],
    [{ category: '../raw' }, 'category'],
    [{ key: 'raw/other/x' }, 'key'],
    [{ bucket: 'mine' }, 'bucket']
  ]
  for (const [body, field] of wrong) {
    t.strictSame(fieldsOf(await expectError(t, await refused(body), 422, 'validation_error'))[0]?.loc, ['body', field],
      JSON.stringify(body))
  }
  t.strictSame(await acme.json('GET', '/storage/objects'), { objects: [], next_cursor: null }, 'nothing was recorded')
  const lifetimeMs =
    Date.parse((await acme.presign({ file_size: 1000, content_type: 'TEXT/CSV; charset=utf-8' })).expires_at) -
    Date.now()
  t.ok(lifetimeMs > 55_000 && lifetimeMs <= 60_000, 'the lifetime is a setting')
})

t.test('whatever a file is called, its key is plain', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const names: Record<string, string> = {
    '../../etc/passwd': '_._.._etc_passwd',
    '.htaccess': '_htaccess',
    '..': '_.',
    '\u202Egnp.csv': '_gnp.csv',
    'a b&c?d#e%2f.csv': 'a_b_c_d_e_2f.csv',
    [`${'x'.repeat(251)}.csv`]: `${'x'.repeat(196)}.csv`,
    '😀.csv': '_.csv',
    '/': '_'
  }
  for (const [filename, plain] of Object.entries(names)) {
    const upload = await acme.presign({ filename })
    const name = decodeURIComponent(new URL(upload.upload_url).pathname.split('/').at(-1) ?? '')
    t.equal(name, plain, filename)
    t.equal((await send(stage, upload, csv)).status, 200, filename)
    t.match(JSON.parse((await acme.complete(upload.object_id)).text), { original_filename: filename })
  }
})

t.test('58: an address takes one upload, and only the one that was signed', async (t) => {
  const stage = await openApi(t, { TABCAST_MAX_OBJECT_BYTES: '1000' })
  const acme = new StorageCaller(stage)
  const upload = await acme.presign({ file_size: csv.length })
  const refusals: Array<
    [string, Record<string, string | undefined>, string, number, 'auth_failed' | 'validation_error']
  > = [
    ['another type', { 'Content-Type': 'text/html' }, csv, 403, 'auth_failed'],
    ['another size', { 'Content-Length': String(csv.length + 1) }, `${csv}x`, 403, 'auth_failed'],
    ['no condition', { 'If-None-Match': undefined }, csv, 403, 'auth_failed'],
    ['another object', { 'x-amz-meta-object-id': unknownId }, csv, 403, 'auth_failed'],
    ['an encoding', { 'Content-Encoding': 'gzip' }, csv, 415, 'validation_error']
  ]
  for (const [title, headers, content, status, code] of refusals) {
    t.comment(title)
    await expectError(t, await send(stage, upload, content, headers), status, code)
  }
  const changed = (from: string | RegExp, to: string) => ({
    ...upload,
    upload_url: upload.upload_url.replace(from, to)
  })
  for (const other of [changed('/acme/', '/other/'), changed('sales.csv', 'other.csv'), changed(/bytes=\d+/, 'bytes=9'),
    changed(/expires=\d+/, 'expires=9999999999'), changed(/&signature=.*/, '')]) {
    await expectError(t, await send(stage, other, csv), 403, 'auth_failed')
  }
  await expectError(t, await fetchSigned(stage, upload.upload_url), 403, 'auth_failed')
  await expectError(t, await acme.complete(upload.object_id), 409, 'object_not_ready')

  t.equal((await send(stage, upload, csv)).status, 200)
  const again = await expectError(t, await send(stage, upload, csv), 412, 'validation_error')
  t.ok(suggestionOf(again))
  t.equal((await acme.complete(upload.object_id)).status, 200)
  await expectError(t, await send(stage, upload, csv.toUpperCase()), 412, 'validation_error')
  const { download_url: address } = await acme.json('GET', `/storage/objects/${upload.object_id}/download-url`)
  t.equal((await fetchSigned(stage, String(address))).text, csv, 'the first file stays')

  const unsized = await acme.presign()
  t.notOk('Content-Length' in unsized.required_headers)
  await expectError(t, await send(stage, unsized, 'x'.repeat(1001)), 413, 'file_too_large')
  t.equal((await send(stage, unsized, '')).status, 200, 'an empty file is a file')
  t.match(JSON.parse((await acme.complete(unsized.object_id)).text), { file_size: 0 })
})

t.test('58: a file of another size than announced fails its object, whenever that is seen', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const sent = async (body: Json = {}) => {
    const upload = await acme.presign(body)
    t.equal((await send(stage, upload, csv)).status, 200)
    return {
      id: upload.object_id,
      key: decodeURIComponent(new URL(upload.upload_url).pathname.slice('/objects/'.length))
    }
  }
  const expectFailed = async ({ id, key }: { id: string, key: string }) => {
    t.match(await acme.json('GET', `/storage/objects/${id}`), { status: 'failed' })
    t.equal(await stage.store.stat(key), undefined, 'its bytes are deleted')
    const refused = await expectError(t, await acme.complete(id), 409, 'object_not_ready')
    t.match(suggestionOf(refused), 'presign')
    await expectError(t, await acme.ask('GET', `/storage/objects/${id}/download-url`), 409, 'object_not_ready')
  }
  const unexpected = await sent()
  await expectError(t, await acme.complete(unexpected.id, { expected_file_size: csv.length + 1 }), 400,
    'validation_error')
  await expectFailed(unexpected)

  // A store that does not compare lengths, or whose object was replaced.
  const replaced = await sent({ file_size: csv.length })
  await stage.store.putBytes(replaced.key, Buffer.from('short'))
  await expectError(t, await acme.complete(replaced.id), 400, 'validation_error')
  await expectFailed(replaced)

  const intact = await sent()
  const unseen = await sent()
  t.match(JSON.parse((await acme.complete(unseen.id, { verify_object: false, expected_file_size: 7 })).text), {
    status: 'uploaded',
    file_size: 7
  })
  await expectError(t, await acme.ask('GET', `/storage/objects/${unseen.id}/download-url`), 400, 'validation_error')
  await expectFailed(unseen)
  t.equal((await acme.complete(intact.id)).status, 200)
  await expectError(t, await acme.complete(intact.id, { expected_file_size: 7 }), 400, 'validation_error')
  t.match(await acme.json('GET', `/storage/objects/${intact.id}`), { status: 'uploaded' },
    'what is uploaded stays, whatever a later call expects')
})

t.test('with verify_object false nobody looks until the object is used', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const upload = await acme.presign()
  const early = JSON.parse((await acme.complete(upload.object_id, { verify_object: false })).text) as Json
  t.match(early, { status: 'uploaded', uploaded_at: time })
  t.notOk('file_size' in early, 'its size is not known')
  await expectError(t, await acme.ask('GET', `/storage/objects/${upload.object_id}/download-url`), 409,
    'object_not_ready')
  t.equal((await send(stage, upload, csv)).status, 200, 'the file may come after that')
  t.equal((await acme.ask('GET', `/storage/objects/${upload.object_id}/download-url`)).status, 200)
  t.match(await acme.json('GET', `/storage/objects/${upload.object_id}`), {
    file_size: csv.length,
    uploaded_at: early['uploaded_at']
  })
})

t.test('lists: newest first, in pages, by status, each tenant its own', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const other = await StorageCaller.of(stage, 'other')
  const ids: string[] = []
  for (let count = 0; count < 5; count++) {
    ids.unshift(count % 2 === 0 ? await acme.store(csv) : (await acme.presign()).object_id)
  }
  const page = async (query: string, caller = acme) =>
    await caller.json<{ objects: Array<{ object_id: string }>, next_cursor: string | null }>('GET',
      `/storage/objects${query}`)
  const idsOf = ({ objects }: { objects: Array<{ object_id: string }> }) => objects.map(({ object_id: id }) => id)
  t.strictSame(idsOf(await page('')), ids)
  const first = await page('?limit=2')
  const second = await page(`?limit=2&cursor=${first.next_cursor}`)
  const third = await page(`?limit=2&cursor=${second.next_cursor}`)
  t.strictSame([first, second, third].map(idsOf), [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
  t.equal(third.next_cursor, null)
  t.strictSame(idsOf(await page('?status=presigned')), [ids[1], ids[3]])
  t.strictSame((await page('', other)).objects, [])
  for (const query of ['?limit=0', '?limit=1001', '?status=gone', '?cursor=x',
    `?status=uploaded&cursor=${first.next_cursor}`, '?color=red']) {
    await expectError(t, await acme.ask('GET', `/storage/objects${query}`), 422, 'validation_error')
  }
  await expectError(t, await other.ask('GET', `/storage/objects?cursor=${first.next_cursor}`), 422, 'validation_error')
})

t.test('59: previews are of CSV files only, and show hostile names as data', async (t) => {
  const stage = await openApi(t, { TABCAST_PREVIEW_MAX_BYTES: '2048', TABCAST_PREVIEW_MAX_ROWS: '2' })
  const acme = new StorageCaller(stage)
  const asked: QuickPreviewRequest[] = []
  stage.preview = (request) => {
    asked.push(request)
    return {
      v: messageVersion,
      ok: true,
      preview: {
        columns: ['__proto__', 'constructor', 'target'],
        rows: [['x', true, 1.5], [null, '=cmd()', -2]],
        truncated: true,
        delimiter: ';',
        encoding: 'utf-8-sig',
        quote: '"',
        detected: { timestamp: null, target: 'target', itemId: '__proto__', frequency: null }
      }
    }
  }
  const id = await acme.store(csv, { content_type: 'Text/CSV; charset=utf-8' })
  const answer = await acme.ask('GET', `/storage/objects/${id}/preview`)
  t.equal(answer.status, 200)
  t.ok(matches(objectPreviewSchema, JSON.parse(answer.text)), 'as described')
  t.match(answer.text,
    '"sample":[{"__proto__":"x","constructor":true,"target":1.5},{"__proto__":null,"constructor":"=cmd()","target":-2}]')
  const { sample: _sample, ...rest } = JSON.parse(answer.text) as Json
  t.strictSame(rest, {
    object_id: id,
    columns: ['__proto__', 'constructor', 'target'],
    total_preview_rows: 2,
    detected_timestamp_column: null,
    detected_target_column: 'target',
    detected_item_id_column: '__proto__',
    delimiter: ';',
    encoding: 'utf-8-sig',
    quote: '"',
    truncated: true
  })
  t.match(asked[0], { input: { bytes: csv.length }, maxBytes: 2048, maxRows: 2 }, 'the caps are settings')

  const parquet = await acme.store('PAR1', { filename: 'a.parquet', content_type: 'application/vnd.apache.parquet' })
  t.ok(
    suggestionOf(
      await expectError(t, await acme.ask('GET', `/storage/objects/${parquet}/preview`), 415, 'validation_error')
    )
  )
  stage.preview = () => ({
    v: messageVersion,
    ok: false,
    error: {
      code: 'bad_quote',
      status: 422,
      message: 'A quote is not closed.',
      column: 'target',
      row: 3,
      item: null,
      count: null,
      suggestion: null
    }
  })
  const wrong = await expectError(t, await acme.ask('GET', `/storage/objects/${id}/preview`), 422, 'validation_error')
  t.match(fieldsOf(wrong), [{ loc: ['path', 'object_id', 'target'], type: 'bad_quote', ctx: { row: 3 } }])
  stage.preview = () => ({ v: messageVersion, ok: false, busy: true })
  await expectError(t, await acme.ask('GET', `/storage/objects/${id}/preview`), 503, 'server_overloaded')
  stage.preview = () => ({ v: messageVersion, ok: false, failed: 'storage_error' })
  await expectError(t, await acme.ask('GET', `/storage/objects/${id}/preview`), 503, 'storage_error')
})

t.test('47: a foreign object answers exactly as an unknown one, and is untouched', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const other = await StorageCaller.of(stage, 'other')
  const uploaded = await acme.store(csv)
  const { object_id: presigned } = await acme.presign()
  const calls: Array<['GET' | 'POST' | 'DELETE', (id: string) => string, ((id: string) => object)?]> = [
    ['GET', (id) => `/storage/objects/${id}`],
    ['GET', (id) => `/storage/objects/${id}/download-url`],
    ['GET', (id) => `/storage/objects/${id}/preview`],
    ['POST', (id) => `/storage/uploads/${id}/complete`, () => ({})],
    ['POST', (id) => `/storage/uploads/${id}/complete`, () => ({ verify_object: false })],
    ['DELETE', (id) => `/storage/objects/${id}`],
    ['POST', () => '/forecast/storage-object', (id) => ({ object_id: id })],
    ['POST', () => '/forecast/batch', (id) => ({ requests: [{ object_id: id }] })]
  ]
  for (const [method, path, body] of calls) {
    const unknown = await other.ask(method, path(unknownId), body?.(unknownId))
    await expectError(t, unknown, 404, 'not_found')
    for (const id of [uploaded, presigned, 'obj_1', '%00', 'job_01AAAAAAAAAAAAAAAAAAAAAAAA']) {
      t.ok(isSameAnswer(await other.ask(method, path(id), body?.(id)), unknown), `${method} ${path('{id}')} ${id}`)
    }
  }
  t.match(await acme.json('GET', `/storage/objects/${uploaded}`), { status: 'uploaded' })
  t.match(await acme.json('GET', `/storage/objects/${presigned}`), { status: 'presigned' })
})

t.test('a tenant has so many objects, and one that it deletes counts until its address is dead', async (t) => {
  const stage = await openApi(t, { TABCAST_MAX_OBJECTS_PER_TENANT: '2' })
  const caller = new StorageCaller(stage)
  t.match(await caller.json('GET', '/limits'), { max_objects_per_tenant: 2 })
  const [first] = [await caller.store('a,b\n'), await caller.presign()]
  const presign = { filename: 'a.csv', content_type: 'text/csv' }
  await expectError(t, await caller.ask('POST', '/storage/uploads/presign', presign), 400, 'validation_error')
  t.equal((await caller.ask('DELETE', `/storage/objects/${first}`)).status, 204)
  await expectError(t, await caller.ask('POST', '/storage/uploads/presign', presign), 400, 'validation_error')
  t.ok((await (await StorageCaller.of(stage, 'beta')).presign()).object_id, 'another tenant has its own')
})

t.test('a page looks at so many objects and no more, and the next one goes on from there', async (t) => {
  const caller = await StorageCaller.of(await openApi(t), 'acme')
  const stored = await caller.store('a\n')
  for (let object = 0; object < 300; object++) await caller.presign()
  const first = await caller.json<{ objects: unknown[], next_cursor: string | null }>('GET',
    '/storage/objects?status=uploaded')
  t.strictSame(first.objects, [])
  t.type(first.next_cursor, 'string')
  const found: unknown[] = []
  for (let cursor = first.next_cursor; cursor !== null;) {
    const page: typeof first = await caller.json('GET', `/storage/objects?status=uploaded&cursor=${cursor}`)
    found.push(...page.objects)
    cursor = page.next_cursor
  }
  t.match(found, [{ object_id: stored }])
})
