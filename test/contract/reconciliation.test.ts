import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { convertTable } from '../../src/engine/index.ts'
import { parseCsv } from '../support/csv.ts'
import { decimalsOf, gridDecimals, hierarchyCsv, incoherent, nodesOf, type Node } from '../support/hierarchy.ts'
import { Client, startService, type Job } from '../support/service.ts'

/* Forecasts of a hierarchy of two regions with three stores each, through HTTP and the whole service. */
const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))
const data = hierarchyCsv()
const ids = ['total', 'north', 'south', 'north/a', 'north/b', 'north/c', 'south/a', 'south/b', 'south/c']
const columns = { enabled: true, hierarchy_columns: ['region', 'store'] }
const horizon = 6

type Reconciliation = Record<string, unknown> & { shrinkage: number | null, max_incoherence_before: number,
  max_incoherence_after: number }

async function completed (input: string, reconciliation: object | undefined,
  fields: Record<string, string> = {}): Promise<Job> {
  const block: Record<string, string> = reconciliation === undefined
    ? {}
    : { reconciliation: JSON.stringify(reconciliation) }
  const { job_id: jobId } = await client.submitted(input, {
    prediction_length: String(horizon),
    presets: 'fast',
    ...block,
    ...fields
  })
  const job = await client.ended(jobId)
  if (job.status !== 'completed') throw new Error(`${job.error_code}: ${job.error}`)
  return job
}

function reconciliationOf (job: Job): Reconciliation {
  return job['reconciliation'] as Reconciliation
}

const parentOf = (id: string): string | undefined =>
  id === 'total' ? undefined : id.includes('/') ? id.split('/')[0] : 'total'

function expectCoherent (t: Test, nodes: Node[]): void {
  t.strictSame(incoherent(nodes, parentOf), [], 'each parent is exactly the sum of its children')
  const means = nodes.flatMap((node) => node.means)
  const decimals = gridDecimals(Math.max(...means.map((mean) => Math.abs(Number(mean)))))
  t.ok(means.every((mean) => decimalsOf(mean) <= decimals), `the means have at most ${decimals} decimals`)
}

/** Nearly equal, as far as rounding to fifteen digits may take them apart. */
function isClose (one: string[], other: string[]): boolean {
  return one.length === other.length &&
    one.every((mean, step) => Math.abs(Number(mean) - Number(other[step])) <= 1e-9 * Math.abs(Number(mean)))
}

const base = {
  enabled: true,
  method: 'min_trace',
  weights: null,
  top_down_method: null,
  levels: [{ name: 'total', num_nodes: 1 }, { name: 'region', num_nodes: 2 }, { name: 'store', num_nodes: 6 }],
  num_series: 9,
  num_bottom: 6,
  total_label: 'total',
  separator: '/',
  residual_windows_used: 0,
  shrinkage: null,
  max_incoherence_after: 0,
  fallback: null,
  warnings: []
}

const methods: Array<[block: object, expected: object]> = [
  [{ method: 'bottom_up' }, { method: 'bottom_up' }],
  [{ method: 'top_down' }, { method: 'top_down', top_down_method: 'proportions_of_historical_totals' }],
  [{ method: 'top_down', top_down_method: 'average_historical_proportions' }, {
    method: 'top_down',
    top_down_method: 'average_historical_proportions'
  }],
  [{ method: 'top_down', top_down_method: 'forecast_proportions' }, {
    method: 'top_down',
    top_down_method: 'forecast_proportions'
  }],
  [{ weights: 'ols' }, { weights: 'ols' }],
  [{}, { weights: 'wls_struct' }],
  [{ weights: 'wls_var', residual_windows: 2 }, { weights: 'wls_var', residual_windows_used: 2 }],
  [{ weights: 'shrink', residual_windows: 2 }, { weights: 'shrink', residual_windows_used: 2 }]
]

