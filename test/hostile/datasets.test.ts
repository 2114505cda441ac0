import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ErrorCode, FieldError } from '../../src/domain/error-codes.ts'
import { prepare } from '../../src/engine/index.ts'
import { csv, dayMs, hourMs, isoSeconds, parseCsv, series } from '../support/csv.ts'
import { expectError, fieldsOf, suggestionOf } from '../support/expect-error.ts'
import { testLimits, testSpec } from '../support/job-message.ts'
import { expectHealthy, expectNothingLeft, peakMemory } from '../support/leftovers.ts'
import { integerAt, readFooter, structAt, structsAt, withFooter, type Struct } from '../support/parquet-footer.ts'
import { Client, startService, type Job } from '../support/service.ts'

/*
 * Datasets that are wrong, odd or made to hurt, by the numbers of the list of bad inputs in src/api/contract.md.
 * Each refusal is checked whole: envelope, field, nothing left behind, service healthy.
 */
const maxRows = 50_000
const service = await startService({
  TABCAST_RATE_LIMITS: 'false',
  TABCAST_MAX_ROWS: String(maxRows),
  TABCAST_MAX_SERIES: '1000',
  TABCAST_MAX_FORECAST_POINTS: '10000'
})
t.teardown(service.cleanup)
const careful = new Client(service.baseUrl, await service.createKey('careful'))
const hostile = new Client(service.baseUrl, await service.createKey('hostile'))

interface Upload {
  data: string | Uint8Array<ArrayBuffer>
  fields?: Record<string, string>
  filename?: string
}

async function refuse (t: Test, { data, fields = {}, filename = 'data.csv' }: Upload, status: number,
  code: ErrorCode = 'validation_error') {
  const envelope = await expectError(t, await hostile.submit(data, fields, filename), status, code)
  await expectNothingLeft(t, service, 'hostile')
  await expectHealthy(t, service)
  return envelope
}

/** The one field error of a 422 that blames the file. */
async function refuseContent (t: Test, upload: Upload): Promise<FieldError> {
  const fields = fieldsOf(await refuse(t, upload, 422))
  t.equal(fields.length, 1, 'one fault is reported')
  t.strictSame(fields[0]?.loc.slice(0, 2), ['body', 'file'], 'the file is to blame')
  return fields[0] as FieldError
}

interface Accepted {
  job: Job
  rows: string[][]
}

/** The job must complete, and every number of its table be finite. */
async function accept (t: Test, { data, fields = {}, filename = 'data.csv' }: Upload): Promise<Accepted> {
  const { job_id: jobId } = await careful.submitted(data, { prediction_length: '3', presets: 'fast', ...fields },
    filename)
  const job = await careful.ended(jobId)
  t.equal(job.status, 'completed', `${job.error_code}: ${job.error}`)
  const [, ...rows] = parseCsv(await careful.table(jobId))
  t.ok(rows.length > 0, 'there are forecasts')
  t.ok(rows.every((row) => row.slice(2).every((cell) => cell !== '' && Number.isFinite(Number(cell)))),
    'all numbers are finite')
  return { job, rows }
}

function warningsOf (job: Job): Array<{ code: string, message: string, count: number }> {
  return (job['warnings'] ?? []) as Array<{ code: string, message: string, count: number }>
}

t.test('1: an empty file is a 400', async (t) => {
  await refuse(t, { data: '' }, 400)
})

t.test('2: a header without rows is a 400', async (t) => {
  await refuse(t, { data: csv([]) }, 400)
})

t.test('3: a missing column is a 422 that names it and lists the columns found', async (t) => {
  const { loc, msg, type } = await refuseContent(t, { data: csv(series(), 'shop,timestamp,target') })
  t.strictSame(loc, ['body', 'file', 'item_id'])
  t.equal(type, 'missing_column')
  for (const name of ['item_id', 'shop', 'timestamp', 'target']) t.match(msg, name)
})

t.test('4: a series with one observation is a 422 that names it', async (t) => {
  const { ctx, type } = await refuseContent(t, { data: csv([...series(), 'lonely,2024-01-01,1']) })
  t.equal(type, 'too_few_observations')
  t.equal(ctx?.['item'], 'lonely')
})

