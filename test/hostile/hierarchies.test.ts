import t, { type Test } from 'tap'
import type { ErrorCode, FieldError } from '../../src/domain/error-codes.ts'
import { expectError, fieldsOf, suggestionOf } from '../support/expect-error.ts'
import { hierarchyCsv, incoherent, nodesOf, type HierarchyOptions } from '../support/hierarchy.ts'
import { expectHealthy, expectNothingLeft } from '../support/leftovers.ts'
import { Client, startService, type Job } from '../support/service.ts'

/*
 * Hierarchies that are wrong, odd or made to hurt: items 3, 40 and 42 of the bad inputs, and what else keeps a tree
 * from being one.
 */
const service = await startService({
  TABCAST_RATE_LIMITS: 'false',
  TABCAST_MAX_SERIES: '1000',
  TABCAST_MAX_FORECAST_POINTS: '10000'
})
t.teardown(service.cleanup)
const careful = new Client(service.baseUrl, await service.createKey('careful'))
const hostile = new Client(service.baseUrl, await service.createKey('hostile'))
const columns = { enabled: true, hierarchy_columns: ['region', 'store'] }
const months = 24

async function refuse (t: Test, data: string, block: object, status: number, code: ErrorCode = 'validation_error',
  fields: Record<string, string> = {}) {
  const envelope = await expectError(t,
    await hostile.submit(data, { reconciliation: JSON.stringify({ ...columns, ...block }), ...fields }), status, code)
  await expectNothingLeft(t, service, 'hostile')
  await expectHealthy(t, service)
  return envelope
}

/** The one field error of a 422. */
async function refuseField (t: Test, data: string, block: object = {},
  fields: Record<string, string> = {}): Promise<FieldError> {
  const found = fieldsOf(await refuse(t, data, block, 422, 'validation_error', fields))
  t.equal(found.length, 1, 'one fault is reported')
  return found[0] as FieldError
}

async function accept (t: Test, data: string, block: object = {}): Promise<{ job: Job, ids: string[] }> {
  const { job_id: jobId } = await careful.submitted(data, {
    prediction_length: '3',
    presets: 'fast',
    reconciliation: JSON.stringify({ ...columns, ...block })
  })
  const job = await careful.ended(jobId)
  t.equal(job.status, 'completed', `${job.error_code}: ${job.error}`)
  return { job, ids: nodesOf(await careful.table(jobId)).map(({ id }) => id) }
}

const csv = (options: HierarchyOptions = {}): string => hierarchyCsv({ months, ...options })
const inIds = (id: (region: string, store: string) => string): string => csv({ columns: { item_id: id } })

t.test('3: without hierarchy columns the item id is needed, with them it is not', async (t) => {
  const { ids } = await accept(t, csv())
  t.equal(ids.length, 9)
  const { loc, type, msg } = await refuseField(t, csv(), { hierarchy_columns: [] })
  t.strictSame([loc, type], [['body', 'file', 'item_id'], 'missing_column'])
  for (const name of ['region', 'store', 'timestamp', 'target']) t.match(msg, name)
})

t.test('40: a hierarchy column that is not there is named, with the columns that are', async (t) => {
  const { loc, type, msg } = await refuseField(t, csv(), { hierarchy_columns: ['region', 'shop'] })
  t.strictSame([loc, type], [['body', 'file', 'shop'], 'missing_column'])
  for (const name of ['hierarchy_columns', 'region', 'store', 'timestamp', 'target']) t.match(msg, name)
})

t.test('40: the separator inside a value is a 422 with the column and the first rows', async (t) => {
  const slashed = csv({ stores: ['a', 'b/1', 'c'] })
  const { loc, type, msg, ctx } = await refuseField(t, slashed)
  t.strictSame([loc, type], [['body', 'file', 'store'], 'separator_in_hierarchy'])
  t.match(ctx, { row: months + 1, count: 2 * months })
  for (const row of [1, 2, 3, 4, 5]) t.match(msg, new RegExp(`\\b${months + row}\\b`), `row ${months + row} is named`)
  t.match(msg, 'separator', 'and what to do')
  const { ids } = await accept(t, slashed, { separator: '|' })
  t.ok(ids.includes('north|b/1'), 'another separator takes it')
})

