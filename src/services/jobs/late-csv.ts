import type { ResultFile } from '../../domain/files.ts'
import type { JobRecord } from './job-record.ts'
import { tableFilesOf } from './table-files.ts'

/**
 * Limits of a conversion: time to start a process, and the slowest rate in bytes of Parquet, with room for a busy
 * machine.
 */
const startMs = 30_000
const bytesPerMs = 1_000

/** A CSV that the run left out because of its size, to be made from the Parquet file on request. */
export interface LateCsv {
  /** The run whose outputs are the job's. */
  run: string
  parquet: ResultFile
  /** The approximate size; undefined for a run of an earlier release, which did not compute it. */
  csvBytes: number | undefined
  /** Milliseconds that the conversion may take. */
  budgetMs: number
}

/** undefined when the job has its CSV, or no table at all. */
export function lateCsv (record: JobRecord): LateCsv | undefined {
  const { winner, files } = record
  const tables = tableFilesOf(record)
  const parquet = files.find(({ name }) => name === tables.parquet)
  if (winner === null || parquet === undefined || files.some(({ name }) => name === tables.csv)) return undefined
  return { run: winner, parquet, csvBytes: parquet.csvBytes, budgetMs: startMs + Math.ceil(parquet.bytes / bytesPerMs) }
}
