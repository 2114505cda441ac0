import type { TableLimits } from '../../domain/limits.ts'
import type { Config } from '../../platform/config.ts'
import { sandboxTenant } from '../keys/scopes.ts'

/** What a job of the sandbox may have at most, where the deployment does not allow less. */
export const sandboxCaps = {
  fileBytes: 1024 * 1024,
  rows: 10_000,
  series: 50,
  columns: 20,
  cellChars: 1_000,
  horizon: 48,
  outputBytes: 4 * 1024 * 1024,
  budgetSeconds: 60
} as const

/** What differs between the jobs of a tenant and those of the sandbox. */
export interface TenantBounds {
  tables: TableLimits
  /** Of a result as CSV. */
  maxOutputBytes: number
  budgetSeconds: number
  retentionSeconds: number
  /** Jobs that may wait. */
  maxWaiting: number
  /** Inputs up to this size are checked in full before the job is taken. */
  fullCheckBytes: number
}

export function tenantBounds (config: Config, tenant: string): TenantBounds {
  const tables = {
    maxRows: config.MAX_ROWS,
    maxColumns: config.MAX_COLUMNS,
    maxSeries: config.MAX_SERIES,
    maxCellChars: config.MAX_CELL_CHARS
  }
  if (tenant !== sandboxTenant) {
    return {
      tables,
      maxOutputBytes: config.MAX_OUTPUT_BYTES,
      budgetSeconds: config.JOB_BUDGET_SECONDS,
      retentionSeconds: config.JOB_RETENTION_SECONDS,
      maxWaiting: config.MAX_QUEUED_PER_TENANT,
      fullCheckBytes: config.SYNC_CHECK_MAX_BYTES
    }
  }
  return {
    tables: {
      ...tables,
      maxRows: Math.min(tables.maxRows, sandboxCaps.rows),
      maxColumns: Math.min(tables.maxColumns, sandboxCaps.columns),
      maxSeries: Math.min(tables.maxSeries, sandboxCaps.series),
      // A text of a label or a series stands in every row of the result.
      maxCellChars: Math.min(tables.maxCellChars, sandboxCaps.cellChars)
    },
    maxOutputBytes: Math.min(config.MAX_OUTPUT_BYTES, sandboxCaps.outputBytes),
    budgetSeconds: Math.min(config.JOB_BUDGET_SECONDS, sandboxCaps.budgetSeconds),
    retentionSeconds: config.SANDBOX_RETENTION_SECONDS,
    // Half the queue at most, so that it never is what refuses others.
    maxWaiting: Math.min(config.SANDBOX_MAX_WAITING, Math.ceil(config.MAX_QUEUED / 2)),
    fullCheckBytes: sandboxCaps.fileBytes
  }
}
