import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { convertTable } from '../../src/engine/index.ts'
import { csv, parseCsv, series } from '../support/csv.ts'
import { expectError, fieldsOf } from '../support/expect-error.ts'
import { integerAt, readFooter, structAt, structsAt, textAt, type Struct } from '../support/parquet-footer.ts'
import { Client, panelCsv, startService, type Job } from '../support/service.ts'
import { workbookParts, zipArchive } from '../support/workbook.ts'
import { zipEntries } from '../support/zip.ts'

/* The forecast table in all its forms, the hashes that name it, and the ways to download it. */
const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))
const quick = { prediction_length: '4', presets: 'fast' }

async function completed (data: string | Uint8Array<ArrayBuffer>, fields: Record<string, string> = quick,
  filename = 'data.csv'): Promise<Job> {
  const { job_id: jobId } = await client.submitted(data, fields, filename)
  const job = await client.ended(jobId)
  if (job.status !== 'completed') throw new Error(`${job.error_code}: ${job.error}`)
  return job
}

async function download (job: Job, query = ''): Promise<Response> {
  return await client.request('GET', `/jobs/${job.job_id}/download${query}`)
}

async function bytes (answer: Response): Promise<Buffer<ArrayBuffer>> {
  return Buffer.from(await answer.arrayBuffer())
}

const panel = panelCsv(3, 48)

