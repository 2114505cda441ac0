import * as native from '#native'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { contentErrorCode, contentFieldError, explainContentError } from '../../src/domain/content-error.ts'
import { check, checkHeader, convertTable, createTask, EngineError, engineVersion, forecast,
  type CheckOptions } from '../../src/engine/index.ts'
import { failure, folder, input, limits, options, panel, reconciliation, spec } from '../support/engine-input.ts'
import { hierarchyCsv, incoherent, nodesOf } from '../support/hierarchy.ts'
import { workbookParts, zipArchive, type Cell } from '../support/workbook.ts'

t.test('a dataset is checked, forecast and written as CSV and Parquet', async t => {
  const given = options(panel(4, 60))
  const { profile, warnings } = await check(given)
  t.strictSame(profile, { rows: 240, series: 4, minLength: 60, maxLength: 60, steps: 240, freq: 'D' })
  t.strictSame(warnings, [])

  const summary = await forecast(given)
  t.match(summary, { numItems: 4, rows: 12, freq: 'D', csvWritten: true, datasetHash: /^[0-9a-f]{64}$/ })
  t.strictSame(Object.keys(summary.timings).sort(), ['fit', 'ingest', 'predict', 'validate', 'write'])
  const csv = readFileSync(given.csvPath, 'utf8')
  const lines = csv.trimEnd().split('\n')
  t.equal(lines.length, 13)
  t.equal(lines[0], 'item_id,timestamp,mean,0.1,0.5,0.9')
  t.match(lines[1], /^item-0,2024-03-01 00:00:00,/)
  t.equal(readFileSync(given.parquetPath).subarray(0, 4).toString(), 'PAR1')

  const copy = `${given.csvPath}.copy`
  await convertTable({ parquetPath: given.parquetPath, path: copy, format: 'csv' })
  t.equal(readFileSync(copy, 'utf8'), csv, 'the converted CSV has the same bytes')
  await convertTable({ parquetPath: given.parquetPath, path: copy, format: 'json' })
  const rows = JSON.parse(readFileSync(copy, 'utf8')) as Array<Record<string, unknown>>
  t.strictSame(rows.map((row) => Object.values(row).join()),
    lines.slice(1).map((line) => line.split(',').map((cell, at) => at < 2 ? cell : Number(cell)).join()))
  await convertTable({ parquetPath: given.parquetPath, path: copy, format: 'jsonl' })
  t.strictSame(readFileSync(copy, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as unknown), rows)
  t.match(engineVersion(), /^\d+\.\d+\.\d+$/)
})

t.test('a hierarchy is forecast with its sums, and the summary says what was done', async t => {
  const given = options(hierarchyCsv(), { spec: { ...spec, reconciliation } })
  t.match((await check(given)).profile, { rows: 360, series: 6, nodes: 9, freq: 'MS' },
    'series are those of the dataset, and sums are counted')
  const { timings, ...summary } = await forecast(given)
  t.strictSame(Object.keys(timings).sort(), ['fit', 'ingest', 'predict', 'reconcile', 'validate', 'write'])
  t.match(summary, {
    numItems: 6,
    rows: 27,
    reconciliation: {
      method: 'min_trace',
      weights: 'shrink',
      levels: [{ numNodes: 1 }, { numNodes: 2 }, { numNodes: 6 }],
      numSeries: 9,
      numBottom: 6,
      residualWindowsUsed: 2,
      maxIncoherenceAfter: 0,
      warnings: []
    }
  })
  for (const field of ['topDownMethod', 'fallback']) {
    t.notOk(field in (summary.reconciliation ?? {}), `${field} does not apply and is left out`)
  }
  const nodes = nodesOf(readFileSync(given.csvPath, 'utf8'))
  t.strictSame(incoherent(nodes, (id) => id === 'total' ? undefined : id.includes('/') ? id.split('/')[0] : 'total'),
    [])

  const divided = await forecast({
    ...given,
    spec: { ...spec, reconciliation: { ...reconciliation, method: 'top_down', topDownMethod: 'forecast_proportions' } }
  })
  t.match(divided.reconciliation, { method: 'top_down', topDownMethod: 'forecast_proportions', residualWindowsUsed: 0 })
  for (const field of ['weights', 'shrinkage']) t.notOk(field in (divided.reconciliation ?? {}), field)
  t.notOk('reconciliation' in await forecast(options(panel(2, 30))))

  const misnamed = { spec: { ...spec, reconciliation: { ...reconciliation, hierarchyColumns: ['region', 'shop'] } } }
  for (const look of [check, checkHeader]) {
    const error = await failure(look(options(hierarchyCsv(), misnamed)))
    t.match(error.content, { code: 'missing_column', column: 'shop', status: 422 })
  }
})

