import type { Workload } from './workload.ts'

const MiB = 2 ** 20
/** Of an idle slot process. */
const idle = 110 * MiB
/**
 * Bytes of a row, and of each of its covariates or columns, in a slot process at its peak: 60 million rows of forecasts
 * without covariates took 1.9 GiB, a table of 500,000 rows of 50 columns .9 GiB (bench/results). What models of all
 * series take is bounded, whatever the rows.
 */
const forecasts = {
  row: 34,
  covariate: 24,
  models: { fast: 0, balanced: 120 * MiB, best: 320 * MiB, tuned: 60 * MiB, training: 320 * MiB }
}
const tables = { cell: 38 }

export function peakMemoryBytes ({ kind, rows, columns }: Workload): number {
  if (kind === 'classification' || kind === 'regression') return idle + rows * columns * tables.cell
  return idle + forecasts.models[kind] + rows * (forecasts.row + (columns - 3) * forecasts.covariate)
}
