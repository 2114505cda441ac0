import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchOptions } from '../bench.ts'
import { median } from '../quantile.ts'
import { comparison, type Measurement } from '../result.ts'
import { buildExample } from '../rust-example.ts'

const steps = 60
const horizon = 12
const generator = join('bench', 'engine', 'make_panel.py')
const cache = join('.cache', 'bench', 'panels')

/** Panels, smallest first; the small ones are over so soon that one run says little. */
const panels = [{ series: 1000, runs: 15 }, { series: 10_000, runs: 9 }, { series: 100_000, runs: 3 }, {
  series: 1_000_000,
  runs: 1
}]

interface Run {
  series: number
  csv_written: boolean
  fit: number
  seconds: number
  peak_bytes: number
}

/**
 * `fast` on 1,000 to 1,000,000 series, Parquet to Parquet, a process each: time, memory, and whether cost grows in
 * proportion.
 */
export async function measureManySeries ({ trial, folder, log }: BenchOptions, python: string): Promise<Measurement[]> {
  const program = buildExample('tabcast-forecast', 'forecast')
  const threads = availableParallelism()
  const perSeries: Array<{ series: number, microseconds: number }> = []
  let last: Run | undefined
  for (const panel of panels) {
    const series = trial ? panel.series / 100 : panel.series
    const path = await preparePanel(python, series, log)
    const runs: Run[] = []
    for (let round = 0; round < panel.runs; round++) {
      // No levels: the default, 0.1 to 0.9. The CSV would be made at its first download.
      const { stdout } = await promisify(execFile)(program, [path, String(horizon), 'fast', String(threads), folder, '',
        '0'])
      const run = JSON.parse(stdout) as Run
      if (run.series !== series || run.csv_written) {
        throw new Error(`${run.series} of ${series} series were forecast, CSV written: ${run.csv_written}`)
      }
      runs.push(run)
    }
    last = runs.at(-1)
    perSeries.push({ series, microseconds: median(runs.map(({ fit }) => fit)) / series * 1e6 })
    log(`${series} series: ${JSON.stringify(last)}`)
  }
  if (last === undefined) throw new Error('there is no panel')
  return describe(last, perSeries, threads)
}

function describe (largest: Run, perSeries: Array<{ series: number, microseconds: number }>,
  threads: number): Measurement[] {
  const what = `fast: ${
    count(largest.series)
  } monthly series of ${steps} points, horizon ${horizon}, 9 quantiles, Parquet to Parquet, ${threads} threads`
  const [, base] = perSeries
  return [
    { what, figure: largest.seconds, unit: 's', gate: { atMost: 75 }, aim: { atMost: 45 } },
    {
      what: 'peak resident memory of that process',
      figure: largest.peak_bytes / 2 ** 20,
      unit: 'MiB',
      gate: { atMost: 1536 },
      aim: { atMost: 1024 }
    },
    ...perSeries.map(({ series, microseconds }): Measurement => {
      const row = {
        what: `fast: ${count(series)} of these series, time of fitting`,
        figure: microseconds,
        unit: 'us a series'
      }
      if (base === undefined || series <= base.series) return row
      const ratio = comparison({ ...row, peer: { name: `${count(base.series)} series`, figure: base.microseconds } })
      return series === largest.series ? { ...ratio, gate: { atMost: 1.1 } } : ratio
    })
  ]
}

function count (series: number): string {
  return series.toLocaleString('en')
}

/** The panel is kept, as writing the largest takes a minute; its name changes with the program that makes it. */
export async function preparePanel (python: string, series: number, log: (line: string) => void): Promise<string> {
  const version = createHash('sha256').update(readFileSync(generator)).digest('hex').slice(0, 16)
  const path = join(cache, `${series}-${steps}-${version}.parquet`)
  if (existsSync(path)) return path
  log(`writing ${count(series * steps)} rows`)
  mkdirSync(cache, { recursive: true })
  await promisify(execFile)(python, [generator, String(series), String(steps), `${path}.unfinished`])
  renameSync(`${path}.unfinished`, path)
  return path
}