t.test('5: rows with the same series and time are a 422 with their count', async (t) => {
  const rows = series()
  const { ctx, type } = await refuseContent(t, { data: csv([...rows, ...rows.slice(0, 3)]) })
  t.equal(type, 'duplicate_rows')
  t.equal(ctx?.['count'], 3)
})

t.test('5: rows that differ in nanoseconds are refused for being too fine, not as duplicates', async (t) => {
  const nanoseconds = (time: Date) =>
    `${isoSeconds(new Date(0))}.${String(time.getTime() / dayMs % 1000).padStart(9, '0')}`
  const { loc, msg, type, ctx } = await refuseContent(t, { data: csv(series({ stamp: nanoseconds })) })
  t.equal(type, 'timestamps_too_fine')
  t.equal(loc[2], 'timestamp')
  t.match(msg, 'finer than a microsecond')
  t.match(msg, 'Make one row of the rows of each second')
  t.equal(ctx?.['row'], 1)
  const tenths = (time: Date) => new Date(time.getTime() / 864_000).toISOString()
  for (const freq of ['', 's']) {
    const fields = fieldsOf(await refuse(t, { data: csv(series({ stamp: tenths })), fields: { freq } }, 422))
    t.equal(fields[0]?.type, 'timestamps_too_fine')
    t.match(fields[0]?.msg, 'the shortest step is one second')
  }
})

t.test('6: one unparseable timestamp is a 422 with its row', async (t) => {
  const { loc, ctx, msg, type } = await refuseContent(t, { data: csv(series().with(6, 'a,not a day,7')) })
  t.match(msg, '2026-01-31', 'it shows how to write one')
  t.equal(type, 'unparseable_timestamp')
  t.equal(loc[2], 'timestamp')
  t.equal(ctx?.['row'], 7)
})

t.test('7: mixed time zones are normalised to UTC, with a warning', async (t) => {
  const plain = { length: 48, stepMs: hourMs, stamp: isoSeconds }
  const zoned = {
    ...plain,
    stamp: (time: Date) => time.getTime() % (2 * hourMs) === 0 ? shifted(time, 2) : shifted(time, -5)
  }
  const { job } = await accept(t, { data: csv(series(zoned)) })
  const inUtc = await accept(t, { data: csv(series(plain)) })
  t.equal(job['dataset_hash'], inUtc.job['dataset_hash'], 'the same instants are the same dataset')
  t.ok(warningsOf(job).some(({ message }) => /zone|offset|utc/i.test(message)), 'a warning tells')
})

t.test('8: a target that is no number is a 422 with its count; NA tokens are nulls', async (t) => {
  const { loc, ctx, msg, type } = await refuseContent(t, {
    data: csv(series().with(3, 'a,2024-01-04,"1,234.5"').with(9, 'a,2024-01-10,x'))
  })
  t.equal(type, 'non_numeric_target')
  t.match(msg, 'decimal point')
  t.equal(loc[2], 'target')
  t.equal(ctx?.['count'], 2)
  const tokens = ['N/A', 'NA', 'NaN', 'null', '']
  await accept(t, { data: csv(series({ value: (step) => step < tokens.length ? tokens[step] ?? '' : step })) })
})

t.test('9: a series without any target is a 422 that names it', async (t) => {
  const { ctx, type } = await refuseContent(t, {
    data: csv([...series(), ...series({ item: 'void', value: () => '' })])
  })
  t.equal(type, 'all_null_target')
  t.equal(ctx?.['item'], 'void')
})

t.test('10: an infinite target is a 422', async (t) => {
  for (const value of ['Infinity', '-inf', '1e400']) {
    const { type } = await refuseContent(t, { data: csv(series().with(5, `a,2024-01-06,${value}`)) })
    t.equal(type, 'non_finite_target', value)
  }
})

t.test('11: a constant series has a flat forecast', async (t) => {
  for (const preset of ['fast', 'balanced', 'best']) {
    const { rows } = await accept(t, { data: csv(series({ value: () => 7.5 })), fields: { presets: preset } })
    t.ok(rows.every((row) => Math.abs(Number(row[2]) - 7.5) < 1e-6), `${preset}: the mean stays at the constant`)
  }
})

t.test('12: negative and mostly zero series are taken', async (t) => {
  const sparse = series({ item: 'zeros', length: 120, value: (step) => step % 17 === 0 ? 3 : 0 })
  const negative = series({ item: 'negative', length: 120, value: (step) => -1000 + 5 * Math.sin(step) })
  for (const preset of ['fast', 'balanced', 'best']) {
    const { rows } = await accept(t, { data: csv([...sparse, ...negative]), fields: { presets: preset } })
    t.equal(rows.length, 6, preset)
  }
})

