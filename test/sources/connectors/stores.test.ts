import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { DeliveredObject } from '../../../src/domain/connection.ts'
import type { DatasetInspection } from '../../../src/domain/dataset-inspection.ts'
import type { OutputFile } from '../../../src/sources/connectors/connector.ts'
import { readParts } from '../../../src/sources/connectors/read-parts.ts'
import { findParts } from '../../../src/sources/connectors/source-parts.ts'
import { setupConnectors } from '../../support/connector.ts'
import { startS3, whyNoS3 } from '../../support/s3.ts'

/* The seven operations against real stores. */

const MiB = 2 ** 20
const lines = (first: number, count: number) =>
  Array.from({ length: count }, (_one, index) => `a,2024-01-0${first + index},${index}\n`).join('')

for (const kind of ['minio', 'versitygw'] as const) {
  t.test(kind, { skip: whyNoS3(kind) }, async (t) => {
    const store = await startS3(t, kind)
    await store.createBucket('data')
    const connectors = await setupConnectors(t, store)
    const put = async (key: string, content: string | Buffer) => {
      await store.client.putObject('data', key, Buffer.from(content))
    }

    t.test('a test walks through every step and finds out what the store can do', async (t) => {
      const result = await connectors.open(connectors.input({ bucket: 'data' })).testConnection()
      t.strictSame(result.checks.map(({ name, status }) => [name, status]), [
        ['policy', 'passed'],
        ['dns', 'passed'],
        ['tls', 'skipped'],
        ['authenticate', 'passed'],
        ['list', 'passed'],
        ['read', 'skipped'],
        ['write', 'passed']
      ])
      t.equal(result.capabilities.conditionalPut, true)
      t.equal(result.capabilities.versioning, false)
      t.strictSame(await keysOf(), [], 'the probe is gone')
    })

    t.test('a wrong key, secret or bucket is told apart', async (t) => {
      const failed = async (changes: { accessKeyId?: string, secretAccessKey?: string }, bucket = 'data') => {
        const others = await setupConnectors(t, { ...store, ...changes })
        const { checks } = await others.open(others.input({ bucket })).testConnection()
        return checks.filter(({ status }) => status === 'failed').map(({ name, errorCode }) => [name, errorCode])
      }
      t.strictSame(await failed({ accessKeyId: 'nobody-knows-me' }), [['authenticate', 'AUTHENTICATION_FAILED']])
      t.strictSame(await failed({ secretAccessKey: 'wrong-secret' }), [['authenticate', 'AUTHENTICATION_FAILED']])
      t.strictSame(await failed({}, 'no-such-bucket'), [['list', 'SOURCE_NOT_FOUND']])
    })

    t.test('a prefix reads all of its objects in order of their keys, and only those of the pattern', async (t) => {
      await put('in/part-2.csv', 'item_id,timestamp,target\n' + lines(4, 3))
      await put('in/part-1.csv', 'item_id,timestamp,target\n' + lines(1, 3))
      await put('in/notes.txt', 'not data')
      await put('in/deep/part-9.csv', 'item_id,timestamp,target\n' + lines(7, 1))
      await put('in/service-forecasts/out.csv', 'x')
      const read = async (storage: { prefix: string, keyPattern: string | null },
        delivered: DeliveredObject[] = []) => {
        const folder = await connectors.scratch()
        const source = await connectors.open({ ...connectors.input({ bucket: 'data', ...storage }), delivered })
          .readData({ folder })
        t.equal(source.paths.length, source.parts.length)
        return source
      }
      const both = await read({ prefix: 'in/', keyPattern: 'part-*.csv' })
      t.strictSame(both.parts.map(({ key }) => key), ['in/part-1.csv', 'in/part-2.csv'])
      t.match(await readFile(both.paths[0] as string, 'utf8'), /2024-01-01/)
      t.equal(both.bytes, both.parts.reduce((sum, { bytes }) => sum + bytes, 0))
      t.strictSame(
        (await read({ prefix: 'in/', keyPattern: 'in/**.csv' }, [{ key: 'in/service-forecasts/out.csv', bytes: 1 }, {
          key: 'in/part-1.csv',
          bytes: 1
        }])).parts.map(({ key }) => key),
        ['in/deep/part-9.csv', 'in/part-1.csv', 'in/part-2.csv'],
        'a pattern of whole keys; what was delivered is left out, but not what took its place'
      )
      t.strictSame((await read({ prefix: 'in/part-1.csv', keyPattern: null })).parts.map(({ key }) => key), [
        'in/part-1.csv'
      ], 'without a slash: one object')
      await t.rejects(read({ prefix: 'in/part', keyPattern: null }), { code: 'SOURCE_NOT_FOUND' },
        'not everything that begins so')
      await t.rejects(read({ prefix: 'in/', keyPattern: '*.parquet' }), { code: 'SOURCE_NOT_FOUND' })
      await put('none/empty.csv', '')
      await t.rejects(read({ prefix: 'none/', keyPattern: null }), { code: 'EMPTY_SOURCE' })
      t.strictSame(
        await connectors.open(connectors.input({ bucket: 'data', prefix: 'in/', keyPattern: 'part-*' })).estimateSize(),
        { objects: 2, bytes: both.bytes }
      )
    })

    t.test('objects are listed page by page', async (t) => {
      for (let index = 0; index < 7; index++) await put(`pages/${index}.csv`, 'x')
      await put('pages/other.txt', 'x')
      const connector = connectors.open(connectors.input({ bucket: 'data', prefix: 'pages/', keyPattern: '*.csv' }))
      const keys: string[] = []
      let startAfter: string | null = ''
      while (startAfter !== null) {
        const { objects, next } = await connector.listObjects({ limit: 3, startAfter })
        keys.push(...objects.map(({ key }) => key))
        startAfter = next
      }
      t.strictSame(keys, [0, 1, 2, 3, 4, 5, 6].map((index) => `pages/${index}.csv`))
    })

    t.test('29: content that is not what was declared is a FORMAT_MISMATCH', async (t) => {
      const csv = 'item_id,timestamp,target\n' + lines(1, 2)
      const contents = {
        parquet: Buffer.from('PAR1rest of it PAR1'),
        gzip: gzipSync(csv),
        csv: Buffer.from(csv),
        nul: Buffer.from('a,b\0c'),
        json: Buffer.from('[{"a":1}]')
      }
      for (const [name, content] of Object.entries(contents)) await put(`magic/${name}`, content)
      const read = async (name: keyof typeof contents, fileFormat: 'csv' | 'json' | 'parquet',
        compression: 'gzip' | 'zstd' | null = null) =>
        await connectors.open(connectors.input({ bucket: 'data', prefix: `magic/${name}`, fileFormat, compression }))
          .readData({ folder: await connectors.scratch() })
      const cases = [['parquet', 'csv'], ['gzip', 'csv'], ['nul', 'csv'], ['csv', 'json'], ['csv', 'parquet']] as const
      for (const [name, format] of cases) {
        await t.rejects(read(name, format), { code: 'FORMAT_MISMATCH' }, `${name} as ${format}`)
      }
      await t.rejects(read('csv', 'csv', 'gzip'), { code: 'FORMAT_MISMATCH' })
      await t.rejects(read('gzip', 'csv', 'zstd'), { code: 'FORMAT_MISMATCH' })
      t.match((await read('gzip', 'csv', 'gzip')).paths[0], /part-0001\.csv\.gz$/)
      await read('json', 'json')
      await read('parquet', 'parquet')
    })

    t.test('a source above the bound is refused before it is read', async (t) => {
      const small = await setupConnectors(t, store, { TABCAST_CONNECTOR_MAX_BYTES: '100' })
      await put('large/1.csv', 'x'.repeat(60))
      await put('large/2.csv', 'x'.repeat(60))
      await t.rejects(
        small.open(small.input({ bucket: 'data', prefix: 'large/' })).readData({ folder: await small.scratch() }),
        { code: 'DATASET_TOO_LARGE' }
      )
    })

    t.test('a validation of a source that is too long reads its first parts, or its first lines', async (t) => {
      const read: string[][] = []
      const inspect = async ({ paths }: { paths: string[] }): Promise<DatasetInspection> => {
        read.push(await Promise.all(paths.map((path) => readFile(path, 'utf8'))))
        return {
          rowCount: 1,
          numItems: 1,
          columns: [{ name: 'a', type: 'text', nulls: 0 }],
          inferredFrequency: null,
          minLength: 1,
          maxLength: 1,
          start: null,
          end: null,
          checks: [],
          warnings: [],
          truncated: false,
          schemaFingerprint: ''
        }
      }
      const limits = { maxRows: 10, maxColumns: 10, maxSeries: 10, maxCellChars: 10 }
      const dataset = { columns: { itemId: 'a', timestamp: 'b', target: 'c', covariates: [] }, freq: null }
      const small = await setupConnectors(t, store, { TABCAST_CONNECTOR_MAX_BYTES: '130' })
      const validate = async (prefix: string, storage: { compression?: 'gzip' } = {}) =>
        await small.open(small.input({ bucket: 'data', prefix, ...storage })).validateSource({
          folder: await small.scratch(),
          dataset,
          limits,
          inspect
        })
      await put('long/1.csv', 'head\n' + 'line\n'.repeat(20))
      await put('long/2.csv', 'head\n' + 'line\n'.repeat(20))
      const parts = await validate('long/')
      t.match(parts, { truncated: true, bytesRead: 105 })
      t.match(parts.checks, [{ check: 'volume', status: 'failed', count: 210 }])
      await put('single/1.csv', 'head\n' + 'line\n'.repeat(50))
      t.match(await validate('single/'), { truncated: true, bytesRead: 130 })
      t.equal(read.at(-1)?.[0], 'head\n' + 'line\n'.repeat(25))
      await put('single.gz', gzipSync('head\n' + Array.from({ length: 2000 }, (_one, index) =>
        `${index * 7919 % 1000}\n`).join('')))
      await t.rejects(validate('single.gz', { compression: 'gzip' }), { code: 'DATASET_TOO_LARGE' },
        'compressed text cannot be cut')
      t.strictSame(
        await small.open(small.input({ bucket: 'data', prefix: 'long/' })).inferSchema({
          folder: await small.scratch(),
          dataset,
          limits,
          inspect
        }),
        [{ name: 'a', type: 'text', nulls: 0 }]
      )
    })

    for (const conditionalPut of [true, null]) {
      t.test('56: a write never replaces another object, ' +
        `${conditionalPut === true ? 'the store refusing it' : 'looking first'}`, async (t) => {
        const connector = connectors.open(connectors.input({ bucket: 'data' }, { conditionalPut }))
        const key = `out/${String(conditionalPut)}/forecast.csv`
        const output = await outputFile(connectors.folder, key, 'first result')
        t.match(await connector.writeOutput(output), { uri: `s3://data/${key}`, alreadyThere: false })
        t.match(await connector.writeOutput(output), { alreadyThere: true }, 'a repeated attempt of the same job')
        const another = { ...await outputFile(connectors.folder, key, 'other result'), jobId: 'job_2' }
        await t.rejects(connector.writeOutput(another), { code: 'DESTINATION_EXISTS' })
        t.equal(await contentOf(key), 'first result')
        await connector.writeOutput({ ...another, allowOverwrite: true })
        t.equal(await contentOf(key), 'other result')
        await t.rejects(connector.writeOutput({ ...output, key: '../out.csv' }), { code: 'INVALID_KEY' })
      })
    }

    t.test('what is too large for one request is written in parts, under the same rules', async (t) => {
      const parted = await setupConnectors(t, store, {}, { maxSinglePutBytes: 5 * MiB })
      const connector = parted.open(parted.input({ bucket: 'data' }, { conditionalPut: true }))
      const output = await outputFile(parted.folder, 'out/large.csv',
        `${'a,2024-01-01,1\n'.repeat(64 * MiB / 15)}the last line of the second part\n`)
      t.ok(output.bytes > 64 * MiB)
      t.match(await connector.writeOutput(output), {
        uri: 's3://data/out/large.csv',
        bytes: output.bytes,
        alreadyThere: false
      })
      t.match(await store.client.statObject('data', 'out/large.csv'), {
        size: output.bytes,
        metaData: { 'job-id': output.jobId, sha256: output.sha256, 'content-type': 'text/csv' }
      })
      t.equal(createHash('sha256').update(await contentOf('out/large.csv')).digest('hex'), output.sha256)
      t.match(await connector.writeOutput(output), { alreadyThere: true })
      await t.rejects(connector.writeOutput({ ...output, jobId: 'job_2' }), { code: 'DESTINATION_EXISTS' })
      t.strictSame((await store.client.listIncompleteUploadsQuery('data', 'out/', '', '', '')).uploads, [])
    })

    t.test('an object that changed since it was listed is a SOURCE_CHANGED', async (t) => {
      await put('moving/1.csv', 'before')
      await put('moving/2.csv', 'before')
      await put('moving/3.csv', 'before')
      const input = connectors.input({ bucket: 'data', prefix: 'moving/' })
      const session = await connectors.session(input)
      const listed = await findParts(session, input.objectStorage)
      const read = async (parts: typeof listed) =>
        await readParts(session, parts, input.objectStorage, await connectors.scratch(), 1000)
      await put('moving/2.csv', 'after!')
      await store.client.removeObject('data', 'moving/3.csv')
      t.equal((await read(listed.slice(0, 1))).bytes, 6)
      await t.rejects(read(listed.slice(0, 2)), { code: 'SOURCE_CHANGED' })
      await t.rejects(read(listed.slice(2)), { code: 'SOURCE_CHANGED' }, 'or is gone')
    })

    async function keysOf (): Promise<string[]> {
      return (await store.client.listObjectsV2Query('data', '', '', '', 1000, '')).objects.map(({ name }) => name ?? '')
    }

    async function contentOf (key: string): Promise<string> {
      const chunks: Buffer[] = []
      for await (const chunk of await store.client.getObject('data', key)) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks).toString()
    }
  })
}