t.test('the table has one row for each series and step, by series and then by time', async (t) => {
  const job = await completed(panel)
  const [header, ...rows] = parseCsv(await client.table(job.job_id))
  t.strictSame(header, ['item_id', 'timestamp', 'mean', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9'])
  const stamps = ['2019-01-01 00:00:00', '2019-02-01 00:00:00', '2019-03-01 00:00:00', '2019-04-01 00:00:00']
  const expected = ['series-0', 'series-1', 'series-2'].flatMap((item) => stamps.map((stamp) => [item, stamp]))
  t.strictSame(rows.map((row) => row.slice(0, 2)), expected)
  t.equal(job['num_items'], 3)
  for (const [, , mean, ...quantiles] of rows) {
    const values = quantiles.map(Number)
    t.ok([Number(mean), ...values].every(Number.isFinite))
    t.strictSame(values, values.toSorted((a, b) => a - b), 'quantiles do not cross')
    t.ok(Math.abs(Number(mean) - 115) < 60, 'the forecast is of the order of the data')
  }
})

t.test('quantile columns are named by the level, raw or prefixed, in ascending order', async (t) => {
  const header = async (fields: Record<string, string>) =>
    parseCsv(await client.table((await completed(panel, { ...quick, ...fields })).job_id))[0]?.slice(2)
  t.strictSame(await header({ quantile_levels: '0.975,0.025,0.5' }), ['mean', '0.025', '0.5', '0.975'])
  t.strictSame(await header({ quantile_levels: '[0.9, 1e-1]', quantile_column_style: 'prefixed' }), ['mean', 'q0.1',
    'q0.9'])
  t.strictSame(await header({ quantile_levels: '0.50', quantile_column_style: 'raw' }), ['mean', '0.5'])
})

t.test('time stamps are written as pandas does or as ISO 8601, whatever the frequency', async (t) => {
  const cases: Array<{ freq: string, rows: string[], next: string }> = [
    {
      freq: 'h',
      rows: series({ length: 72, stepMs: 3_600_000, stamp: (time) => time.toISOString() }),
      next: '2024-01-04 00:00:00'
    },
    {
      freq: '15min',
      rows: series({ length: 120, stepMs: 900_000, stamp: (time) => time.toISOString() }),
      next: '2024-01-02 06:00:00'
    },
    {
      freq: 'W-SUN',
      rows: series({ start: '2024-01-07', length: 30, stepMs: 7 * 86_400_000 }),
      next: '2024-08-04 00:00:00'
    },
    { freq: 'ME', rows: monthEnds(30), next: '2024-07-31 00:00:00' }
  ]
  for (const { freq, rows, next } of cases) {
    for (const format of ['pandas', 'iso8601']) {
      const job = await completed(csv(rows), { ...quick, timestamp_format: format })
      const stamp = parseCsv(await client.table(job.job_id))[1]?.[1]
      t.equal(stamp, format === 'pandas' ? next : `${next.replace(' ', 'T')}+00:00`, `${freq} as ${format}`)
    }
  }
})

t.test('dates whose year comes last give the bytes of the same dates with the year first, and the job says how they ' +
  'were read', async (t) => {
  const start = Date.UTC(2024, 11, 20)
  const days = Array.from({ length: 40 }, (_, index) => new Date(start + index * 86_400_000).toISOString().slice(0, 10))
  const rows = (stamp: (parts: string[]) => string) =>
    days.map((day, index) => ['a', stamp(day.split('-')), String(index % 7)])
  const iso = await completed(csv(rows((parts) => parts.join('-')).map((row) => row.join(','))))
  t.notOk(JSON.stringify(iso['warnings']).includes('dates_'))
  const expected = await client.table(iso.job_id)
  const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
  const forms: Array<[string, string[][], string?]> = [
    ['data.csv', rows(([year, month, day]) => `${day}.${month}.${year}`), 'dates_day_first'],
    ['data.csv', rows(([year, month, day]) => `${month}/${day}/${year} 12:00 AM`), 'dates_month_first'],
    ['data.xlsx', rows(([year, month, day]) => `${day}/${month}/${year}`), 'dates_day_first'],
    ['data.csv', rows(([year, month, day]) => `${day}-${monthNames[Number(month) - 1]}-${year}`)]
  ]
  for (const [filename, table, code] of forms) {
    const data = filename === 'data.csv'
      ? csv(table.map((row) => row.join(',')))
      : zipArchive(workbookParts({ Sheet: [['item_id', 'timestamp', 'target'], ...table] }))
    const job = await completed(data, quick, filename)
    t.equal(await client.table(job.job_id), expected, `${filename}: ${table[0]?.[1]}`)
    t.equal(job['dataset_hash'], iso['dataset_hash'])
    const codes = (job['warnings'] as Array<{ code: string }>).map((warning) => warning.code).filter((name) =>
      name.startsWith('dates_')
    )
    t.strictSame(codes, code === undefined ? [] : [code])
  }
  const ambiguous = csv(['a,03/04/2024,1', 'a,04/04/2024,2', 'a,05/04/2024,3'])
  const [field] = fieldsOf(await expectError(t, await client.submit(ambiguous, quick), 422, 'validation_error'))
  t.strictSame([field?.loc, field?.type], [['body', 'file', 'timestamp'], 'ambiguous_dates'])
  t.match(field?.msg, /'03\/04\/2024' is 2024-04-03 or 2024-03-04/)
})

t.test('CSV has LF line ends, RFC 4180 quotes, no byte order mark and the shortest digits of each number', async (t) => {
  const item = '"say ""hi"", twice\nor more"'
  const job = await completed(csv([...series({ item }), ...series({ item: 'plain' })]))
  const answer = await download(job, '?format=csv')
  t.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
  const text = (await bytes(answer)).toString('utf8')
  t.notOk(text.startsWith('\u{feff}'))
  t.notMatch(text, '\r')
  t.ok(text.endsWith('\n') && !text.endsWith('\n\n'))
  t.ok(text.includes(`\n${item},2024-`), 'quoted as RFC 4180 says')
  t.ok(text.includes('\nplain,2024-'), 'and only where it has to be')
  for (const cell of parseCsv(text).slice(1).flatMap((row) => row.slice(2))) {
    t.equal(significantDigits(cell), significantDigits(String(Number(cell))), cell)
  }
})

t.test('Parquet is the same table: columns, types, compression and values', async (t) => {
  for (const format of ['pandas', 'iso8601']) {
    const job = await completed(panel, {
      ...quick,
      timestamp_format: format,
      quantile_levels: '0.1,0.9',
      quantile_column_style: 'prefixed'
    })
    const answer = await download(job, '?format=parquet')
    t.equal(answer.headers.get('content-type'), 'application/octet-stream')
    const file = await bytes(answer)
    expectColumns(t, readFooter(file), format === 'iso8601')
    const folder = await mkdtemp(join(tmpdir(), 'tabcast-parquet-'))
    t.teardown(() => rm(folder, { recursive: true }))
    const [parquetPath, csvPath] = [join(folder, 'forecast.parquet'), join(folder, 'forecast.csv')]
    await writeFile(parquetPath, file)
    await convertTable({ parquetPath, path: csvPath, format: 'csv' })
    t.equal(await readFile(csvPath, 'utf8'), await client.table(job.job_id), `${format}: equal values`)
  }
})

/**
 * Parquet's numbers: physical types 2 INT64, 5 DOUBLE, 6 BYTE_ARRAY; logical type 8 TIMESTAMP; unit 2 MICROS; codec 6
 * ZSTD.
 */
function expectColumns (t: Test, footer: Struct, isUtc: boolean): void {
  const [, ...columns] = structsAt(footer, 2)
  t.strictSame(columns.map((column) => textAt(column, 4)), ['item_id', 'timestamp', 'mean', 'q0.1', 'q0.9'])
  t.strictSame(columns.map((column) => integerAt(column, 1)), [6n, 2n, 5n, 5n, 5n])
  const timestamp = structAt(structAt(columns[1] ?? new Map(), 10) ?? new Map(), 8) ?? new Map()
  t.equal(timestamp.get(1)?.value, isUtc, isUtc ? 'an instant in UTC' : 'without a zone')
  t.ok(structAt(structAt(timestamp, 2) ?? new Map(), 2), 'in microseconds')
  t.equal(integerAt(footer, 3), 12n, 'rows')
  const codecs = structsAt(footer, 4).flatMap((group) => structsAt(group, 1)).map((chunk) =>
    integerAt(structAt(chunk, 3) ?? new Map(), 4)
  )
  t.ok(codecs.length > 0 && codecs.every((codec) => codec === 6n), 'every column chunk is zstd')
}

t.test('equal data has an equal dataset_hash and equal bytes, in any row order and in CSV or Parquet', async (t) => {
  const first = await completed(panel)
  const [head = '', ...lines] = panel.trimEnd().split('\n')
  const shuffled = lines.toSorted((a, b) => a.slice(10) < b.slice(10) ? 1 : -1)
  const second = await completed(csv(shuffled, head))
  const reordered = await completed(
    csv(lines.map((line) => line.split(',').reverse().join(',')), 'target,timestamp,item_id')
  )
  for (const job of [second, reordered]) {
    t.equal(job['dataset_hash'], first['dataset_hash'])
    t.equal(job['config_hash'], first['config_hash'])
    t.equal(await client.table(job.job_id), await client.table(first.job_id))
    t.strictSame(await bytes(await download(job, '?format=parquet')),
      await bytes(await download(first, '?format=parquet')))
  }

  const long = await completed(panel, { presets: 'fast', prediction_length: '36' })
  const asInput = { ...quick, target_column: 'mean' }
  const fromCsv = await completed(await client.table(long.job_id), asInput)
  const fromParquet = await completed(new Uint8Array(await bytes(await download(long, '?format=parquet'))), asInput,
    'data.parquet')
  t.equal(fromParquet['dataset_hash'], fromCsv['dataset_hash'], 'CSV and Parquet of one table')
  t.equal(await client.table(fromParquet.job_id), await client.table(fromCsv.job_id))
})

t.test('hashes change with what they name, and only with that', async (t) => {
  const base = await completed(panel)
  const otherData = await completed(panelCsv(3, 48, { seed: 2 }))
  t.not(otherData['dataset_hash'], base['dataset_hash'])
  t.equal(otherData['config_hash'], base['config_hash'])
  const changes: Array<Record<string, string>> = [
    { prediction_length: '5' },
    { presets: 'balanced' },
    { freq: 'MS' },
    { quantile_levels: '0.5' },
    { timestamp_format: 'iso8601' },
    { quantile_column_style: 'prefixed' }
  ]
  const hashes = new Set([base['config_hash']])
  for (const change of changes) {
    const job = await completed(panel, { ...quick, ...change })
    hashes.add(job['config_hash'])
    t.equal(job['dataset_hash'], base['dataset_hash'], JSON.stringify(change))
  }
  t.equal(hashes.size, changes.length + 1, 'each change has a hash of its own')
  const same = await completed(panel, {
    ...quick,
    quantile_levels: '[0.9,0.8,0.7,0.6,0.5,0.4,0.3,0.2,0.1]',
    name: 'named',
    metadata: '{"a": 1}'
  })
  t.equal(same['config_hash'], base['config_hash'], 'a spelled-out default, a name and metadata change nothing')
})

t.test('no format and presign redirect to an address that works without a key', async (t) => {
  const job = await completed(panel)
  const table = await client.table(job.job_id)
  for (const format of ['', '?format=presign']) {
    const answer = await download(job, format)
    t.equal(answer.status, 307)
    const location = answer.headers.get('location') ?? ''
    t.ok(location.startsWith(`${service.baseUrl}/`), location)
    t.notMatch(location, client.key)
    const file = await fetch(location)
    t.equal(file.status, 200)
    t.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8')
    t.equal(file.headers.get('x-content-type-options'), 'nosniff')
    t.match(file.headers.get('content-disposition') ?? '', /^attachment; filename=/)
    t.equal(await file.text(), table)
  }
  const location = (await download(job)).headers.get('location') ?? ''
  const part = await fetch(location, { headers: { range: 'bytes=0-6' } })
  t.equal(part.status, 206)
  t.equal(await part.text(), 'item_id')
  await expectError(t, await fetch(location, { method: 'POST' }), 405, 'method_not_allowed')
})

t.test('a signed address that was changed in any part is a 403', async (t) => {
  const [first, second] = [await completed(panel), await completed(panelCsv(2, 48))]
  const [own, other] = await Promise.all(
    [first, second].map(async (job) => new URL((await download(job)).headers.get('location') ?? ''))
  )
  if (own === undefined || other === undefined) throw new Error('no signed addresses')
  const foreign = new URL(own)
  foreign.pathname = other.pathname
  const changed = [foreign, ...[...own.searchParams].map(([name, value]) => {
    const url = new URL(own)
    url.searchParams.set(name,
      /^\d+$/.test(value) ? String(Number(value) + 3600) : value.slice(0, -1) + (value.endsWith('A') ? 'B' : 'A'))
    return url
  })]
  const stripped = new URL(own)
  stripped.search = ''
  for (const url of [...changed, stripped]) await expectError(t, await fetch(url), 403, 'auth_failed')
  t.equal((await fetch(own)).status, 200, 'the address as it was given')
})

t.test('a zip holds every file, stored with fixed times, so that two downloads are equal', async (t) => {
  const job = await completed(panel)
  const answers = [await download(job, '?format=zip'), await download(job, '?format=zip')]
  for (const { status, headers } of answers) {
    t.equal(status, 200)
    t.equal(headers.get('content-type'), 'application/zip')
    t.match(headers.get('content-disposition') ?? '', `results_${job.job_id}.zip`)
  }
  const [one, two] = await Promise.all(answers.map(bytes))
  if (one === undefined || two === undefined) throw new Error('no zip')
  t.ok(one.equals(two), 'byte-equal')
  const entries = zipEntries(one)
  const names = entries.map(({ name }) => name)
  t.strictSame(names, ['forecast.csv', 'forecast.parquet', 'report.html', 'report.json'])
  t.notOk(names.includes('result.cbor'), 'what is internal stays inside')
  t.equal(entries.find(({ name }) => name === 'forecast.csv')?.bytes.toString(), await client.table(job.job_id))
  t.ok(entries.every(({ isStored }) => isStored))
  const report = JSON.parse(String(entries.find(({ name }) => name === 'report.json')?.bytes)) as Record<string,
    unknown>
  t.match(report, {
    version: 1,
    preset: 'fast',
    prediction_length: Number,
    series: Number,
    data_quality: { counts: {} },
    classes: Array,
    seeds: []
  })
  const page = String(entries.find(({ name }) => name === 'report.html')?.bytes)
  for (const part of ['Accuracy: not known.', job['config_hash'], job['dataset_hash'], job['model_version']]) {
    t.ok(page.includes(String(part)), String(part))
  }
  t.equal(await client.request('GET', String(job['report_url'])).then((answer) => answer.text()), page)
  t.equal(new Set(entries.map(({ modified }) => modified)).size, 1)
})

t.test('a format that is not known is a 422, and csv and parquet come as attachments', async (t) => {
  const job = await completed(panel)
  for (const format of ['xml', 'CSV', '', '__proto__']) {
    await expectError(t, await download(job, `?format=${format}`), 422, 'validation_error')
  }
  for (const format of ['csv', 'parquet']) {
    const answer = await download(job, `?format=${format}`)
    t.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename=/)
    t.equal((await bytes(answer)).length, Number(answer.headers.get('content-length')))
  }
})

t.test('a signed address expires', async (t) => {
  await service.restart({ TABCAST_SIGNED_URL_SECONDS: '1' })
  const job = await completed(panel)
  const location = (await download(job)).headers.get('location') ?? ''
  await new Promise((resolve) => setTimeout(resolve, 2100))
  await expectError(t, await fetch(location), 403, 'auth_failed')
  t.equal((await download(job, '?format=csv')).status, 200, 'the job is still there')
})

function monthEnds (count: number): string[] {
  return Array.from({ length: count },
    (_, month) => `a,${new Date(Date.UTC(2022, month + 1, 0)).toISOString().slice(0, 10)},${month + 1}`)
}

/** Without sign, point, exponent, and zeros at the ends. */
function significantDigits (number: string): string {
  return number.replace(/^-/, '').replace(/e.*$/i, '').replace('.', '').replace(/^0+|0+$/g, '')
}

t.test('csv_safe puts an apostrophe before what a spreadsheet would compute, and changes nothing else', async (t) => {
  const items = ['=1+1', '+1', '-1+cmd', '@sum', '=a,"b"', 'plain', 'a=b', ' =c', '"=d']
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const rows = items.flatMap((item, at) => series({ item: quoted(item), length: 12, value: (step) => -step - at }))
  const job = await completed(csv(rows, '=id,timestamp,target'), { ...quick, item_id_column: '=id' })
  const raw = parseCsv(await client.table(job.job_id))
  const answer = await download(job, '?format=csv&csv_safe=true')
  t.equal(answer.status, 200)
  t.match(answer.headers.get('content-type'), /^text\/csv/)
  const expected = raw.map((row, at) =>
    row.map((cell, column) => (at === 0 || column === 0) && /^[=+\-@]/.test(cell) ? `'${cell}` : cell)
  )
  t.strictSame(parseCsv(await answer.text()), expected)
  t.ok(expected.some(([item]) => item === '\'=a,"b"'), 'a quoted cell too')
  t.ok(raw.some((row) => row[2]?.startsWith('-')), 'numbers below zero are left as they are')
  t.equal(
    (await client.request('HEAD', `/jobs/${job.job_id}/download?format=csv&csv_safe=true`)).headers.get(
      'content-length'
    ),
    null
  )
  for (const query of ['?csv_safe=true', '?format=parquet&csv_safe=true', '?format=csv&csv_safe=perhaps']) {
    await expectError(t, await download(job, query), 422, 'validation_error')
  }
  t.strictSame(parseCsv(await (await download(job, '?format=csv&csv_safe=false')).text()), raw)
})
