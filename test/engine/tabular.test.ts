import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { TabularSpec } from '../../src/domain/tabular-spec.ts'
import { checkTabular, createTask, EngineError, tabular, type TabularOptions } from '../../src/engine/index.ts'
import type { TabularReport } from '../../src/report/tabular-report.ts'
import { customers, customersCsv } from '../support/customers.ts'
import { workbookParts, zipArchive } from '../support/workbook.ts'

const folder = t.testdir({})
const spec: TabularSpec = {
  task: 'classification',
  labelColumn: 'churned',
  problemType: 'auto',
  inferenceMode: 'train_evaluate',
  trainSplitRatio: 0.8,
  validationHoldoutRatio: 0.2
}
const table = customersCsv(customers(120, 10))

let calls = 0
async function options (content: string | Uint8Array, changes: Partial<TabularOptions> = {}): Promise<TabularOptions> {
  const at = (name: string) => join(folder, `${calls}-${name}`)
  calls++
  await writeFile(at('input'), content)
  return {
    inputPaths: [at('input')],
    format: 'csv',
    compression: null,
    spec,
    limits: { maxRows: 1e6, maxColumns: 20, maxSeries: 1, maxCellChars: 1000 },
    threads: 2,
    parquetPath: at('predictions.parquet'),
    csvPath: at('predictions.csv'),
    maxCsvBytes: 1e6,
    metricsPath: at('metrics.json'),
    reportPath: at('report.json'),
    budgetSeconds: 600,
    ...changes
  }
}

async function failure (work: Promise<unknown>): Promise<EngineError> {
  try {
    await work
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error('the call succeeded')
}

t.test('a table is checked, learned from, and written', async (t) => {
  const given = await options(table)
  t.strictSame((await checkTabular(given)).profile, { rows: 130, columns: 5, labeledRows: 120, classes: 2 })
  const summary = await tabular(given)
  t.match(summary, {
    outcome: {
      numSamples: 130,
      labeledRowCount: 120,
      unlabeledRowCount: 10,
      predictedRowCount: 24,
      problemType: 'binary',
      inferenceMode: 'train_evaluate',
      modelName: 'tabular-balanced'
    },
    datasetHash: /^[0-9a-f]{64}$/,
    csvWritten: true
  })
  const { accuracy, metrics, featureImportance } = summary.outcome
  t.equal(metrics.accuracy, accuracy)
  t.notOk('r2' in metrics, 'what is not of the task has no key')
  const shares = featureImportance.map(({ share }) => share)
  t.strictSame(shares, shares.toSorted((a, b) => b - a))
  t.ok(Object.values(summary.timings).every((seconds) => seconds >= 0))
  const report = JSON.parse(await readFile(given.reportPath, 'utf8')) as TabularReport
  t.match(report, {
    v: 1,
    problem_type: 'binary',
    label: 'churned',
    dataset_hash: summary.datasetHash,
    counts: { num_samples: 130, test: 24 }
  })
  t.ok(JSON.parse(await readFile(given.metricsPath, 'utf8')))
  t.equal((await readFile(given.csvPath, 'utf8')).trimEnd().split('\n').length, 25)
  t.equal((await readFile(given.parquetPath)).subarray(0, 4).toString(), 'PAR1')

  const tight = await options(table, { maxCsvBytes: 100, threads: 1 })
  const again = await tabular(tight)
  t.match(again, { csvWritten: false, datasetHash: summary.datasetHash, outcome: { accuracy } },
    'one thread, and a CSV that is too large')
  t.notOk(existsSync(tight.csvPath))
  t.ok((await readFile(tight.parquetPath)).equals(await readFile(given.parquetPath)),
    'the bytes do not depend on the threads')
})

t.test('a sheet is named, and a table that is at fault is refused with the words for it', async (t) => {
  const cases: Array<[changes: Partial<TabularSpec>, content: string, code: string, status: number]> = [
    [{ labelColumn: 'left' }, table, 'missing_column', 422],
    [{ timeColumn: 'day' }, table, 'missing_column', 422],
    [{ inferenceMode: 'train_predict' }, customersCsv(customers(40)), 'no_unlabeled_rows', 400],
    [{ task: 'regression' }, table, 'non_numeric_label', 422],
    [{}, customersCsv(customers(12)), 'too_few_labels', 400]
  ]
  for (const [changes, content, code, status] of cases) {
    const { kind, code: errorCode, content: found } = await failure(
      checkTabular(await options(content, { spec: { ...spec, ...changes } }))
    )
    t.match({ kind, errorCode, found }, { kind: 'content', errorCode: 'validation_error', found: { code, status } },
      code)
    t.ok(found?.suggestion, code)
  }
  const rows = customers(40).map(({ age, plan, churned }) => [age === '' ? null : Number(age), plan, churned])
  const book = zipArchive(workbookParts({ other: [['x'], [1]], people: [['age', 'plan', 'churned'], ...rows] }))
  const workbook = await options(book, { format: 'xlsx', spec: { ...spec, sheetName: 'people' } })
  t.strictSame((await checkTabular(workbook)).profile, { rows: 40, columns: 3, labeledRows: 40, classes: 2 })
  const sheet = await failure(
    checkTabular(await options(book, { format: 'xlsx', spec: { ...spec, sheetName: 'none' } }))
  )
  t.equal(sheet.content?.code, 'missing_sheet')
  t.match(
    await failure(
      checkTabular(await options(table, { limits: { maxRows: 50, maxColumns: 20, maxSeries: 1, maxCellChars: 1000 } }))
    ),
    { code: 'dataset_too_large', content: { status: 413 } }
  )
})

t.test('a call that is cancelled leaves nothing', async (t) => {
  const given = await options(customersCsv(customers(2000)))
  const task = createTask()
  const work = failure(tabular(given, task))
  task.cancel()
  t.equal((await work).kind, 'cancelled')
  for (const path of [given.csvPath, given.parquetPath, given.metricsPath, given.reportPath]) t.notOk(existsSync(path))
})
