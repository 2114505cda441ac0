import type { TableLimits } from '../../domain/limits.ts'
import type { Config } from '../../platform/config.ts'
import { sandboxTenant } from '../keys/scopes.ts'

/** The limits of a sandbox job, where the deployment's own are not lower. */
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

/** The limits that differ between tenants and the sandbox. */
export interface TenantBounds {
  tables: TableLimits
  /** Limit on a result as CSV. */
  maxOutputBytes: number
  budgetSeconds: number
  retentionSeconds: number
  /** The most waiting jobs. */
  maxWaiting: number
  /** Inputs up to this size get a full check before the job is accepted. */
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
      // Every row of the result repeats the text of a label or a series.
      maxCellChars: Math.min(tables.maxCellChars, sandboxCaps.cellChars)
    },
    maxOutputBytes: Math.min(config.MAX_OUTPUT_BYTES, sandboxCaps.outputBytes),
    budgetSeconds: Math.min(config.JOB_BUDGET_SECONDS, sandboxCaps.budgetSeconds),
    retentionSeconds: config.SANDBOX_RETENTION_SECONDS,
    // At most half of the queue, so that the sandbox never causes others to be refused.
    maxWaiting: Math.min(config.SANDBOX_MAX_WAITING, Math.ceil(config.MAX_QUEUED / 2)),
    fullCheckBytes: sandboxCaps.fileBytes
  }
}