t.test('every method forecasts all nodes, and parents are exactly the sums of their children', async (t) => {
  for (const [block, expected] of methods) {
    await t.test(JSON.stringify(block), async (t) => {
      const job = await completed(data, { ...columns, ...block })
      const table = await client.table(job.job_id)
      const nodes = nodesOf(table)
      t.strictSame(nodes.map(({ id }) => id), ids, 'the total, the regions, the stores')
      t.ok(nodes.every(({ means }) => means.length === horizon), 'every node has every step')
      expectCoherent(t, nodes)
      const rows = parseCsv(table).slice(1)
      t.ok(rows.every((row) => row.slice(2).every((cell) => Number.isFinite(Number(cell)))))
      t.ok(
        rows.every(([, , , ...quantiles]) =>
          quantiles.every((cell, at) => at === 0 || Number(cell) >= Number(quantiles[at - 1]))
        ),
        'quantiles do not cross'
      )

      const { shrinkage, max_incoherence_before: before, ...rest } = reconciliationOf(job)
      t.strictSame({ ...rest, shrinkage: null }, { ...base, ...expected })
      if ('weights' in expected && expected.weights === 'shrink') {
        t.ok(shrinkage !== null && shrinkage >= 0 && shrinkage <= 1, `shrunk by ${shrinkage}`)
      } else t.equal(shrinkage, null)
      t.ok(before > 0, 'forecasts of their own do not add up')
      t.match(job, { num_items: 6, effective_config: { reconciliation: { ...columns, ...block } } })
      const { total = 0, ...stages } = job['timings'] as Record<string, number>
      t.ok(Object.hasOwn(stages, 'reconcile'), 'it is a stage of the job')
      t.ok(Object.values(stages).reduce((sum, seconds) => sum + seconds, 0) <= total + 1e-9)
    })
  }
})

t.test('bottom_up keeps the forecasts of the series, top_down that of the total', async (t) => {
  const composite = hierarchyCsv({ columns: { item_id: (region, store) => `${region}/${store}` } })
  const alone = nodesOf(await client.table((await completed(composite, undefined)).job_id))
  const summed = nodesOf(await client.table((await completed(data, { ...columns, method: 'bottom_up' })).job_id))
  for (const { id, means } of alone) t.ok(isClose(means, summed.find((node) => node.id === id)?.means ?? []), id)

  const totals = new Map<string, number>()
  for (const [, , stamp = '', target] of parseCsv(data).slice(1)) {
    totals.set(stamp, (totals.get(stamp) ?? 0) + Number(target))
  }
  const total = ['item_id,timestamp,target', ...[...totals].map(([stamp, sum]) => `total,${stamp},${sum}`)].join('\n') +
    '\n'
  const [wanted] = nodesOf(await client.table((await completed(total, undefined)).job_id))
  const [divided] = nodesOf(await client.table((await completed(data, { ...columns, method: 'top_down' })).job_id))
  t.ok(isClose(wanted?.means ?? [], divided?.means ?? []))
})

t.test('the same job gives the same bytes, whether the hierarchy is in columns or in the item ids', async (t) => {
  const block = { ...columns, weights: 'shrink', residual_windows: 2 }
  const first = await completed(data, block)
  const table = await client.table(first.job_id)
  const again = await completed(data, block)
  t.equal(await client.table(again.job_id), table)
  const [head = '', ...lines] = data.trimEnd().split('\n')
  const reversed = await completed([head, ...lines.reverse()].join('\n'), block)
  const { hierarchy_columns: _columns, ...split } = block
  const inIds = await completed(hierarchyCsv({ columns: { item_id: (region, store) => `${region}/${store}` } }), split)
  for (const job of [again, reversed, inIds]) t.equal(job['dataset_hash'], first['dataset_hash'])
  t.equal(reversed['config_hash'], first['config_hash'])
  for (const job of [reversed, inIds]) t.equal(await client.table(job.job_id), table)
  t.strictSame(reconciliationOf(inIds)['levels'], [{ name: 'total', num_nodes: 1 }, { name: 'level_1', num_nodes: 2 }, {
    name: 'level_2',
    num_nodes: 6
  }])

  const folder = await mkdtemp(join(tmpdir(), 'tabcast-hierarchy-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const answers = await Promise.all(
    [first, again].map((job) => client.request('GET', `/jobs/${job.job_id}/download?format=parquet`))
  )
  const [parquet, repeated] = await Promise.all(answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())))
  t.strictSame(repeated, parquet)
  const [parquetPath, path] = [join(folder, 'forecast.parquet'), join(folder, 'forecast.csv')]
  await writeFile(parquetPath, parquet ?? '')
  await convertTable({ parquetPath, path, format: 'csv' })
  t.equal(await readFile(path, 'utf8'), table, 'the Parquet table has the same values')
})