t.test('a CSV above its cap is given up and can be made later', async t => {
  const given = { ...options(panel(4, 30)), maxCsvBytes: 100 }
  const summary = await forecast(given)
  t.equal(summary.csvWritten, false)
  t.equal(existsSync(given.csvPath), false)
  await convertTable({ parquetPath: given.parquetPath, path: given.csvPath, format: 'csv' })
  t.equal(readFileSync(given.csvPath, 'utf8').trimEnd().split('\n').length, 13)
})

t.test('a given frequency reaches the engine and an unknown one blames the field freq', async t => {
  const weekly = 'item_id,timestamp,target\n' +
    [7, 14, 21, 28].map(day => `a,2024-01-${String(day).padStart(2, '0')},${day}`).join('\n') + '\n'
  const { profile } = await check(options(weekly, { spec: { ...spec, freq: 'W' } }))
  t.equal(profile.freq, 'W-SUN')
  const error = await failure(check(options(weekly, { spec: { ...spec, freq: 'fortnight' } })))
  t.equal(error.content?.status, 422)
  if (error.content !== undefined) {
    t.match(contentFieldError(error.content), { loc: ['body', 'freq'], type: 'invalid_frequency' })
  }
})

t.test('content errors say what is wrong, where, and with which status', async t => {
  const head = 'item_id,timestamp,target\n'
  const cases: Array<
    { name: string, content: string | Uint8Array, change?: Partial<CheckOptions>, code: string, status: number,
      errorCode?: string, column?: string, row?: number, item?: string }
  > = [
    { name: 'an empty file', content: '', code: 'empty_file', status: 400 },
    { name: 'a header alone', content: head, code: 'no_rows', status: 400 },
    {
      name: 'a missing column',
      content: 'id,timestamp,target\na,2024-01-01,1\n',
      code: 'missing_column',
      status: 422,
      column: 'item_id'
    },
    {
      name: 'a bad timestamp',
      content: `${head}a,2024-01-01,1\na,someday,2\n`,
      code: 'unparseable_timestamp',
      status: 422,
      column: 'timestamp',
      row: 2
    },
    {
      name: 'a bad number',
      content: `${head}a,2024-01-01,1\na,2024-01-02,many\n`,
      code: 'non_numeric_target',
      status: 422,
      column: 'target',
      row: 2
    },
    {
      name: 'one observation',
      content: `${head}a,2024-01-01,1\na,2024-01-02,1\nb,2024-01-01,1\n`,
      code: 'too_few_observations',
      status: 422,
      column: 'target',
      item: 'b'
    },
    { name: 'NUL bytes', content: `${head}a,2024-01-01,1\na,2024-01-02,\0\n`, code: 'nul_bytes', status: 415, row: 2 },
    { name: 'Parquet said to be CSV', content: Buffer.from('PAR1xxxxPAR1'), code: 'format_mismatch', status: 415 },
    {
      name: 'broken Parquet',
      content: Buffer.from('PAR1xxxxPAR1'),
      change: { format: 'parquet' },
      code: 'corrupt_file',
      status: 415
    },
    {
      name: 'too many rows',
      content: panel(3, 30),
      change: { limits: { ...limits, maxRows: 50 } },
      code: 'too_many_rows',
      status: 413,
      errorCode: 'dataset_too_large'
    },
    {
      name: 'too many columns',
      content: `${head.trim()},x,y\n`,
      change: { limits: { ...limits, maxColumns: 4 } },
      code: 'too_many_columns',
      status: 413,
      errorCode: 'dataset_too_large'
    },
    {
      name: 'too many points',
      content: panel(5, 9),
      change: { limits: { ...limits, maxForecastPoints: 14 } },
      code: 'too_many_points',
      status: 413
    },
    {
      name: 'a table of too many bytes',
      content: panel(5, 9),
      change: { limits: { ...limits, maxOutputBytes: 1000 } },
      code: 'output_too_large',
      status: 413
    }
  ]
  for (const { name, content, change, code, status, errorCode = 'validation_error', column, row, item } of cases) {
    const given = options(content, change)
    for (const error of [await failure(check(given)), await failure(forecast(given))]) {
      t.equal(error.kind, 'content', name)
      t.equal(error.code, errorCode, name)
      t.match(error.content, { code, status, column: column ?? null, row: row ?? null }, name)
      if (item !== undefined) t.equal(error.content?.item, item, name)
      if (error.content === undefined) continue
      t.equal(contentErrorCode(error.content), errorCode, name)
      const field = contentFieldError(error.content)
      t.equal(field.type, code, name)
      t.equal(field.msg, explainContentError(error.content), name)
      t.ok(field.msg.startsWith(error.message), name)
      if (column !== undefined) t.strictSame(field.loc, ['body', 'file', column], name)
      if (row !== undefined) t.equal(field.ctx?.['row'], row, name)
    }
  }
})

