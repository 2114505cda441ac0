import type { BenchOptions } from '../bench.ts'
import type { Measurement } from '../result.ts'
import { describeTree, timeOwn } from './time-own.ts'

/**
 * A million leaves on four levels: wall time of the reconciliation, and the memory of the process with tree and
 * numbers.
 */
export async function measureLargeTree ({ trial, log }: BenchOptions): Promise<Measurement[]> {
  const run = await timeOwn({ name: 'million', weights: 'wls_struct', rounds: trial ? 1 : 5 })
  log(`a million leaves: ${JSON.stringify(run)}`)
  return [
    {
      what: `wls_struct: ${describeTree(run)}, reconciliation alone, one thread`,
      figure: run.seconds,
      unit: 's',
      gate: { atMost: 5 },
      aim: { atMost: 1 }
    },
    {
      what: 'peak resident memory of that process',
      figure: run.peak_mib,
      unit: 'MiB',
      gate: { atMost: 2048 },
      aim: { atMost: 1024 }
    }
  ]
}
