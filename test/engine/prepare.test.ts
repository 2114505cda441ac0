import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { PreparationSpec } from '../../src/domain/preparation-spec.ts'
import { check, checkPreparation, createTask, EngineError, forecast, prepare, readColumns,
  type PrepareOptions } from '../../src/engine/index.ts'
import { testLimits, testSpec } from '../support/job-message.ts'

let folder: string
t.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prepare-'))
})
t.after(() => rm(folder, { recursive: true, force: true }))

const { maxCsvBytes: _csv, ...limits } = testLimits
const nothing: PreparationSpec = { filters: [], step: null, aggregate: 'sum', missing: 'none', anomalies: 'none' }

/** Eight weeks of two shops in two regions from a Monday on; shop 3 has a spike, and no row on the third day. */
function sales (): string {
  const lines = ['shop,region,timestamp,target,price']
  for (const [shop, region] of [[1, 'North'], [2, 'North'], [3, 'South']] as const) {
    for (let day = 0; day < 56; day++) {
      if (shop === 3 && day === 2) continue
      const value = shop === 3 && day === 30 ? 5000 : shop * 10 + day % 7 + (day * 7919 % 13) / 13
      lines.push(
        `${shop},${region},${new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)},${value},${day % 5}`
      )
    }
  }
  return lines.join('\n') + '\n'
}

let files = 0
async function options (preparation: Partial<PreparationSpec>, content = sales()): Promise<PrepareOptions> {
  const path = join(folder, `input-${files++}`)
  await writeFile(path, content)
  return {
    ...{ inputPaths: [path], format: 'csv', compression: null, limits, threads: 2, preparedPath: `${path}.parquet` },
    spec: { ...testSpec, columns: { itemId: 'shop', timestamp: 'timestamp', target: 'target', covariates: ['price'] } },
    preparation: { ...nothing, ...preparation }
  }
}