t.test("a role is assumed with the service's own identity, once for many requests", { skip: whyNoS3('minio') },
  async (t) => {
    const store = await startS3(t, 'minio')
    await store.createBucket('data')
    await store.client.putObject('data', 'one.csv', Buffer.from('a,b\n'))
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: store.accessKeyId, AWS_SECRET_ACCESS_KEY: store.secretAccessKey })
    t.teardown(() => {
      delete process.env['AWS_ACCESS_KEY_ID']
      delete process.env['AWS_SECRET_ACCESS_KEY']
    })
    const storage = {
      bucket: 'data',
      authMethod: 'assume_role',
      roleArn: 'arn:aws:iam::123456789012:role/reader',
      externalId: 'tabcast-acme'
    } as const
    const connectors = await setupConnectors(t, store, { TABCAST_CONNECTOR_AMBIENT_AUTH: 'true' })
    const input = { ...connectors.input(storage), credentials: {} }
    t.equal((await connectors.open(input).estimateSize()).objects, 1)
    process.env['AWS_SECRET_ACCESS_KEY'] = 'not-the-secret'
    t.equal((await connectors.open(input).estimateSize()).objects, 1, 'what was granted is used again')
    const other = { ...connectors.input(storage), credentials: {} }
    t.match((await connectors.open(other).testConnection()).checks.filter(({ status }) => status === 'failed'), [{
      name: 'authenticate'
    }], 'not for another connection')
    const closed = await setupConnectors(t, store)
    await t.rejects(closed.open(input).estimateSize(), { code: 'INVALID_CONFIGURATION' },
      'only when the operator allows it')
    const elsewhere = await setupConnectors(t, { ...store, endpoint: 'http://127.0.0.1:9' }, {
      TABCAST_CONNECTOR_AMBIENT_AUTH: 'true',
      TABCAST_CONNECTOR_STS_ENDPOINT: store.endpoint
    })
    Object.assign(process.env, { AWS_SECRET_ACCESS_KEY: store.secretAccessKey })
    const viaOperator = { ...elsewhere.input({ ...storage, endpointUrl: store.endpoint }), credentials: {} }
    t.equal((await elsewhere.open(viaOperator).estimateSize()).objects, 1, "the operator's token service")
  })

async function outputFile (folder: string, key: string, content: string): Promise<OutputFile> {
  const path = join(folder, createHash('sha256').update(key + content).digest('hex'))
  await writeFile(path, content)
  return {
    path,
    key,
    bytes: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
    contentType: 'text/csv',
    jobId: 'job_1',
    allowOverwrite: false
  }
}
