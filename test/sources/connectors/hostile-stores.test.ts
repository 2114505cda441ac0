import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { connectorCodes } from '../../../src/domain/connector-codes.ts'
import { addKey, dropOldKeys } from '../../../src/platform/vault/keyring.ts'
import { ConnectorError } from '../../../src/sources/connectors/connector-error.ts'
import { contentFailure } from '../../../src/sources/connectors/content-failure.ts'
import { matchesGlob } from '../../../src/sources/connectors/glob.ts'
import { checkKeyPrefix, checkObjectKey } from '../../../src/sources/connectors/object-key.ts'
import { asConnectorError } from '../../../src/sources/connectors/provider-errors.ts'
import { setupConnectors, type StoreAddress } from '../../support/connector.ts'
import { endlessFailure, endlessHeaders, s3Failure, startDrippingStore,
  startHostileStore } from '../../support/hostile-store.ts'

/* Stores that fail, lie or attack, and what customers may write into a connection. */

const unfinished =
  '<ListMultipartUploadsResult><IsTruncated>false</IsTruncated><Upload><Key>out.csv</Key><UploadId>old</UploadId><Initiated>2024-01-01T00:00:00Z</Initiated></Upload></ListMultipartUploadsResult>'
const endlessParts = `<ListPartsResult><IsTruncated>true</IsTruncated><NextPartNumberMarker>1</NextPartNumberMarker>${
  '<Part><PartNumber>1</PartNumber><ETag>"e"</ETag><Size>1</Size></Part>'.repeat(200)
}</ListPartsResult>`

async function listAt (t: Parameters<typeof setupConnectors>[0], store: StoreAddress,
  settings: Record<string, string> = {}, budgetMs = 30_000): Promise<ConnectorError> {
  const connectors = await setupConnectors(t, store, settings)
  const end = await connectors.open(connectors.input({ bucket: 'data' }), budgetMs).estimateSize().catch((
    error: unknown
  ) => error)
  return end as ConnectorError
}

t.test('57: every failure of a provider becomes one of the codes, and nothing of its text is told', async (t) => {
  t.equal(Object.keys(connectorCodes).length, 25)
  const cases: Array<[number, string, string]> = [
    [403, 'InvalidAccessKeyId', 'AUTHENTICATION_FAILED'],
    [403, 'SignatureDoesNotMatch', 'AUTHENTICATION_FAILED'],
    [403, 'AccessDenied', 'AUTHORIZATION_FAILED'],
    [400, 'ExpiredToken', 'CREDENTIALS_EXPIRED'],
    [404, 'NoSuchBucket', 'SOURCE_NOT_FOUND'],
    [503, 'SlowDown', 'RATE_LIMITED'],
    [429, 'SomethingElse', 'RATE_LIMITED'],
    [503, 'ServiceUnavailable', 'PROVIDER_UNAVAILABLE'],
    [500, 'InternalError', 'PROVIDER_UNAVAILABLE'],
    [500, '', 'PROVIDER_UNAVAILABLE'],
    [202, '', 'INVALID_CONFIGURATION'],
    [204, '', 'INVALID_CONFIGURATION'],
    [301, 'PermanentRedirect', 'INVALID_CONFIGURATION'],
    [400, 'AuthorizationHeaderMalformed', 'INVALID_CONFIGURATION'],
    [501, 'NotImplemented', 'INVALID_CONFIGURATION'],
    [418, 'IAmATeapot', 'INTERNAL_ERROR']
  ]
  for (const [status, name, code] of cases) {
    const store = await startHostileStore(t, s3Failure(status, name, 'hostile-secret of s3://data'))
    const error = await listAt(t, store)
    t.ok(error instanceof ConnectorError)
    t.equal(error.code, code, `${status} ${name}`)
    t.equal(error.message, connectorCodes[error.code].text, "the text is the table's")
    t.equal(store.requests.length, ['RATE_LIMITED', 'PROVIDER_UNAVAILABLE'].includes(code) ? 3 : 1,
      'only what may pass is tried again')
  }
  t.equal(asConnectorError(new Error('anything')).code, 'INTERNAL_ERROR')
  t.equal(asConnectorError(undefined).code, 'INTERNAL_ERROR')
})

