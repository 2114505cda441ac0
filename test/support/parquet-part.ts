import { rm, writeFile } from 'node:fs/promises'
import { prepare } from '../../src/engine/index.ts'
import { testLimits, testSpec } from './job-message.ts'

/**
 * Writes a Parquet file with the rows of a CSV whose columns are `valid_time` and numbers, as the engine writes its own
 * files.
 */
export async function writeParquetPart (path: string, csv: string): Promise<void> {
  const { maxCsvBytes: _csv, ...limits } = testLimits
  const lines = csv.trimEnd().split('\n')
  const [, target = '', ...covariates] = (lines[0] ?? '').split(',')
  // The engine's tables have series.
  await writeFile(`${path}.csv`, lines.map((line, row) => `${row === 0 ? 'item_id' : 'a'},${line}\n`).join(''))
  await prepare({
    ...{ inputPaths: [`${path}.csv`], format: 'csv', compression: null, limits, threads: 1, preparedPath: path },
    spec: { ...testSpec, columns: { itemId: 'item_id', timestamp: 'valid_time', target, covariates } },
    preparation: { filters: [], step: null, aggregate: 'mean', missing: 'none', anomalies: 'none' }
  })
  await rm(`${path}.csv`)
}
