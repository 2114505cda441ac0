import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { forecast } from '../../src/engine/index.ts'
import { csvSize } from '../../src/worker/csv-size.ts'
import { csv, series } from '../support/csv.ts'
import { testLimits, testSpec } from '../support/job-message.ts'

t.test('the size of a CSV is reckoned from the Parquet file of its table', async (t) => {
  const folder = t.testdir({})
  for (const [name, ids, least] of [['short', ['a', 'b"c', 'd,e'], 0.5], ['long', ['x'.repeat(900),
    `${'y'.repeat(800)}é`], 0.9]] as const) {
    const at = (ending: string) => join(folder, `${name}.${ending}`)
    await writeFile(at('input'), csv(ids.flatMap((item) =>
      series({ item: `"${item.replaceAll('"', '""')}"`, length: 40 })
    )))
    const output = {
      parquetPath: at('parquet'),
      csvPath: at('csv'),
      maxCsvBytes: 1e9,
      reportPath: at('json'),
      budgetSeconds: 600
    }
    await forecast({
      inputPaths: [at('input')],
      format: 'csv',
      compression: null,
      spec: { ...testSpec, predictionLength: 200 },
      limits: testLimits,
      threads: 1,
      ...output
    })
    const [size, { size: written }] = [await csvSize(at('parquet')), await stat(at('csv'))]
    t.ok(written <= size && written >= least * size, `${name}: ${written} bytes, reckoned ${size}`)
  }
})
