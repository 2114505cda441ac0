import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchOptions } from '../bench.ts'
import { generatePanel } from '../panel.ts'
import { median } from '../quantile.ts'
import type { Measurement } from '../result.ts'
import { buildExample } from '../rust-example.ts'

const length = 200
const horizon = 28
const rounds = 3

/** A fine-tuned model forecasts ten times as many series as it was trained on, each run in a process of its own. */
export async function measureFineTuned ({ trial, folder, log }: BenchOptions): Promise<Measurement[]> {
  const program = buildExample('tabcast-forecast', 'fine_tune')
  const threads = String(availableParallelism())
  const series = trial ? 100 : 10_000
  const panels = { train: join(folder, 'trained.csv'), apply: join(folder, 'forecast.csv') }
  writePanel(panels.train, series / 10)
  writePanel(panels.apply, series)
  const model = join(folder, 'fine-tuned.model')
  const out = join(folder, 'fine-tuned')
  mkdirSync(out)
  const trained = await promisify(execFile)(program, ['train', panels.train, String(horizon), model, threads])
  log(`fine-tuning: ${trained.stdout.trim()}`)
  const seconds: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { stdout } = await promisify(execFile)(program, ['apply', panels.apply, String(horizon), model, threads, out])
    const run = JSON.parse(stdout) as { series: number, rows: number, seconds: number }
    log(`fine-tuned forecast: ${stdout.trim()}`)
    if (run.series !== series || run.rows !== series * horizon) {
      throw new Error(`${run.rows} rows of ${run.series} series were forecast`)
    }
    seconds.push(run.seconds)
  }
  return [{
    what: `fine-tuned model: ${
      series.toLocaleString('en')
    } daily series of ${length} points, horizon ${horizon}, 9 quantiles, CSV to CSV and Parquet, ${threads} threads`,
    figure: median(seconds),
    unit: 's',
    gate: { atMost: 10 },
    aim: { atMost: 3 }
  }]
}

function writePanel (path: string, series: number): void {
  writeFileSync(path, [...generatePanel({ series, length, step: 'day', seasonLength: 7 })].join(''))
}
