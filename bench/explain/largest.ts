import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BenchOptions } from '../bench.ts'
import { median } from '../quantile.ts'
import type { Measurement } from '../result.ts'
import type { BenchJob } from './job.ts'
import { writeWidePanel } from './panel.ts'

const program = fileURLToPath(new URL('run-job.js', import.meta.url))
const horizon = 14

/** All analyses of 100 series with 500 rows and 25 features, pages and drawings included. */
export async function measureLargest ({ trial, folder, log }: BenchOptions): Promise<Measurement[]> {
  const [series, days, features] = trial ? [10, 120, 5] : [100, 500, 25]
  const inputPath = join(folder, 'wide.csv')
  writeWidePanel({ path: inputPath, series, days, features, horizon })
  const covariates = [...Array(features).keys()].map((feature) => `feature_${feature}`)
  const [seconds, plain, peaks, without]: number[][] = [[], [], [], []]
  for (let round = 0; round < (trial ? 1 : 3); round++) {
    for (const isAnalysed of [true, false]) {
      const job: BenchJob = {
        inputPath,
        outputFolder: join(folder, `wide-${round}-${isAnalysed}`),
        horizon,
        covariates,
        threads: availableParallelism(),
        isAnalysed
      }
      const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(job)])
      const run = JSON.parse(stdout) as { timings: Record<string, number>, completed?: string[],
        skipped?: Record<string, string>, peakMib: number }
      log(stdout)
      if (isAnalysed && run.completed?.length !== 6) throw new Error(`skipped: ${JSON.stringify(run.skipped)}`)
      ;(isAnalysed ? seconds : plain)?.push(run.timings['explain'] ?? NaN)
      ;(isAnalysed ? peaks : without)?.push(run.peakMib)
    }
  }
  const size = `${series} series x ${days} rows x ${features} features`
  return [
    {
      what: `${size}: all six analyses with their pages`,
      figure: median(seconds ?? []),
      unit: 's',
      gate: { atMost: 5 }
    },
    { what: `${size}: the explanation in words alone`, figure: median(plain ?? []), unit: 's' },
    {
      what: `${size}: peak memory of the whole job in a process of its own`,
      figure: Math.max(...peaks ?? []),
      unit: 'MiB',
      gate: { atMost: 477 }
    },
    { what: `${size}: peak memory of the job without analyses`, figure: Math.max(...without ?? []), unit: 'MiB' }
  ]
}