t.test('an item id beside the hierarchy is checked and not needed, and may be one of its levels', async (t) => {
  const expected = await client.table((await completed(data, columns)).job_id)
  const besides = hierarchyCsv({
    columns: {
      sku: (region, store) => `${store} of ${region}`,
      region: (region) => region,
      store: (_region, store) => store
    }
  })
  t.equal(await client.table((await completed(besides, columns, { item_id_column: 'sku' })).job_id), expected)
  const level = hierarchyCsv({
    stores: ['a'],
    columns: { region: (region) => region, item_id: (region) => `shop in ${region}` }
  })
  const job = await completed(level, { enabled: true, hierarchy_columns: ['region', 'item_id'] })
  t.strictSame(nodesOf(await client.table(job.job_id)).map(({ id }) => id), ['total', 'north', 'south',
    'north/shop in north', 'south/shop in south'], 'a group of one is a node as well')
})

t.test("separator and label of the total are the caller's", async (t) => {
  const job = await completed(data, { ...columns, separator: ' > ', total_label: 'all > of > them' })
  const nodes = nodesOf(await client.table(job.job_id))
  t.strictSame(nodes.map(({ id }) => id), ['all > of > them', ...ids.slice(1).map((id) => id.replace('/', ' > '))])
  t.match(reconciliationOf(job), {
    total_label: 'all > of > them',
    separator: ' > ',
    levels: [{ num_nodes: 1 }, { num_nodes: 2 }, { num_nodes: 6 }]
  })
})

t.test('residuals that a history is too short for are done without, and the job says so', async (t) => {
  const short = hierarchyCsv({ months: 9 })
  for (const weights of ['wls_var', 'shrink']) {
    const job = await completed(short, { ...columns, weights, residual_windows: 5 })
    t.match(reconciliationOf(job), {
      method: 'min_trace',
      weights: 'wls_struct',
      residual_windows_used: 0,
      shrinkage: null,
      fallback: { from: weights, to: 'wls_struct', reason: /history/ }
    })
    expectCoherent(t, nodesOf(await client.table(job.job_id)))
  }
})

t.test('no history below zero, no forecast below zero', async (t) => {
  const sparse = hierarchyCsv({ value: (series, step) => (step + series) % (series + 2) === 0 ? 5 * series : 0 })
  for (const block of [{}, { weights: 'ols' }, { weights: 'shrink', residual_windows: 3 }, {
    method: 'top_down',
    top_down_method: 'forecast_proportions'
  }]) {
    const nodes = nodesOf(await client.table((await completed(sparse, { ...columns, ...block })).job_id))
    t.ok(nodes.every(({ means }) => means.every((mean) => Number(mean) >= 0)), JSON.stringify(block))
    expectCoherent(t, nodes)
  }
})

t.test('every preset reconciles, of sums of any size', async (t) => {
  const sizes: Array<[preset: string, factor: number]> = [['balanced', 1], ['best', 1e9], ['fast', 1e-7]]
  for (const [preset, factor] of sizes) {
    const job = await completed(
      hierarchyCsv({
        months: 36,
        value: (series, step) => factor * (50 + 7 * series + step + 10 * Math.sin(step / 2 + series))
      }),
      columns,
      { presets: preset }
    )
    const nodes = nodesOf(await client.table(job.job_id))
    t.strictSame(nodes.map(({ id }) => id), ids, preset)
    expectCoherent(t, nodes)
  }
})
