import type { ResultFile } from '../../domain/files.ts'
import type { JobRecord } from './job-record.ts'
import { tableFilesOf } from './table-files.ts'

/**
 * Time to start a process, and the least bytes of Parquet that it converts in a millisecond, with room for a busy
 * machine.
 */
const startMs = 30_000
const bytesPerMs = 1_000

/** A CSV that the run left out because of its size, and that is still to be made from the Parquet file. */
export interface LateCsv {
  /** The run whose outputs are the job's. */
  run: string
  parquet: ResultFile
  /** About how many bytes it will have; undefined: the run is one of a release that did not say. */
  csvBytes: number | undefined
  /** Time that the conversion may take, milliseconds. */
  budgetMs: number
}

/** Undefined when the job has its CSV, or has no table at all. */
export function lateCsv (record: JobRecord): LateCsv | undefined {
  const { winner, files } = record
  const tables = tableFilesOf(record)
  const parquet = files.find(({ name }) => name === tables.parquet)
  if (winner === null || parquet === undefined || files.some(({ name }) => name === tables.csv)) return undefined
  return { run: winner, parquet, csvBytes: parquet.csvBytes, budgetMs: startMs + Math.ceil(parquet.bytes / bytesPerMs) }
}
