import { join } from 'node:path'
import type { BenchOptions } from '../bench.ts'
import { runPython } from '../peers/python.ts'
import type { Measurement } from '../result.ts'
import { describeAccuracy, type SetScores } from './describe.ts'
import { forecastOrigins } from './forecast-origins.ts'
import { methods, sets } from './sets.ts'

/** As many as `wls_var` and `shrink` get; the peer's paths need more than one. */
const windows = 3

const mostOrigins = 24

/**
 * Five hierarchies at rolling origins: scores before and after, the peer's on the same base forecasts, and whether
 * parents are sums.
 */
export async function measureAccuracy ({ trial, folder, log }: BenchOptions, python: string): Promise<Measurement[]> {
  const sums = { parents: 0, violations: 0 }
  const scores: SetScores[] = []
  for (const set of trial ? sets.slice(0, 1) : sets) {
    const rolling = join(folder, set.file)
    const { origins, nodes, reconciled } = await forecastOrigins({
      python,
      folder: rolling,
      set,
      mostOrigins: trial ? 1 : mostOrigins,
      methods,
      windows,
      log
    })
    const found = await runPython<typeof sums>(python, [join('bench', 'reconciliation', 'count_incoherent.py'),
      ...reconciled])
    sums.parents += found.parents
    sums.violations += found.violations
    const args = [join('bench', 'peers', 'hierarchicalforecast_methods.py'), rolling, set.columns.join(','),
      String(origins), String(windows)]
    log(`hierarchicalforecast: ${JSON.stringify(await runPython(python, args, { OMP_NUM_THREADS: '1' }))}`)
    const scored = await runPython<Omit<SetScores, 'set' | 'origins' | 'nodes'>>(python, [
      join('bench', 'reconciliation', 'score.py'),
      rolling,
      String(origins)
    ])
    scores.push({ set, origins, nodes, ...scored })
  }
  return [...describeAccuracy(scores), {
    what: `${
      sums.parents.toLocaleString('en')
    } parents of these forecasts in CSV and Parquet, a step each: means that are not the sum of their children in every digit`,
    figure: sums.violations,
    unit: '',
    gate: { atMost: 0 }
  }]
}