t.test('13: hourly local time with the hour that summer time skips is taken', async (t) => {
  const local = { length: 240, start: '2024-03-28', stepMs: hourMs, value: (step: number) => 10 + step % 24 }
  const naive = series({ ...local, stamp: isoSeconds }).filter((row) => !row.includes('2024-03-31 02:'))
  await accept(t, { data: csv(naive) })
  const summer = Date.parse('2024-03-31T01:00:00Z')
  const withOffset = series({ ...local, stamp: (time) => shifted(time, time.getTime() < summer ? 1 : 2) })
  const { job } = await accept(t, { data: csv(withOffset) })
  t.equal((job['effective_config'] as { freq?: string } | null)?.freq ?? 'h', 'h')
})

t.test('14: few gaps are a warning, many ask for freq, and a freq that contradicts the data is refused', async (t) => {
  const daily = series({ length: 100 })
  const { job } = await accept(t, { data: csv(daily.filter((_, step) => ![20, 41, 62].includes(step))) })
  t.ok(warningsOf(job).length > 0, 'the gaps are warned of')

  const days = [0, 1, 4, 9, 11, 18, 19, 27, 40, 42, 55, 71, 72, 90]
  const { msg, type } = await refuseContent(t, { data: csv(days.map((day) => daily[day] ?? '')) })
  t.equal(type, 'frequency_not_inferred')
  t.match(msg, /Give freq, for example/)

  const hourly = csv(series({ length: 96, stepMs: hourMs, stamp: isoSeconds }))
  for (const [data, freq] of [[hourly, 'D'], [csv(daily), 'MS'], [hourly, 'W-MON']] as const) {
    const fields = fieldsOf(await refuse(t, { data, fields: { freq } }, 422))
    t.equal(fields[0]?.type, 'frequency_conflict', `as ${freq}`)
  }
})

t.test('15: years at the ends of the calendar and epoch integers are read by rule or refused', async (t) => {
  const yearly = (first: number) =>
    Array.from({ length: 30 }, (_, step) => `a,${String(first + step).padStart(4, '0')}-01-01,${step + 1}`)
  const { rows } = await accept(t, { data: csv(yearly(1)) })
  t.strictSame(rows.map((row) => row[1]), ['0031-01-01 00:00:00', '0032-01-01 00:00:00', '0033-01-01 00:00:00'])

  const { type } = fieldsOf(await refuse(t, { data: csv(yearly(9970)) }, 422))[0] ?? {}
  t.equal(type, 'timestamp_out_of_range', 'a forecast beyond the year 9999 is refused')
  await refuseContent(t, { data: csv(series().with(0, 'a,0000-01-01,1')) })
  await refuseContent(t, { data: csv(series().with(39, 'a,10000-01-01,1')) })

  const iso = await accept(t, { data: csv(series()) })
  for (const digits of ['', '000', '000000', '000000000']) {
    const epoch = await accept(t, { data: csv(series({ stamp: (time) => `${time.getTime() / 1000}${digits}` })) })
    t.equal(epoch.job['dataset_hash'], iso.job['dataset_hash'], `epoch with ${digits.length} digits below the second`)
  }
})

t.test('16: a byte order mark is skipped, UTF-16 is a 415', async (t) => {
  const plain = await accept(t, { data: csv(series()) })
  const marked = await accept(t, { data: '\u{feff}' + csv(series()) })
  t.equal(marked.job['dataset_hash'], plain.job['dataset_hash'])
  await refuse(t, { data: new Uint8Array(Buffer.from('\u{feff}' + csv(series()), 'utf16le')) }, 415)
  await refuse(t, { data: new Uint8Array(Buffer.from('\u{feff}' + csv(series()), 'utf16le').swap16()) }, 415)
})

t.test('17: quoted newlines are data, a cell of a megabyte is a 422', async (t) => {
  const { rows } = await accept(t, { data: csv(series({ item: '"two\nlines, ""quoted"""' })) })
  t.ok(rows.every((row) => row[0] === 'two\nlines, "quoted"'))
  const { type } = await refuseContent(t, { data: csv(series({ item: 'x'.repeat(1_000_000), length: 3 })) })
  t.equal(type, 'cell_too_long')
  await refuseContent(t, { data: csv([`"${series().join('\n').repeat(60)}`]) })
})