t.test('a header is checked without the rows, with the errors of a full check', async t => {
  const rows = 'a,someday,many\n\0,\n'
  await checkHeader(options(`item_id,timestamp,target\n${rows}`))
  for (const { content, change, code } of [
    { content: '', code: 'empty_file' },
    { content: `item_id,timestamp,sales\n${rows}`, code: 'missing_column' },
    { content: `PAR1\n${rows}`, code: 'format_mismatch' },
    { content: `item_id,timestamp,target\n${rows}`, change: { format: 'parquet' as const }, code: 'format_mismatch' },
    {
      content: `item_id,timestamp,target\n${rows}`,
      change: { spec: { ...spec, freq: 'fortnight' } },
      code: 'invalid_frequency'
    }
  ]) {
    const given = options(content, change)
    const error = await failure(checkHeader(given))
    t.equal(error.content?.code, code)
    t.strictSame(error, await failure(check(given)), code)
  }
})

t.test('a cancelled run ends soon, and progress is seen from outside', async t => {
  const given = options(panel(100, 60), { spec: { ...spec, preset: 'best' } })
  const task = createTask()
  t.strictSame(task.progress(), { stage: 'queued', fraction: 0 })
  const running = failure(forecast(given, task))
  const stages = new Set<string>()
  const watch = setInterval(() => {
    const { stage, fraction } = task.progress()
    stages.add(stage)
    if (stage === 'fit' && fraction > 0.09) task.cancel()
  }, 2)
  const error = await running
  clearInterval(watch)
  t.equal(error.kind, 'cancelled')
  t.ok(stages.has('fit'))
  const early = createTask()
  early.cancel()
  t.equal((await failure(check(given, early))).kind, 'cancelled')
})

t.test("what is not the data's fault fails without blaming the data", async t => {
  const missing = { ...options(panel(1, 9)), inputPaths: [join(folder, 'nowhere')] }
  const error = await failure(check(missing))
  t.match(error, { kind: 'failed', code: 'pipeline_failed', content: undefined })
  const unwritable = { ...options(panel(1, 9)), csvPath: join(folder, 'nowhere', 'out.csv') }
  t.match(await failure(forecast(unwritable)), { kind: 'failed', code: 'pipeline_failed' })
  const wrong = options(panel(1, 9), { spec: { ...spec, predictionLength: 0 } })
  t.match(await failure(forecast(wrong)), { kind: 'failed', code: 'pipeline_failed', message: /prediction_length/ })
})

t.test("a wrong request names the field, and blames nobody's data", async t => {
  const given = options(panel(1, 9))
  const wrong: Array<{ change: object, says: RegExp }> = [
    {
      change: { spec: { ...spec, quantileLevels: [0.1, 'half'] } },
      says: /wrong request: options\.quantileLevels\[1\]: not what the engine takes there, at character \d+\.$/
    },
    {
      change: { spec: { ...spec, preset: 'turbo' } },
      says: /options\.preset: not what/
    },
    {
      change: { spec: { ...spec, columns: { ...spec.columns, target: undefined } } },
      says: /options\.columns: missing field `target`/
    },
    { change: { limits: { ...limits, maxRows: 1.5 } }, says: /options\.limits\.maxRows: not what/ },
    { change: { threads: -1 }, says: /options\.threads: not what/ },
    { change: { compression: 'bzip2' }, says: /options\.compression: not what/ },
    { change: { maxCsvBytes: NaN }, says: /output\.maxCsvBytes: not what/ },
    {
      change: { spec: { ...spec, reconciliation: { ...reconciliation, weights: 'guess' } } },
      says: /options\.reconciliation\.weights: not what/
    }
  ]
  for (const { change, says } of wrong) {
    const error = await failure(forecast({ ...given, ...change }))
    t.match(error, { kind: 'failed', code: 'pipeline_failed', content: undefined, message: says })
    t.notMatch(error.message, /half|turbo|1\.5|bzip2|guess/, 'a log line may have it')
  }
  t.notOk(existsSync(given.parquetPath))
  t.match(JSON.parse(await native.call('forcast', '{}', createTask())), {
    error: { kind: 'failed', message: /has no call "forcast"/ }
  })
  const request = { parquetPath: given.parquetPath, path: given.csvPath, format: 'csv', formt: 'json' }
  t.match(JSON.parse(await native.call('convertTable', JSON.stringify(request), createTask())), {
    error: { message: /: formt: not what the engine takes there/ }
  })
})