t.test('40: values that run into a separator are no other ids', async (t) => {
  const { type } = await refuseField(t, csv({ regions: ['north:', 'south'] }), { separator: '::' })
  t.equal(type, 'separator_in_hierarchy')
})

t.test('42: a total_label that is the id of another node is a 422', async (t) => {
  const named = await refuseField(t, csv({ regions: ['north', 'total'] }))
  t.strictSame([named.loc, named.type], [['body', 'file', 'region'], 'total_label_taken'])
  t.match(named.msg, 'total_label')
  t.equal((await refuseField(t, csv(), { total_label: 'north/b' })).type, 'total_label_taken', 'of a store')
  t.equal(
    (await refuseField(t, inIds((region, store) => `${region}/${store}`), {
      hierarchy_columns: [],
      total_label: 'south'
    })).type,
    'total_label_taken',
    'of a group in item ids'
  )
  const { ids } = await accept(t, csv({ stores: ['total', 'b'] }))
  t.ok(ids.includes('north/total'), 'below another node it is no id of its own')
})

t.test('a value that is missing is a 422 with its column and row', async (t) => {
  const { loc, type, ctx } = await refuseField(t, csv({ stores: ['a', ''] }))
  t.strictSame([loc, type], [['body', 'file', 'store'], 'missing_hierarchy_value'])
  t.match(ctx, { row: months + 1, count: 2 * months })
})

t.test('an item id that names two series of the hierarchy, or a series that has two, is a 422', async (t) => {
  const levels = { region: (region: string) => region, store: (_region: string, store: string) => store }
  const shared = await refuseField(t, csv({ columns: { item_id: (_region, store) => store, ...levels } }))
  t.strictSame([shared.loc, shared.type], [['body', 'file', 'item_id'], 'ambiguous_item_id'])
  const lines = csv({ columns: { item_id: (region, store) => region + store, ...levels } }).replace('northa', 'other')
  t.equal((await refuseField(t, lines)).type, 'ambiguous_item_id')
})

t.test('item ids of unequal depth, or with an empty part, are a 422 that names them', async (t) => {
  const ragged = await refuseField(t, inIds((region, store) => store === 'c' ? region : `${region}/${store}`), {
    hierarchy_columns: []
  })
  t.equal(ragged.type, 'hierarchy_depth')
  t.match(ragged.msg, 'north')
  const empty = await refuseField(t, inIds((region, store) => store === 'c' ? `${region}/` : `${region}/${store}`), {
    hierarchy_columns: []
  })
  t.equal(empty.type, 'missing_hierarchy_value')
})

