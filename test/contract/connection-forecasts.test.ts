import { gzipSync } from 'node:zlib'
import t from 'tap'
import { hierarchyCsv } from '../support/hierarchy.ts'
import { startS3, whyNoS3 } from '../support/s3.ts'
import { Client, panelCsv, startService } from '../support/service.ts'
import { TenantStore } from '../support/tenant-store.ts'

/** The rows of a long CSV file without quotes, as objects. */
function rowsOf (csv: string): Array<Record<string, string | number>> {
  const [header = '', ...lines] = csv.trimEnd().split('\n')
  const names = header.split(',')
  return lines.map((line) =>
    Object.fromEntries(
      line.split(',').map((cell, at) => [names[at] as string, names[at] === 'target' ? Number(cell) : cell])
    )
  )
}

t.test("forecasts from a tenant's own store", { skip: whyNoS3('minio') }, async (t) => {
  const s3 = await startS3(t, 'minio')
  const service = await startService({ TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8', TABCAST_RATE_LIMITS: 'false' })
  t.teardown(() => service.cleanup())
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  const tenant = new TenantStore(client, s3)
  await s3.createBucket('data')
  const csv = panelCsv(4, 40)
  const lines = csv.trimEnd().split('\n')
  const half = Math.ceil(lines.length / 2)
  const upload = await client.ended((await client.submitted(csv, { prediction_length: '3', presets: 'fast' })).job_id)
  const expected = await client.table(upload.job_id)
  const parquet = Buffer.from(
    await (await client.request('GET', `/jobs/${upload.job_id}/download?format=parquet`)).arrayBuffer()
  )

  await t.test('the same rows give the same table, in whatever form they lie there', async (t) => {
    const rows = rowsOf(csv)
    const objects: Record<string, string | Buffer> = {
      'whole.csv': csv,
      'packed.csv.gz': gzipSync(csv),
      'members.csv.gz': Buffer.concat([gzipSync(lines.slice(0, half).join('\n') + '\n'),
        gzipSync(lines.slice(half).join('\n') + '\n')]),
      'rows.json': JSON.stringify(rows),
      'lines.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
      'lines.jsonl.gz': gzipSync(rows.map((row) => JSON.stringify(row)).join('\n')),
      'parts/part-1.csv': lines.slice(0, half).join('\n'),
      'parts/part-2.csv': [lines[0], ...lines.slice(half)].join('\n'),
      'parts/_SUCCESS': 'x'
    }
    for (const [key, content] of Object.entries(objects)) await s3.client.putObject('data', key, content)
    const sources = [
      { prefix: 'whole.csv' },
      { prefix: 'packed.csv.gz', compression: 'gzip' },
      { prefix: 'members.csv.gz', compression: 'gzip' },
      { prefix: 'rows.json', file_format: 'json' },
      { prefix: 'lines.jsonl', file_format: 'jsonl' },
      { prefix: 'lines.jsonl.gz', file_format: 'jsonl', compression: 'gzip' },
      { prefix: 'parts/', key_pattern: 'part-*.csv' }
    ] as const
    for (const source of sources) {
      const job = await tenant.forecast(await tenant.connect({ bucket: 'data', ...source }))
      t.match(job, { status: 'completed', dataset_hash: upload['dataset_hash'], connector_code: null }, source.prefix)
      t.equal(await client.table(job.job_id), expected, source.prefix)
    }
  })

  await t.test('a Parquet table of the service is read as a source', async (t) => {
    await s3.client.putObject('data', 'table.parquet', parquet)
    const job = await tenant.forecast(
      await tenant.connect({ bucket: 'data', prefix: 'table.parquet', file_format: 'parquet' }),
      { target_column: 'mean' }
    )
    t.match(job, { status: 'completed', num_items: 4 })
  })

  await t.test('the table is written back in each format, and never read as history', async (t) => {
    await s3.createBucket('round-trip')
    await s3.client.putObject('round-trip', 'history.csv', csv)
    const connection = await tenant.connect({ bucket: 'round-trip' })
    const bodies: Record<string, Buffer> = {}
    for (const format of ['csv', 'parquet', 'json', 'jsonl']) {
      const job = await tenant.forecast(connection, {
        output: { file_format: format, key_template: `out/{job_id}.${format}` }
      })
      t.match(job, {
        status: 'completed',
        delivery_status: 'delivered',
        delivery_uri: `s3://round-trip/out/${job.job_id}.${format}`,
        dataset_hash: upload['dataset_hash']
      }, format)
      bodies[format] = await tenant.read('round-trip', `out/${job.job_id}.${format}`)
    }
    t.match(await tenant.post(`/data-connections/${connection}/validate`), { valid: true, row_count: 160 },
      'a validation leaves the results out as well')
    const listed = await (await client.request('GET', `/data-connections/${connection}/objects`)).json() as {
      objects: Array<{ key: string }>
    }
    t.strictSame(listed.objects.map(({ key }) => key), ['history.csv'])
    const again = await tenant.forecast(connection, { output: {} })
    t.match(await tenant.forecast(await tenant.connect({ bucket: 'round-trip', key_pattern: '*s*/**' })), {
      status: 'failed',
      connector_code: 'SOURCE_NOT_FOUND'
    }, 'nor does another connection read what lies under the default key')
    t.equal(again['delivery_status'], 'delivered')
    await s3.client.putObject('round-trip', 'out/more.csv', lines[0] + '\nnew,2024-01-01,1\nnew,2024-02-01,2\n')
    const own = Object.keys(bodies).length
    t.equal((await tenant.keys('round-trip', 'out/')).length, own + 1)
    t.match(await tenant.forecast(connection, { freq: 'MS' }), { status: 'completed', num_items: 5 },
      'other objects beside them are read')
    t.equal(bodies['csv']?.toString(), expected)
    t.strictSame(bodies['parquet'], parquet)
    const rows = JSON.parse(String(bodies['json'])) as Array<Record<string, unknown>>
    t.strictSame(rows, String(bodies['jsonl']).trimEnd().split('\n').map((line) => JSON.parse(line) as unknown))
    t.equal(rows.length, 12)
    t.strictSame(Object.keys(rows[0] ?? {}), expected.split('\n', 1)[0]?.split(','))
  })

  await t.test("56: an object under the destination's key is never replaced, unless that is wanted", async (t) => {
    const connection = await tenant.connect({ bucket: 'data', prefix: 'whole.csv' })
    await s3.client.putObject('data', 'latest.csv', 'mine')
    const refused = await tenant.forecast(connection, { output: { key_template: 'latest.csv' } })
    t.match(refused, { status: 'completed', delivery_status: 'failed', delivery_error: /another object/ })
    t.equal(String(await tenant.read('data', 'latest.csv')), 'mine')
    const replaced = await tenant.forecast(connection, {
      output: { key_template: 'latest.csv', allow_overwrite: true }
    })
    t.match(replaced, { status: 'completed', delivery_status: 'delivered' })
    t.equal(String(await tenant.read('data', 'latest.csv')), expected)
  })

  await t.test('32: what is wrong with a source fails the job with a code, and is in the audit trail', async (t) => {
    const zeros = gzipSync(
      Buffer.concat([Buffer.from('item_id,timestamp,target\n'), Buffer.alloc(300 * 1024 * 1024, '\n')])
    )
    const objects: Record<string, string | Buffer> = {
      'bad/bomb.csv.gz': zeros,
      'bad/parquet.csv': parquet,
      'bad/cut.csv.gz': gzipSync(csv).subarray(0, 200),
      'bad/other.csv': 'a,b\n1,2\n',
      'bad/empty.csv': '',
      'bad/text.csv': csv.replace(/\d+\.\d{4}\n/, 'many\n')
    }
    for (const [key, content] of Object.entries(objects)) await s3.client.putObject('data', key, content)
    const cases: Array<[source: { prefix: string, compression?: 'gzip', key_pattern?: string }, job: object]> = [
      [{ prefix: 'bad/bomb.csv.gz', compression: 'gzip' }, { connector_code: 'DECOMPRESSION_LIMIT' }],
      [{ prefix: 'bad/parquet.csv' }, { error_code: 'connector_error', connector_code: 'FORMAT_MISMATCH' }],
      [{ prefix: 'bad/cut.csv.gz', compression: 'gzip' }, { connector_code: 'CORRUPT_DATA' }],
      [{ prefix: 'bad/other.csv' }, {
        error_code: 'validation_error',
        connector_code: 'SCHEMA_MISMATCH',
        error: /item_id/
      }],
      [{ prefix: 'bad/empty.csv' }, { error_code: 'connector_error', connector_code: 'EMPTY_SOURCE' }],
      [{ prefix: 'bad/nothing.csv' }, { error_code: 'connector_error', connector_code: 'SOURCE_NOT_FOUND' }],
      [{ prefix: 'bad/text.csv' }, { error_code: 'validation_error', connector_code: 'SCHEMA_MISMATCH' }]
    ]
    for (const [source, wanted] of cases) {
      const connection = await tenant.connect({ bucket: 'data', ...source })
      const job = await tenant.forecast(connection)
      t.match(job, { status: 'failed', ...wanted }, source.prefix)
      t.match(await tenant.audit(connection, 'read'), [{ job_id: job.job_id, error_code: job['connector_code'] }],
        source.prefix)
    }
  })

  await t.test('a hierarchy is read from a store, validated and written back with all its nodes', async (t) => {
    await s3.client.putObject('data', 'hierarchy.csv', hierarchyCsv())
    const connection = await tenant.connect({ bucket: 'data', prefix: 'hierarchy.csv' })
    const reconciliation = { enabled: true, hierarchy_columns: ['region', 'store'] }
    t.match(await tenant.post(`/data-connections/${connection}/validate`, { reconciliation }), {
      valid: true,
      num_items: 6,
      row_count: 360
    })
    t.match(await tenant.post(`/data-connections/${connection}/validate`), { valid: false, num_items: null },
      'without it there is no item id')
    const job = await tenant.forecast(connection, { reconciliation, output: { key_template: 'nodes.csv' } })
    t.match(job, { status: 'completed', num_items: 6, delivery_status: 'delivered', reconciliation: { num_series: 9 } })
    t.equal(String(await tenant.read('data', 'nodes.csv')), await client.table(job.job_id))
    t.match(await tenant.audit(connection, 'deliver'), [{ job_id: job.job_id, rows: 27 }])
    const bad = await tenant.forecast(connection, { reconciliation: { ...reconciliation, total_label: 'north' } })
    t.match(bad, {
      status: 'failed',
      error_code: 'validation_error',
      connector_code: 'SCHEMA_MISMATCH',
      error: /total_label/
    })
  })

  await t.test('a validation looks through the same eyes as a forecast', async (t) => {
    const good = await tenant.post(
      `/data-connections/${await tenant.connect({ bucket: 'data', prefix: 'parts/', key_pattern: 'part-*' })}/validate`
    )
    t.match(good, { valid: true, row_count: 160, num_items: 4, inferred_frequency: 'MS', truncated: false })
    const bad = await tenant.post<{ checks: Array<Record<string, unknown>> }>(
      `/data-connections/${await tenant.connect({ bucket: 'data', prefix: 'bad/text.csv' })}/validate`
    )
    t.match(bad, { valid: false, row_count: 160 })
    t.match(bad.checks.filter(({ status }) => status === 'failed'), [{
      check: 'numeric_target',
      count: 1,
      sample_rows: [1]
    }])
  })
})
