import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { InspectOptions } from '../../src/domain/engine-documents.ts'
import { createTask, inspect, preview, profileData } from '../../src/engine/index.ts'
import { failure, input, limits, panel, spec } from '../support/engine-input.ts'
import { hierarchyCsv } from '../support/hierarchy.ts'

/* What is found in a file: a preview, a profile, an inspection. */

t.test('an inspection looks for hierarchy columns instead of the item id', async t => {
  const given: InspectOptions = {
    inputPaths: [input(hierarchyCsv())],
    format: 'csv',
    compression: null,
    columns: spec.columns,
    hierarchy: null,
    freq: null,
    limits,
    threads: 2
  }
  const hierarchy = { columns: ['region', 'store'], separator: '/', totalLabel: 'total' }
  const failed = async (options: InspectOptions) =>
    (await inspect(options)).checks.filter(({ status }) => status === 'failed').map(({ check }) => check)
  t.match(await inspect({ ...given, hierarchy }), { rowCount: 360, numItems: 6 })
  t.strictSame(await failed({ ...given, hierarchy }), [])
  t.strictSame(await failed(given), ['required_columns'], 'there is no item id')
  t.strictSame(await failed({ ...given, hierarchy: { ...hierarchy, columns: ['region', 'shop'] } }), [
    'required_columns'
  ])
  t.ok((await failed({ ...given, hierarchy: { ...hierarchy, totalLabel: 'north' } })).length > 0)
})

t.test('a preview shows the beginning of a table in any encoding', async t => {
  const text =
    'Datum;Filiale;Umsatz;offen\n2024-01-01;Köln;1.5;true\n2024-01-02;Köln;;false\n2024-01-03;"Bonn; Nord";007;no\n'
  const table = {
    columns: ['Datum', 'Filiale', 'Umsatz', 'offen'],
    rows: [['2024-01-01', 'Köln', 1.5, true], ['2024-01-02', 'Köln', null, false], ['2024-01-03', 'Bonn; Nord', '007',
      'no']],
    truncated: false,
    delimiter: ';',
    quote: '"',
    detected: { timestamp: 'Datum', target: 'Umsatz', itemId: 'Filiale', frequency: 'D' }
  }
  const shown = { cut: false, maxRows: 100, maxColumns: 20 }
  for (const [encoding, content] of [['utf-8', text], ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')], [
    'windows-1252',
    Buffer.from(text, 'latin1')
  ]] as const) {
    t.strictSame(await preview({ inputPath: input(content), ...shown }), { ...table, encoding })
  }
  const inputPath = input(Buffer.from(text).subarray(0, 60))
  t.match(await preview({ inputPath, ...shown, cut: true }), { rows: { length: 1 }, truncated: true, quote: null })
  t.match((await failure(preview({ inputPath: input('PAR1'), ...shown }))).content, {
    code: 'format_mismatch',
    status: 415
  })
  t.match((await failure(preview({ inputPath, ...shown, maxColumns: 3 }))).content, {
    code: 'too_many_columns',
    status: 413
  })
  const task = createTask()
  task.cancel()
  t.equal((await failure(preview({ inputPath, ...shown }, task))).kind, 'cancelled')
})

t.test('a profile says what is in a file', async t => {
  const given = {
    format: 'csv' as const,
    compression: null,
    columns: {},
    limits: { maxRows: 10_000, maxColumns: 20, maxSeries: 100, maxCellChars: 1000 },
    threads: 2
  }
  const rows = Array.from({ length: 28 },
    (_, day) => `2024-01-${`${day + 1}`.padStart(2, '0')},${day % 7},${day % 3 === 0}\n`).join('')
  const inputPath = input(`Datum,Umsatz,offen\n${rows}`)
  const found = await profileData({ ...given, inputPaths: [inputPath] })
  t.same(found.roles, { timestamp: 'Datum', target: 'Umsatz', itemId: null, otherTargets: [], otherTimestamps: [] })
  t.same(found.columns.map(({ name, kind, min, max }) => [name, kind, min, max]), [['Datum', 'timestamp', null, null], [
    'Umsatz',
    'number',
    0,
    6
  ], ['offen', 'boolean', null, null]])
  t.match(found.series, {
    totalRows: 28,
    numItems: 1,
    freq: 'D',
    seasonality: [7],
    hierarchyColumns: [],
    start: '2024-01-01T00:00:00Z',
    end: '2024-01-28T00:00:00Z'
  })
  t.equal(found.unreadable, null)
  t.match(await profileData({ ...given, inputPaths: [inputPath], columns: { timestamp: 'offen' } }), {
    series: null,
    unreadable: /^None of the 28 rows/
  })
  t.match((await failure(profileData({ ...given, inputPaths: [inputPath], columns: { target: 'sales' } }))).content, {
    code: 'missing_column',
    status: 422,
    column: 'sales'
  })
  t.match((await failure(profileData({ ...given, inputPaths: [input('PAR1')] }))).content, {
    code: 'format_mismatch',
    status: 415
  })
  const task = createTask()
  task.cancel()
  t.equal((await failure(profileData({ ...given, inputPaths: [inputPath] }, task))).kind, 'cancelled')
})