t.test('a store that is silent, endless, or not a store at all', async (t) => {
  const silent = await startHostileStore(t, () => undefined)
  t.match(await listAt(t, silent, { TABCAST_CONNECTOR_TIMEOUT_MS: '100' }), { code: 'TIMEOUT' })
  t.match(await listAt(t, silent, {}, 100), { code: 'TIMEOUT' }, 'the whole operation has its time too')
  const stalling = await startHostileStore(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.write('<ListBucketResult>')
  })
  t.match(await listAt(t, stalling, { TABCAST_CONNECTOR_TIMEOUT_MS: '100' }), { code: 'TIMEOUT' })
  const endless = await startHostileStore(t, (_request, response) => {
    const block = Buffer.from('<a/>'.repeat(256 * 1024))
    const write = () => {
      while (!response.destroyed && response.write(block));
    }
    response.on('drain', write)
    response.write('<ListBucketResult>')
    write()
  })
  t.match(await listAt(t, endless), { code: 'INVALID_CONFIGURATION' })
  t.match(await listAt(t, await startHostileStore(t, (_request, response) => response.end('<html>hello</html>'))), {
    code: 'INVALID_CONFIGURATION'
  })
  const closed = await startHostileStore(t, (request) => request.socket.destroy())
  t.match(await listAt(t, closed), { code: 'NETWORK_ERROR' })
  const garbage = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-nothing\r\n')).listen(0,
    '127.0.0.1')
  await once(garbage, 'listening')
  t.teardown(() => garbage.close())
  const { port } = garbage.address() as AddressInfo
  t.match(await listAt(t, { ...silent, endpoint: `http://127.0.0.1:${port}` }), { code: 'NETWORK_ERROR' })
  t.match(await listAt(t, { ...silent, endpoint: `https://127.0.0.1:${port}` }), { code: 'TLS_ERROR' })
})

t.test('a store that asks for another protocol, lists what no store has, or drips, holds nobody up', async (t) => {
  const switching = createServer((socket) =>
    socket.on('error', () => undefined).once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nabc'))
  ).listen(0, '127.0.0.1')
  await once(switching, 'listening')
  t.teardown(() => switching.close())
  const silent = await startHostileStore(t, () => undefined)
  t.match(await listAt(t, { ...silent, endpoint: `http://127.0.0.1:${(switching.address() as AddressInfo).port}` }), {
    name: 'ConnectorError'
  }, 'answered, and not waited for')

  const hinting = createServer((socket) =>
    socket.on('error', () => socket.destroy()).once('data', () => {
      const more = () => {
        while (!socket.destroyed && socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(1000)));
      }
      socket.on('drain', more)
      more()
    })
  ).listen(0, '127.0.0.1')
  await once(hinting, 'listening')
  t.teardown(() => hinting.close())
  t.match(await listAt(t, { ...silent, endpoint: `http://127.0.0.1:${(hinting.address() as AddressInfo).port}` }), {
    code: 'INVALID_CONFIGURATION'
  }, 'hints without end')

  const entry = (key: string, size: string, etag = 'e') =>
    `<Contents><Key>${key}</Key><LastModified>2024-01-01T00:00:00Z</LastModified><ETag>"${etag}"</ETag><Size>${size}</Size></Contents>`
  const page = (entries: string, isTruncated = false) =>
    `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${entries}</ListBucketResult>`
  const listings = [
    page(Array.from({ length: 1001 }, (_, index) => entry(`k${index}`, '1')).join('')),
    page(entry('k'.repeat(1025), '1')),
    page(entry('k', '1', 'e'.repeat(300))),
    page(entry('k', '1'), false).replace('<ListBucketResult>', '<!DOCTYPE a [<!ENTITY b "c">]><ListBucketResult>'),
    page(`<!--${'\r'.repeat(300_000)}-->${entry('k', '1')}`),
    page(`<!-- a -->${entry('k', '1')}`),
    page(`<?a b?>${entry('k', '1')}`),
    page(`<![CDATA[a]]>${entry('k', '1')}`),
    page('<a/>'.repeat(2_000) + entry('k', '1')),
    page(entry('&unknown;', '1')),
    page(entry('%zz', '1')),
    page(`${'<a>'.repeat(10)}${'</a>'.repeat(10)}`),
    page(`<Owner>${'x'.repeat(5_000)}</Owner>`),
    page(entry('', '1')),
    page(entry('k', '1')).replace('<ListBucketResult',
      `<ListBucketResult ${Array.from({ length: 60_000 }, (_, at) => `a${at}=""`).join(' ')}`),
    `${page(entry('k', '1'))}<ListBucketResult/>`,
    '',
    ...['1e999', '-5', 'abc', '99999999999999999999'].map((size) => page(entry('k', size)))
  ]
  for (const listing of listings) {
    const store = await startHostileStore(t, (_request, response) => response.end(listing))
    t.match(await listAt(t, store), { code: 'INVALID_CONFIGURATION' }, listing.slice(0, 200))
  }
  const owned = entry('k', '1').replace('</Contents>',
    '<Owner><ID>a</ID><DisplayName>b</DisplayName></Owner><StorageClass>STANDARD</StorageClass>' +
      '<ChecksumAlgorithm>CRC32</ChecksumAlgorithm><ChecksumType>FULL_OBJECT</ChecksumType>' +
      '<RestoreStatus><IsRestoreInProgress>false</IsRestoreInProgress></RestoreStatus></Contents>')
  const whole = await startHostileStore(t, (_request, response) => response.end(page(owned.repeat(1_000))))
  const connectors = await setupConnectors(t, whole)
  t.same(await connectors.open(connectors.input({ bucket: 'data' })).estimateSize(), { objects: 1_000, bytes: 1_000 },
    'all that S3 tells of 1,000 objects')
  t.ok(connectors.spentMs() > 0, 'reading it is paid')
  let pages = 0
  const stingy = await startHostileStore(t, (_request, response) => response.end(page(entry(`k${pages++}`, '1'), true)))
  t.match(await listAt(t, stingy), { code: 'DATASET_TOO_LARGE' })
  t.ok(pages <= 201, `${pages} pages`)
})

