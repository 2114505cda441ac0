import type { Workload } from './workload.ts'

const MiB = 2 ** 20
/** An idle slot process. */
const idle = 110 * MiB
/**
 * Peak bytes of a slot process for each row, and for each covariate or column of a row. Measured: 60 million rows
 * without covariates took 1.9 GiB, a table of 500,000 rows and 50 columns .9 GiB (bench/results). The memory of global
 * models is bounded, however many rows there are.
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
