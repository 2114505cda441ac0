import type { Measurement } from './result.ts'

export interface BenchOptions {
  /** A short run that only shows that the benchmark works; its numbers mean nothing and are not written. */
  trial: boolean
  /** A folder of this run that is removed afterwards. */
  folder: string
  log: (line: string) => void
}

/** One benchmark: measures and reports; it does not judge and does not write. */
export type Bench = (options: BenchOptions) => Promise<Measurement[]>