t.test('a store that cuts its answers into chunks of a byte is given up, and one that cuts them small is read', async (t) => {
  const entry = (at: number) =>
    `<Contents><Key>k${at}</Key><LastModified>2024-01-01T00:00:00Z</LastModified><ETag>"e"</ETag><Size>7</Size></Contents>`
  const listing = `<ListBucketResult><IsTruncated>false</IsTruncated>${
    Array.from({ length: 200 }, (_, at) => entry(at)).join('')
  }</ListBucketResult>`
  const inChunks = async (text: string, size: number, status = '200 OK') => {
    const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
    const body = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')
    const server = createServer((socket) =>
      socket.on('error', () => undefined).once('data', () => {
        socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`)
      })
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const silent = await startHostileStore(t, () => undefined)
  t.match(await listAt(t, { ...silent, endpoint: await inChunks(listing, 1) }), { code: 'INVALID_CONFIGURATION' })
  t.match(await listAt(t, { ...silent, endpoint: await inChunks('x'.repeat(60_000), 1, '403 Forbidden') }), {
    code: 'AUTHORIZATION_FAILED'
  })
  const connectors = await setupConnectors(t, { ...silent, endpoint: await inChunks(listing, 40) })
  t.match(await connectors.open(connectors.input({ bucket: 'data' }), 30_000).estimateSize(), { bytes: 1400 })
})

t.test('a store that sends a source at 8 KiB/s is given up, and not read for an hour', async (t) => {
  const listing =
    '<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>k.csv</Key><LastModified>2024-01-01T00:00:00Z</LastModified><ETag>"e"</ETag><Size>100000000</Size></Contents></ListBucketResult>'
  const slow = await startHostileStore(t, ({ url }, response) => {
    if (url?.includes('list-type')) return response.end(listing)
    response.writeHead(200, { etag: '"e"', 'content-length': '100000000' })
    const timer = setInterval(() => response.write('a,2024-01-01,1\n'.repeat(280)), 500)
    response.on('close', () => clearInterval(timer))
  })
  const connectors = await setupConnectors(t, slow)
  const connector = connectors.open(connectors.input({ bucket: 'data', prefix: 'k.csv' }), 60_000)
  const startedMs = performance.now()
  await t.rejects(connector.readData({ folder: await connectors.scratch() }), { code: 'TIMEOUT' })
  t.ok(performance.now() - startedMs < 40_000, 'its time of 60 s was not what ended it')
})

t.test('a store that drips its listings, headers or failures is given up, and one that is only late is read', async (t) => {
  // Only the store's own pace ends these: the operation has ten minutes.
  const longMs = 600_000
  const page =
    '<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>k.csv</Key><LastModified>2024-01-01T00:00:00Z</LastModified><ETag>"e"</ETag><Size>7</Size></Contents></ListBucketResult>'
  const dripping = await startHostileStore(t, (_request, response) => {
    response.write('<ListBucketResult>')
    const timer = setInterval(() => response.write('<a/>'), 500)
    response.on('close', () => clearInterval(timer))
  })
  const late = await startHostileStore(t, (_request, response) => {
    response.flushHeaders()
    const timer = setTimeout(() => response.end(page), 11_000)
    response.on('close', () => clearTimeout(timer))
  })
  const lateConnectors = await setupConnectors(t, late, { TABCAST_CONNECTOR_TIMEOUT_MS: '30000' })
  const [dripped, read] = await Promise.all([
    listAt(t, dripping, {}, longMs),
    lateConnectors.open(lateConnectors.input({ bucket: 'data' })).estimateSize()
  ])
  t.match(dripped, { code: 'TIMEOUT' })
  t.same(read, { objects: 1, bytes: 7 })

  const settings = { TABCAST_CONNECTOR_TIMEOUT_MS: '500' }
  const headers = { ...dripping, endpoint: await startDrippingStore(t, ...endlessHeaders) }
  t.match(await listAt(t, headers, settings, longMs), { code: 'TIMEOUT' })
  const failure = { ...dripping, endpoint: await startDrippingStore(t, ...endlessFailure(403)) }
  t.match(await listAt(t, failure, settings, longMs), { code: 'AUTHORIZATION_FAILED' })
})

t.test('the pages of one listing have 64 MiB at most', async (t) => {
  let pages = 0
  const store = await startHostileStore(t, (_request, response) => {
    const first = 1_000 * pages++
    const entries = Array.from({ length: 1_000 },
      (_, at) =>
        `<Contents><Key>k${first + at}.txt</Key><LastModified>2024-01-01T00:00:00Z</LastModified><ETag>"e"</ETag>` +
        `<Size>1</Size><Owner><ID>${'x'.repeat(3_800)}</ID></Owner></Contents>`)
    response.end(`<ListBucketResult><IsTruncated>true</IsTruncated>${entries.join('')}</ListBucketResult>`)
  })
  const connectors = await setupConnectors(t, store)
  await t.rejects(connectors.open(connectors.input({ bucket: 'data', keyPattern: '*.csv' })).estimateSize(), {
    code: 'DATASET_TOO_LARGE'
  })
  t.equal(pages, 18, 'of 3.7 MiB each')
})

t.test('53: a store that redirects is not followed, and one behind a refused address is not asked', async (t) => {
  const inner = await startHostileStore(t, s3Failure(200, ''))
  const redirecting = await startHostileStore(t,
    (_request, response) => response.writeHead(307, { location: `${inner.endpoint}/data` }).end())
  t.match(await listAt(t, redirecting), { code: 'INVALID_CONFIGURATION' })
  t.strictSame(inner.requests, [])
  t.match(await listAt(t, inner, { TABCAST_CONNECTOR_ALLOW_CIDRS: '' }), { code: 'ENDPOINT_NOT_ALLOWED' })
  const { port } = new URL(inner.endpoint)
  t.match(await listAt(t, inner, { TABCAST_PORT: port }), { code: 'ENDPOINT_NOT_ALLOWED' }, 'the service itself')
  t.match(await listAt(t, inner, { TABCAST_NATS_URL: `nats://127.0.0.1:${port}` }), { code: 'ENDPOINT_NOT_ALLOWED' },
    'its queue')
  t.match(await listAt(t, inner, { TABCAST_S3_ENDPOINT: inner.endpoint }), { code: 'ENDPOINT_NOT_ALLOWED' },
    'its own store')
  t.match(
    await listAt(t, { ...inner, endpoint: 'http://169.254.169.254' }, { TABCAST_CONNECTOR_ALLOW_CIDRS: '0.0.0.0/0' }),
    { code: 'ENDPOINT_NOT_ALLOWED' }
  )
  t.strictSame(inner.requests, [])
  const connectors = await setupConnectors(t, inner, { TABCAST_CONNECTOR_ALLOW_CIDRS: '' })
  const { checks } = await connectors.open(connectors.input({ bucket: 'data' })).testConnection()
  t.strictSame(checks.map(({ status }) => status), ['failed', ...Array.from({ length: 6 }, () => 'skipped')])
})

t.test('a store is not asked for parts that it says it has, and what it answers of an upload in parts is not trusted', async (t) => {
  const begun = '<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>'
  const write = async (answers: { begin?: string, part?: Record<string, string>, end?: string }) => {
    const store = await startHostileStore(t, (request, response) => {
      request.resume().on('end', () => {
        const { method = '', url = '' } = request
        if (method === 'HEAD') response.writeHead(404).end()
        else if (method === 'GET' && url.includes('uploadId')) response.end(endlessParts)
        else if (method === 'GET') response.end(unfinished)
        else if (method === 'PUT') response.writeHead(200, answers.part ?? { etag: '"part"' }).end()
        else if (method === 'DELETE') response.writeHead(204).end()
        else {response.end(
            url.includes('uploadId') ? answers.end ?? '<CompleteMultipartUploadResult/>' : answers.begin ?? begun
          )}
      })
    })
    const connectors = await setupConnectors(t, store, {}, { maxSinglePutBytes: 1000 })
    const path = `${connectors.folder}/output`
    await writeFile(path, 'x'.repeat(2000))
    const output = {
      path,
      key: 'out.csv',
      bytes: 2000,
      sha256: createHash('sha256').update('x'.repeat(2000)).digest('hex'),
      contentType: 'text/csv',
      jobId: 'job_1',
      allowOverwrite: false
    }
    const end = await connectors.open(connectors.input({ bucket: 'data' })).writeOutput(output).catch((
      error: unknown
    ) => error)
    return { end, methods: store.requests.map((line) => line.split(' ')[0]) }
  }
  t.strictSame(await write({}), {
    end: { uri: 's3://data/out.csv', bytes: 2000, alreadyThere: false },
    methods: ['HEAD', 'POST', 'PUT', 'POST']
  })
  t.match(await write({ begin: '<html></html>' }), {
    end: { code: 'INVALID_CONFIGURATION' },
    methods: ['HEAD', 'POST']
  })
  for (const part of [{}, { etag: '"<Part/>"' }, { etag: 'e'.repeat(300) }]) {
    t.match(await write({ part }), {
      end: { code: 'INVALID_CONFIGURATION' },
      methods: ['HEAD', 'POST', 'PUT', 'DELETE']
    })
  }
  t.match(await write({ end: '<Error><Code>InternalError</Code></Error>' }), {
    end: { code: 'PROVIDER_UNAVAILABLE' },
    methods: ['HEAD', 'POST', 'PUT', 'POST', 'DELETE']
  })
  t.match(await write({ end: 'x'.repeat(20_000) }), { end: { code: 'INVALID_CONFIGURATION' } })
})

t.test('a store without ETags is read; an object that changed is told by its time', async (t) => {
  const content = 'a,2024-01-01,1\n'
  const listing =
    `<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>in/a.csv</Key><LastModified>2024-01-01T00:00:00.500Z</LastModified><Size>${content.length}</Size></Contents></ListBucketResult>`
  const read = async (headers: Record<string, string>) => {
    const store = await startHostileStore(t,
      ({ url = '' }, response) =>
        url.includes('?') ? response.end(listing) : response.writeHead(200, headers).end(content))
    const connectors = await setupConnectors(t, store)
    return await connectors.open(connectors.input({ bucket: 'data', prefix: 'in/' })).readData({
      folder: await connectors.scratch()
    })
  }
  t.match(await read({}), { bytes: content.length, parts: [{ key: 'in/a.csv', etag: '' }], unpinned: 1 })
  t.match(await read({ 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' }), { bytes: content.length, unpinned: 0 })
  await t.rejects(read({ 'last-modified': 'Mon, 01 Jan 2024 00:00:02 GMT' }), { code: 'SOURCE_CHANGED' })
})

t.test('keys that a store lists are not trusted', async (t) => {
  const listing = (key: string) =>
    `<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>${key}</Key><LastModified>2024-01-01T00:00:00Z</LastModified><ETag>"e"</ETag><Size>3</Size></Contents></ListBucketResult>`
  for (const key of ['in/..%2F..%2Fetc', 'in/%00', 'in/a%5Cb', 'in/%01']) {
    const store = await startHostileStore(t, (_request, response) => response.end(listing(key)))
    const connectors = await setupConnectors(t, store)
    await t.rejects(connectors.open(connectors.input({ bucket: 'data', prefix: 'in/' })).estimateSize(), {
      code: 'INVALID_KEY'
    }, key)
  }
  const elsewhere = await startHostileStore(t, (_request, response) => response.end(listing('out/secret.csv')))
  const connectors = await setupConnectors(t, elsewhere)
  await t.rejects(connectors.open(connectors.input({ bucket: 'data', prefix: 'in/' })).estimateSize(), {
    code: 'SOURCE_NOT_FOUND'
  }, 'outside the prefix')
  const lying = await startHostileStore(t, (request, response) =>
    (request.url ?? '').includes('?')
      ? response.end(listing('in/a.csv'))
      : response.writeHead(200, { etag: '"e"' }).end('more than three'))
  const read = await setupConnectors(t, lying)
  await t.rejects(read.open(read.input({ bucket: 'data', prefix: 'in/' })).readData({ folder: await read.scratch() }), {
    code: 'SOURCE_CHANGED'
  }, 'more bytes than listed')
})

t.test('row 32: secrets whose key is gone from the keyring are CREDENTIALS_UNAVAILABLE', async (t) => {
  const store = await startHostileStore(t, s3Failure(403, 'AccessDenied'))
  const connectors = await setupConnectors(t, store)
  const input = connectors.input({ bucket: 'data' })
  addKey(`${connectors.folder}/keyring.json`)
  t.match(await connectors.open(input).estimateSize().catch((error: unknown) => error), {
    code: 'AUTHORIZATION_FAILED'
  }, 'readable during a rotation')
  dropOldKeys(`${connectors.folder}/keyring.json`)
  connectors.vault.reload()
  t.match(await connectors.open(input).estimateSize().catch((error: unknown) => error), {
    code: 'CREDENTIALS_UNAVAILABLE'
  })
  t.match((await connectors.open(input).testConnection()).checks.filter(({ status }) => status === 'failed'), [{
    name: 'authenticate',
    errorCode: 'CREDENTIALS_UNAVAILABLE'
  }])
})

t.test('54: patterns are matched in linear time', async (t) => {
  const cases: Array<[string, string, boolean]> = [
    ['*.csv', 'a.csv', true],
    ['*.csv', 'a/b.csv', false],
    ['**.csv', 'a/b.csv', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**/b', 'a/b', false],
    ['part-?.csv', 'part-1.csv', true],
    ['part-?.csv', 'part-12.csv', false],
    ['?', '/', false],
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['(a+)+$', 'aaaa', false],
    ['(a+)+$', '(a+)+$', true],
    ['[a]', 'a', false],
    ['ä*', 'äöü', true],
    ['a*a*a', 'aaXaa', true],
    ['*a', 'b', false]
  ]
  for (const [pattern, text, matches] of cases) t.equal(matchesGlob(pattern, text), matches, `${pattern} on ${text}`)
  t.equal(matchesGlob('*'.repeat(10_000), 'a'.repeat(1000)), true)
  t.equal(matchesGlob('*a'.repeat(500) + 'b', 'a'.repeat(1024)), false, 'what a backtracking matcher never ends')
  t.equal(matchesGlob('(a+)+$'.repeat(100), 'a'.repeat(1024)), false)
})

t.test('keys that could mean another place are refused', async (t) => {
  for (const key of ['a/b.csv', 'ä/ö.csv', 'a b', '...', 'a..b/c', 'x'.repeat(1024)]) t.equal(checkObjectKey(key), key)
  t.equal(checkObjectKey('a\u0308'), 'ä', 'in its composed form')
  for (const key of ['', '/a', 'a/', '../a', 'a/../b', 'a/..', './a', 'a\\b', 'a\0b', 'a\nb', 'a\u007f', 'a\u0085',
    '\ud800', 'ä'.repeat(513)]) {
    t.throws(() => checkObjectKey(key), { code: 'INVALID_KEY' }, JSON.stringify(key.slice(0, 20)))
  }
  for (const prefix of ['', 'a/', 'a']) t.equal(checkKeyPrefix(prefix), prefix)
  for (const prefix of ['/', '../../', 'a/./b']) t.throws(() => checkKeyPrefix(prefix), { code: 'INVALID_KEY' })
})

t.test('what the engine finds wrong with content is told as a connector code', async (t) => {
  const content = (code: string, status: 413 | 415 | 422) => ({
    code,
    status,
    message: '',
    column: null,
    row: null,
    item: null,
    count: null,
    suggestion: null
  })
  t.equal(contentFailure(content('decompression_limit', 413)), 'DECOMPRESSION_LIMIT', '32: a gzip bomb')
  t.equal(contentFailure(content('too_many_rows', 413)), 'DATASET_TOO_LARGE')
  t.equal(contentFailure(content('corrupt_file', 415)), 'CORRUPT_DATA')
  t.equal(contentFailure(content('missing_column', 422)), 'SCHEMA_MISMATCH')
})
