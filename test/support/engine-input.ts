import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { ForecastSpec, ReconciliationSpec } from '../../src/domain/forecast-spec.ts'
import { EngineError, type CheckOptions, type ForecastOptions } from '../../src/engine/index.ts'

/** Ends with the test file. */
export const folder = mkdtempSync(join(tmpdir(), 'engine-'))
t.after(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
/** A file with this content. */
export function input (content: string | Uint8Array): string {
  const path = join(folder, `input-${files++}`)
  writeFileSync(path, content)
  return path
}

export const limits = {
  maxRows: 1e6,
  maxColumns: 20,
  maxSeries: 1e5,
  maxCellChars: 1000,
  maxForecastPoints: 1e6,
  maxOutputBytes: 1e9
}
export const spec: ForecastSpec = {
  predictionLength: 3,
  preset: 'fast',
  columns: { itemId: 'item_id', timestamp: 'timestamp', target: 'target' },
  freq: null,
  quantileLevels: [0.1, 0.5, 0.9],
  timestampFormat: 'pandas',
  quantileColumnStyle: 'raw'
}

export const reconciliation: ReconciliationSpec = {
  hierarchyColumns: ['region', 'store'],
  method: 'min_trace',
  weights: 'shrink',
  topDownMethod: 'proportions_of_historical_totals',
  separator: '/',
  totalLabel: 'total',
  residualWindows: 2
}

/** A forecast of a CSV file with this content, but for what is changed. */
export function options (content: string | Uint8Array, change: Partial<CheckOptions> = {}): ForecastOptions {
  const inputPath = input(content)
  const output = {
    parquetPath: `${inputPath}.parquet`,
    csvPath: `${inputPath}.csv`,
    maxCsvBytes: 1e6,
    reportPath: `${inputPath}.report.json`,
    budgetSeconds: 3600
  }
  return { inputPaths: [inputPath], format: 'csv', compression: null, spec, limits, threads: 2, ...output, ...change }
}

/** Daily rows of `series` items, `length` each. */
export function panel (series: number, length: number): string {
  const lines = ['item_id,timestamp,target']
  for (let item = 0; item < series; item++) {
    for (let step = 0; step < length; step++) {
      const date = new Date(Date.UTC(2024, 0, 1 + step)).toISOString().slice(0, 10)
      lines.push(`item-${item},${date},${10 + item + step % 7 + ((step * 7919 + item * 104729) % 100) / 50}`)
    }
  }
  return lines.join('\n') + '\n'
}

/** The error that `work` ends with; anything but an EngineError fails the test. */
export async function failure (work: Promise<unknown>): Promise<EngineError> {
  try {
    await work
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error('the call succeeded')
}