t.test('18: NUL bytes are a 415', async (t) => {
  await refuse(t, { data: csv(series().with(20, 'a,2024-01-21,2\0')) }, 415)
})

t.test('18: a NUL in an item id of a Parquet file is a 415 as well', async (t) => {
  const parquet = await plainParquet(csv(series({ item: 'a#' })))
  const odd = Buffer.from(parquet.toString('latin1').replaceAll('a#', 'a\0'), 'latin1')
  await accept(t, { data: new Uint8Array(parquet), filename: 'data.parquet' })
  const { detail } = await refuse(t, { data: new Uint8Array(odd), filename: 'data.parquet' }, 415)
  t.match(JSON.stringify(detail), /column 'item_id' contains a NUL byte/)
})

t.test('19: 501 columns are a 413 dataset_too_large, 500 are taken', async (t) => {
  const wide = (columns: number) => {
    const extra = Array.from({ length: columns - 3 }, (_, column) => `c${column}`)
    return csv(series().map((row) => `${row},${extra.map(() => '1').join(',')}`),
      `item_id,timestamp,target,${extra.join(',')}`)
  }
  await refuse(t, { data: wide(501) }, 413, 'dataset_too_large')
  await accept(t, { data: wide(500) })
})

t.test('20: rows over the cap are a 413 dataset_too_large, and memory stays flat', async (t) => {
  const block = csv(series({ length: 400_000, stepMs: 60_000, stamp: (time) => time.toISOString() }))
  const watched = [...service.pids('api'), ...service.pids('worker'), ...service.pids('slot')]
  const before = new Map(watched.map((pid) => [pid, peakMemory(pid)]))
  const envelope = await refuse(t, { data: block }, 413, 'dataset_too_large')
  t.ok(suggestionOf(envelope))
  for (const [pid, peak] of before) {
    const growth = peakMemory(pid) - peak
    t.ok(growth < 64 * 1024 * 1024, `process ${pid} grew by ${growth} bytes on ${block.length} bytes of input`)
  }
})

t.test('20: more series or forecast points than allowed are a 413 as well', async (t) => {
  const many = (count: number) =>
    csv(Array.from({ length: count }, (_, item) => series({ item: `s${item}`, length: 3 })).flat())
  await refuse(t, { data: many(1001) }, 413)
  const envelope = await refuse(t, { data: many(500), fields: { prediction_length: '21' } }, 413)
  t.match(suggestionOf(envelope), /prediction_length/)
  await accept(t, { data: many(500), fields: { prediction_length: '20' } })
})

/** A table of the service itself, as Parquet: a real file to break. */
async function parquetFile (): Promise<Buffer> {
  const { job } = await accept(t, { data: csv(series()), fields: { prediction_length: '40' } })
  const answer = await careful.request('GET', `/jobs/${job.job_id}/download?format=parquet`)
  return Buffer.from(await answer.arrayBuffer())
}

const asTable = { target_column: 'mean' }

t.test('29: a file that is not what its name says is a 415', async (t) => {
  const parquet = new Uint8Array(await parquetFile())
  t.match(JSON.stringify((await refuse(t, { data: parquet, fields: asTable }, 415)).detail), /parquet/i)
  await refuse(t, { data: csv(series()), filename: 'data.parquet' }, 415)
  for (const filename of ['data.xlsx', 'data.xls', 'data.json', 'data.exe', 'data', '.csv.zip']) {
    await refuse(t, { data: csv(series()), filename }, 415)
  }
  await accept(t, { data: parquet, fields: asTable, filename: 'data.PARQUET' })
})

t.test('30: a Parquet file that declares 2^40 values is refused without memory for them', async (t) => {
  const parquet = await parquetFile()
  for (const what of ['rows', 'values', 'both']) {
    const footer = readFooter(parquet)
    inflate(footer, what)
    const watched = [...service.pids('api'), ...service.pids('slot')].map((pid) => ({ pid, peak: peakMemory(pid) }))
    const answer = await hostile.submit(withFooter(parquet, footer), asTable, 'data.parquet')
    t.ok([413, 415].includes(answer.status), `${what}: ${answer.status}`)
    await expectError(t, answer, answer.status, answer.status === 413 ? 'dataset_too_large' : 'validation_error')
    for (const { pid, peak } of watched) {
      t.ok(peakMemory(pid) - peak < 64 * 1024 * 1024, `${what}: process ${pid} stays flat`)
    }
    await expectNothingLeft(t, service, 'hostile')
  }
  await expectHealthy(t, service)
})

