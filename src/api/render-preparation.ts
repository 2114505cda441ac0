import type { Static } from 'typebox'
import type { PreparationReport, PreparationSpec } from '../domain/preparation-spec.ts'
import type { preparationConfig, preparationStatus } from './schemas/preparation-status.ts'

/** The changes to the rows, as a job shows them. */
export function renderPreparation (report: PreparationReport): Static<typeof preparationStatus> {
  const { found, changed, examples } = report.anomalies
  return {
    rows_read: report.rowsRead,
    rows_used: report.rowsUsed,
    filtered: report.filtered.map(({ column, op, values, rows }) => ({ column, op, values, rows })),
    series_before: report.seriesBefore,
    series_after: report.seriesAfter,
    rows_combined: report.rowsCombined,
    rows_combined_across: report.rowsCombinedAcross ?? null,
    incomplete_periods_dropped: report.incompletePeriodsDropped,
    steps_filled: report.stepsFilled,
    steps_dropped: report.stepsDropped,
    anomalies: {
      found,
      changed,
      examples: examples.map(({ itemId, timestamp, value, usedInstead }) => ({
        item_id: itemId,
        timestamp,
        value,
        used_instead: usedInstead
      }))
    }
  }
}

/** The requested preparation. */
export function renderPreparationConfig (spec: PreparationSpec): Static<typeof preparationConfig> {
  return {
    filters: spec.filters.map(({ column, op, values }) => ({ column, op, values })),
    series_columns: spec.seriesColumns ?? null,
    step: spec.step,
    aggregate: spec.aggregate,
    across: spec.across ?? null,
    missing: spec.missing,
    anomalies: spec.anomalies
  }
}