t.test('item ids of twenty levels are taken, of one more they are a 422 that names them', async (t) => {
  const deep = (levels: number) =>
    inIds((region, store) => [region, ...Array.from({ length: levels - 2 }, () => 'a'), store].join('/'))
  const { ids } = await accept(t, deep(20), { hierarchy_columns: [] })
  t.equal(ids.length, 1 + 2 * 19 + 6)
  const { loc, type, msg, ctx } = await refuseField(t, deep(21), { hierarchy_columns: [] })
  t.strictSame([loc, type], [['body', 'file'], 'too_many_levels'])
  t.match(msg, /more than 20 parts between '\/': 'north\/a\//)
  t.match(msg, /Leave out levels, or set separator/)
  t.match(ctx, { count: 6, item: /^north\/a\// })
})

t.test('series that do not keep to the step that the others have cannot be added up', async (t) => {
  const daily = [1, 2, 3, 4].map((day) => `south,daily,2019-03-0${day},${day}\n`)
  const { type, ctx, msg } = await refuseField(t, csv() + daily.join(''))
  t.equal(type, 'off_grid_series')
  t.match(ctx, { item: 'south/daily', count: 1 })
  t.match(msg, 'south/daily')
})

t.test('sums that no number can hold are a 422', async (t) => {
  const { type, ctx } = await refuseField(t, csv({ value: () => 1e307 }))
  t.equal(type, 'sum_out_of_range')
  t.ok(ctx?.['item'])
})

t.test('a hierarchy of more nodes, or a table of more points, than are allowed is a 413', async (t) => {
  const many = csv({ months: 2, regions: Array.from({ length: 600 }, (_, at) => `r${at}`), stores: ['a'] })
  const envelope = await refuse(t, many, {}, 413, 'validation_error', { prediction_length: '3' })
  t.match(JSON.stringify(envelope.detail), /nodes/)
  t.ok(suggestionOf(envelope))
  const wide = csv({
    months: 2,
    regions: Array.from({ length: 10 }, (_, at) => `r${at}`),
    stores: Array.from({ length: 9 }, (_, at) => `s${at}`)
  })
  t.match(JSON.stringify((await refuse(t, wide, {}, 413, 'validation_error', { prediction_length: '100' })).detail),
    /points/, '90 series would do, 101 nodes do not')
})

t.test('what is wrong with the block is refused before the file is looked at', async (t) => {
  const cases: Array<[block: object, field: string, type: string]> = [
    [{ residual_windows: 0 }, 'residual_windows', 'greater_than_equal'],
    [{ residual_windows: 6 }, 'residual_windows', 'less_than_equal'],
    [{ residual_windows: 1.5 }, 'residual_windows', 'int_from_float'],
    [{ method: 'erm' }, 'method', 'literal_error'],
    [{ weights: 'mint' }, 'weights', 'literal_error'],
    [{ hierarchy_columns: ['timestamp'] }, 'hierarchy_columns', 'value_error']
  ]
  for (const [block, field, type] of cases) {
    const found = await refuseField(t, csv(), block)
    t.strictSame([found.loc, found.type], [['body', 'reconciliation', field], type])
  }
  for (const attack of ['{"__proto__": {"enabled": true}}', '{"enabled": true, "constructor": {"prototype": {}}}']) {
    const answer = await hostile.submit(csv(), { reconciliation: attack })
    await expectError(t, answer, answer.status, 'validation_error')
  }
})

t.test('41: names that hurt elsewhere come back as they were', async (t) => {
  const regions = ['__proto__', '=cmd()', '<b>"quoted", with a comma</b>', 'zwei\nZeilen', '🙂', 'constructor', '../..']
  const { ids, job } = await accept(t, csv({ regions, stores: ['hasOwnProperty', '0'] }), {
    separator: '|',
    total_label: 'toString'
  })
  t.strictSame(ids.slice(0, 8), ['toString',
    ...regions.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))])
  t.equal(ids.length, 1 + 7 + 14)
  t.match(job['reconciliation'], { levels: [{ num_nodes: 1 }, { num_nodes: 7 }, { num_nodes: 14 }] })
})

t.test('zeros, negatives, one series and deep chains add up too', async (t) => {
  const parentOf = (id: string): string | undefined =>
    id === 'total' ? undefined : id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : 'total'
  const cases: Array<[name: string, data: string, block?: object]> = [
    ['all zero', csv({ value: () => 0 })],
    ['all zero, from the top', csv({ value: () => 0 }), { method: 'top_down' }],
    ['sums of zero', csv({ stores: ['a', 'b'], value: (series, step) => (series % 2 === 0 ? 1 : -1) * (10 + step) }), {
      method: 'top_down',
      top_down_method: 'average_historical_proportions'
    }],
    ['negative', csv({ value: (series, step) => -1000 - 20 * series + 5 * Math.sin(step) }), { weights: 'ols' }],
    ['constant', csv({ value: (series) => 7 + series }), { weights: 'shrink', residual_windows: 2 }],
    ['one series', csv({ regions: ['north'], stores: ['a'] }), { weights: 'wls_var' }],
    ['very large', csv({ value: (series, step) => 1e15 * (3 + series + step) })]
  ]
  for (const [name, data, block] of cases) {
    const { job } = await accept(t, data, block)
    const nodes = nodesOf(await careful.table(job.job_id))
    t.ok(nodes.every(({ means }) => means.every((mean) => Number.isFinite(Number(mean)))), name)
    t.strictSame(incoherent(nodes, parentOf), [], name)
  }
  const deep = Array.from({ length: 20 }, (_, at) => [`l${at}`, () => `v${at}`] as const)
  const { ids } = await accept(t, csv({ regions: ['x'], stores: ['y'], columns: Object.fromEntries(deep) }), {
    hierarchy_columns: deep.map(([name]) => name)
  })
  t.equal(ids.length, 21, 'twenty levels of one node each, and the total')
})