t.test('31: a truncated or corrupted Parquet file is a 415', async (t) => {
  const parquet = await parquetFile()
  const length = parquet.length
  const scrambled = Buffer.from(parquet).fill(0xff, 4, 400)
  for (const broken of [parquet.subarray(0, length - 1), parquet.subarray(0, length / 2), parquet.subarray(0, 4),
    scrambled]) {
    await refuse(t, { data: new Uint8Array(broken), fields: asTable, filename: 'data.parquet' }, 415)
  }
})

t.test('41: item ids made to break something come back exactly, or are a 422 for their length', async (t) => {
  const ids = ['__proto__', 'constructor', '../../x', '..\\..\\x', '=cmd()', '+1', '-1', '@sum', '😀 é 漢',
    '<script>alert(1)</script>', '{{7*7}}', '%00', '\u202Eright', 'a'.repeat(10_240)]
  const { rows, job } = await accept(t, { data: csv(ids.flatMap((item) => series({ item }))) })
  t.strictSame(new Set(rows.map((row) => row[0])), new Set(ids))
  t.equal(rows.length, 3 * ids.length)
  t.equal(job['num_items'], ids.length)
  const { type } = await refuseContent(t, { data: csv(series({ item: 'a'.repeat(40_000) })) })
  t.equal(type, 'cell_too_long')
})

t.test('what is too large to be checked at once fails the job with the same code', async (t) => {
  await service.restart({ TABCAST_SYNC_CHECK_MAX_BYTES: '1000' })
  const cases = [
    { data: csv([...series({ length: 100 }), ...series({ length: 3 })]), code: 'validation_error' },
    { data: csv(series({ length: maxRows + 1, stepMs: 60_000, stamp: isoSeconds })), code: 'dataset_too_large' }
  ]
  for (const { data, code } of cases) {
    const { job_id: jobId } = await careful.submitted(data)
    const job = await careful.ended(jobId)
    t.equal(job.status, 'failed')
    t.equal(job.error_code, code)
    t.ok(job.error)
  }
  t.strictSame((await refuseContent(t, { data: csv(series({ length: 200 }), 'shop,timestamp,target') })).loc, ['body',
    'file', 'item_id'], 'the header is read at once')
  await refuse(t, { data: new Uint8Array(await parquetFile()), fields: asTable }, 415)
})

/** The table as a Parquet file without compression, whose texts can be changed in place. */
async function plainParquet (table: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'datasets-'))
  try {
    const [input, preparedPath] = [join(folder, 'input.csv'), join(folder, 'plain.parquet')]
    await writeFile(input, table)
    const { maxCsvBytes: _csv, ...limits } = testLimits
    await prepare({
      ...{ inputPaths: [input], format: 'csv', compression: null, limits, threads: 1, preparedPath, spec: testSpec },
      preparation: { filters: [], step: null, aggregate: 'sum', missing: 'none', anomalies: 'none' }
    })
    return await readFile(preparedPath)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** `2024-01-01T02:00:00+02:00`: the same instant, as a clock shows it that is so many hours ahead. */
function shifted (time: Date, hours: number): string {
  const clock = new Date(time.getTime() + hours * hourMs).toISOString().slice(0, 19)
  return `${clock}${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`
}

/** Makes the footer claim 2^40 rows, values of each column chunk, or both. */
function inflate (footer: Struct, what: string): void {
  const lie = (fields: Struct, id: number) => {
    if (integerAt(fields, id) === undefined) throw new Error(`no integer in field ${id}`)
    fields.set(id, { type: fields.get(id)?.type ?? 6, value: 2n ** 40n })
  }
  if (what !== 'values') lie(footer, 3)
  for (const group of structsAt(footer, 4)) {
    if (what !== 'values') lie(group, 3)
    if (what === 'rows') continue
    for (const column of structsAt(group, 1)) {
      const metadata = structAt(column, 3)
      if (metadata !== undefined) lie(metadata, 5)
    }
  }
}