t.test('an inspection reports every check, and passes what a check takes', async t => {
  const inspectable = async (content: string, change: Partial<InspectOptions> = {}): Promise<InspectOptions> => ({
    inputPaths: [input(content)],
    format: 'csv',
    compression: null,
    columns: spec.columns,
    hierarchy: null,
    freq: null,
    limits,
    threads: 2,
    ...change
  })
  const found = await inspect(await inspectable(panel(4, 60)))
  t.match(found, {
    rowCount: 240,
    numItems: 4,
    minLength: 60,
    maxLength: 60,
    start: '2024-01-01T00:00:00Z',
    end: '2024-02-29T00:00:00Z',
    inferredFrequency: 'D',
    truncated: false,
    warnings: [],
    schemaFingerprint: /^[0-9a-f]{64}$/
  })
  t.strictSame(found.columns, [{ name: 'item_id', type: 'text', nulls: 0 }, {
    name: 'timestamp',
    type: 'timestamp',
    nulls: 0
  }, { name: 'target', type: 'number', nulls: 0 }])
  t.strictSame(found.checks.map(({ check, status }) => `${check} ${status}`), [
    'required_columns',
    'nulls',
    'numeric_target',
    'duplicates',
    'timestamps',
    'min_history',
    'frequency',
    'volume'
  ].map((name) => `${name} passed`))

  const faulty = await inspect(
    await inspectable(`${panel(2, 30)}item-0,2024-01-03,7\nitem-1,soon,many\nitem-1,soon,1\n`, { freq: 'W' })
  )
  const failed = faulty.checks.filter(({ status }) => status === 'failed').map(({ check, count, sampleRows }) => ({
    check,
    count,
    sampleRows
  }))
  t.strictSame(failed, [
    { check: 'numeric_target', count: 1, sampleRows: [62] },
    { check: 'duplicates', count: 1, sampleRows: [61] },
    { check: 'timestamps', count: 2, sampleRows: [62, 63] },
    { check: 'frequency', count: 1, sampleRows: [] }
  ])
  const lines = panel(2, 30).trim().split('\n').slice(1).map((row) => row.split(',')).map(([item, timestamp, target]) =>
    JSON.stringify({ item_id: item, timestamp, target: Number(target) })
  )
  const [head = '', ...rows] = panel(2, 30).trim().split('\n')
  const parts = [rows.slice(0, 7), rows.slice(7)].map((part) => [head, ...part].join('\n'))
  const whole = await inspect(await inspectable(panel(2, 30)))
  for (const [what, files, change] of [
    ['gzip', [gzipSync(panel(2, 30))], { compression: 'gzip' }],
    ['jsonl', [lines.join('\n')], { format: 'jsonl' }],
    ['two parts', parts, {}]
  ] as const) {
    t.strictSame(
      await inspect(await inspectable('', {
        ...change,
        inputPaths: files.map((file) => input(file))
      })),
      whole,
      what
    )
  }
  const halfPaths = [parts[0] ?? '', 'a,b\n1,2\n'].map((file) => input(file))
  t.match(await inspect(await inspectable('', { inputPaths: halfPaths })), {
    checks: { 0: { check: 'required_columns', status: 'failed', message: /File 2/ } }
  })
  const capped = await inspect(await inspectable(panel(2, 30), { limits: { ...limits, stopAfter: 31 } }))
  t.match(capped, { rowCount: 31, numItems: 2, truncated: true })
  const strange = await inspect(await inspectable('a,b\n1,2\n'))
  t.match(strange, {
    rowCount: null,
    numItems: null,
    start: null,
    checks: { length: 1, 0: { check: 'required_columns', status: 'failed', count: 3 } }
  })
  t.match((await failure(inspect(await inspectable('')))).content, { code: 'empty_file', status: 400 })
  t.match((await failure(inspect(await inspectable(panel(1, 3), { freq: 'fortnight' })))).content, {
    code: 'invalid_frequency'
  })
  const task = createTask()
  task.cancel()
  t.equal((await failure(inspect(await inspectable(panel(1, 3)), task))).kind, 'cancelled')
})