async function failure (work: Promise<unknown>): Promise<EngineError> {
  try {
    await work
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error('nothing failed')
}

await t.test('filtered, grouped and combined rows are written as a file that can be forecast', async (t) => {
  const given = await options({
    filters: [{ column: 'timestamp', op: 'lte', values: ['2024-02-23'] }, {
      column: 'region',
      op: 'eq',
      values: ['NORTH']
    }],
    ...{ seriesColumns: ['region'], step: 'W-SUN' }
  })
  const { warnings, ...report } = await prepare(given)
  t.strictSame(warnings, [])
  t.strictSame(report, {
    rowsRead: 167,
    rowsUsed: 108,
    filtered: [
      { column: 'timestamp', op: 'lte', values: ['2024-02-23'], rows: 6 },
      { column: 'region', op: 'eq', values: ['NORTH'], rows: 53 }
    ],
    seriesBefore: 2,
    seriesAfter: 1,
    rowsCombined: 100,
    rowsCombinedAcross: 54,
    incompletePeriodsDropped: 1,
    stepsFilled: 0,
    stepsDropped: 0,
    anomalies: { found: 0, changed: 0, examples: [] }
  })
  const prepared = {
    ...given,
    inputPaths: [given.preparedPath],
    format: 'parquet' as const,
    spec: { ...given.spec, freq: 'W-SUN' }
  }
  t.match(await check(prepared), { profile: { rows: 7, series: 1, freq: 'W-SUN' } })
  const summary = await forecast({
    ...prepared,
    parquetPath: `${given.preparedPath}.out`,
    csvPath: `${given.preparedPath}.csv`,
    maxCsvBytes: 1e6,
    reportPath: `${given.preparedPath}.json`,
    budgetSeconds: 60
  })
  t.match(summary, { numItems: 1, rows: 3, freq: 'W-SUN' })
})

await t.test('anomalies and missing steps are reported with what was used instead', async (t) => {
  const report = await prepare(await options({ anomalies: 'remove', missing: 'interpolate' }))
  t.match(report, { rowsRead: 167, rowsUsed: 167, seriesAfter: 3, stepsFilled: 2, anomalies: { found: 1, changed: 1 } })
  const [example] = report.anomalies.examples
  t.match(example, { itemId: '3', timestamp: '2024-01-31T00:00:00+00:00', value: 5000 })
  t.ok((example?.usedInstead ?? 0) > 30 && (example?.usedInstead ?? 0) < 40)
  const flagged = await prepare(await options({ anomalies: 'flag' }))
  t.match(flagged.anomalies, { found: 1, changed: 0, examples: [{ usedInstead: null }] })
})

await t.test('bad preparations are content errors with the column', async (t) => {
  const missing = { filters: [{ column: 'regoin', op: 'eq' as const, values: ['North'] }] }
  t.match(await failure(prepare(await options(missing))), {
    kind: 'content',
    code: 'validation_error',
    content: { code: 'missing_column', column: 'regoin', suggestion: /closest column is 'region'/ }
  })
  const { preparedPath: _path, ...header } = await options(missing)
  t.match(await failure(checkPreparation(header)), { content: { code: 'missing_column', column: 'regoin' } })
  const { preparedPath: _other, ...good } = await options({
    filters: [{ column: 'region', op: 'eq', values: ['nowhere'] }]
  })
  t.equal(await checkPreparation(good), undefined, 'values are not looked at')
  t.match(await failure(prepare(await options({ filters: [{ column: 'price', op: 'gt', values: ['dear'] }] }))), {
    content: { code: 'invalid_filter', column: 'price', status: 422 }
  })
  t.match(await failure(prepare(await options({ filters: [{ column: 'region', op: 'eq', values: ['nowhere'] }] }))), {
    content: { code: 'no_rows_left', column: 'region', count: 167 }
  })
  t.match(await failure(prepare(await options({ step: 'h' }))), {
    content: { code: 'step_too_fine', column: 'timestamp' }
  })
  t.match(await failure(prepare(await options({ step: 'often' }))), { content: { code: 'invalid_frequency' } })
})

await t.test('rows of one time and those of a step become one in ways of their own', async (t) => {
  const read = async (preparation: Partial<PreparationSpec>) => {
    const given = await options({ seriesColumns: [], step: 'W-SUN', ...preparation })
    const report = await prepare(given)
    const columns = await readColumns({
      inputPath: given.preparedPath,
      format: 'parquet',
      times: ['timestamp'],
      numbers: ['target'],
      limits: { maxRows: 100, maxColumns: 10, maxCellChars: 100 },
      threads: 1
    })
    return { combined: report.rowsCombinedAcross, values: [...columns.get('target')?.values ?? []] }
  }
  const days = new Map<string, number[]>()
  for (const line of sales().trim().split('\n').slice(1)) {
    const [, , day = '', target] = line.split(',')
    days.set(day, [...days.get(day) ?? [], Number(target)])
  }
  const sums = [...days.values()].map((values) => values.reduce((sum, value) => sum + value, 0))
  const weeks = Array.from({ length: 8 }, (_, week) => sums.slice(7 * week, 7 * week + 7))
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const ways = { mean, max: (values: number[]) => Math.max(...values), min: (values: number[]) => Math.min(...values) }
  for (const [aggregate, of] of Object.entries(ways)) {
    const found = await read({ aggregate: aggregate as keyof typeof ways, across: 'sum' })
    t.equal(found.combined, 111)
    t.strictSame(found.values.map((value) => value.toFixed(9)), weeks.map((week) => of(week).toFixed(9)), aggregate)
  }
})

await t.test('a cancelled preparation ends', async (t) => {
  const task = createTask()
  task.cancel()
  t.match(await failure(prepare(await options({ step: 'W-SUN' }), task)), { kind: 'cancelled' })
})

await t.test('a name that there is not is our fault', async (t) => {
  const error = await failure(prepare(await options({ aggregate: 'median' as 'mean' })))
  t.match(error, { kind: 'failed', code: 'pipeline_failed', message: /aggregate: not what/ })
})