t.test('garbage never brings the process down and never looks like success', async t => {
  let state = 12345
  const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648
  const sound = Buffer.from(panel(2, 20))
  const made = options(panel(2, 20))
  await forecast(made)
  const parquet = readFileSync(made.parquetPath)
  const forecastColumns = { itemId: 'item_id', timestamp: 'timestamp', target: 'mean' }
  for (let round = 0; round < 200; round++) {
    const asParquet = round % 2 === 0
    const bytes = Buffer.from(asParquet ? parquet : sound)
    const hits = 1 + Math.floor(random() * 20)
    for (let hit = 0; hit < hits; hit++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    const content = random() < 0.3 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes
    const change: Partial<CheckOptions> = asParquet
      ? { format: 'parquet', spec: { ...spec, columns: forecastColumns } }
      : {}
    try {
      const summary = await forecast(options(content, change))
      t.ok(summary.numItems > 0)
    } catch (error) {
      t.type(error, EngineError)
      t.equal((error as EngineError).kind, 'content', `round ${round}: ${(error as Error).message}`)
    }
  }
})

t.test('one table in several files, packed or not, in every format', async (t) => {
  const text = panel(2, 20)
  const expected = await forecast(options(text))
  const [head = '', ...rows] = text.trimEnd().split('\n')
  const halves = [rows.slice(0, 25), rows.slice(25)]
  const objects = halves.map((half) =>
    half.map((row) => {
      const [item, timestamp, target] = row.split(',')
      return JSON.stringify({ item_id: item, timestamp, target: Number(target), comment: null })
    })
  )
  const cells: Cell[][] = text.trimEnd().split('\n').map((row, index) =>
    row.split(',').map((cell, column) => index > 0 && column === 2 ? Number(cell) : cell)
  )
  const cases: Array<{ title: string, files: Array<string | Uint8Array>, change: Partial<CheckOptions> }> = [
    { title: 'two CSV files', files: halves.map((half) => [head, ...half].join('\n')), change: {} },
    {
      title: 'two gzip files',
      files: halves.map((half) => gzipSync([head, ...half].join('\n'))),
      change: { compression: 'gzip' }
    },
    { title: 'JSON', files: [`[${objects.flat().join()}]`], change: { format: 'json' } },
    { title: 'two JSONL files', files: objects.map((half) => half.join('\n')), change: { format: 'jsonl' } },
    {
      title: 'packed JSONL',
      files: [gzipSync(objects.flat().join('\n'))],
      change: { format: 'jsonl', compression: 'gzip' }
    },
    {
      title: 'a sheet',
      files: [zipArchive(workbookParts({ Notes: [], Data: cells }))],
      change: { format: 'xlsx', spec: { ...spec, sheetName: 'Data' } }
    }
  ]
  for (const { title, files, change } of cases) {
    const inputPaths = files.map((file) => input(file))
    const given = options('', { ...change, inputPaths })
    const summary = await forecast(given)
    t.equal(summary.datasetHash, expected.datasetHash, title)
    await checkHeader(given)
  }
  const files = [text, text.replace('target', 'sales')].map((file) => input(file))
  t.match((await failure(checkHeader(options('', { inputPaths: files })))).content, {
    code: 'schema_mismatch',
    status: 422,
    message: /^File 2: /
  })
  t.match(await failure(check(options('', { inputPaths: [] }))), { kind: 'failed', code: 'pipeline_failed' })
})

t.test('32: a gzip bomb, or packed text that is damaged, is refused while it inflates', async (t) => {
  const member = gzipSync(Buffer.alloc(64 * 1024 * 1024, '\n'), { level: 9 })
  const bomb = Buffer.concat([gzipSync('item_id,timestamp,target\n'), member, member])
  const packed = gzipSync(panel(1, 20))
  const cases = [
    { content: bomb, code: 'decompression_limit', status: 413 },
    { content: packed.subarray(0, -9), code: 'corrupt_file', status: 415 },
    { content: Buffer.from(panel(1, 20)), code: 'format_mismatch', status: 415 }
  ]
  for (const { content, code, status } of cases) {
    const error = await failure(check(options(content, { compression: 'gzip' })))
    t.match(error.content, { code, status, suggestion: /./ })
  }
  t.match((await failure(check(options(packed)))).content, { code: 'format_mismatch', status: 415 },
    'packed, and not said to be')
  t.match((await failure(check(options(packed, { format: 'parquet', compression: 'gzip' })))).content, {
    code: 'unsupported_compression'
  })
})
