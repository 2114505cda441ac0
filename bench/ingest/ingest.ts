import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Bench } from '../bench.ts'
import { generatePanel } from '../panel.ts'
import { namePeer, preparePython, runPython } from '../peers/python.ts'
import { median } from '../quantile.ts'
import { comparison } from '../result.ts'
import { buildExample } from '../rust-example.ts'

const length = 1000
const threads = '2'
const rounds = 5

interface Run {
  seconds: number
  peak_bytes: number
  /** Last line of the program: {"rows", "series", "seconds"}. */
  output: string
}

/**
 * A large CSV from disk to grouped series, checked for nulls and duplicates: crates/table against polars, rounds of
 * both alternating.
 */
export const benchIngest: Bench = async ({ trial, folder, log }) => {
  const python = preparePython(log)
  const series = trial ? 200 : 5000
  log(`writing ${series * length} rows`)
  const path = join(folder, 'panel.csv')
  await pipeline(Readable.from(generatePanel({ series, length, step: 'hour', seasonLength: 24 })),
    createWriteStream(path))
  const reader = buildExample('tabcast-table', 'ingest')

  const measure = async (command: string[]): Promise<Run & { inside: number }> => {
    const run = await runPython<Run>(python, [join('bench', 'peers', 'measure.py'), ...command], {
      POLARS_MAX_THREADS: threads
    })
    const report = JSON.parse(run.output) as { rows: number, series: number, seconds: number }
    if (report.rows !== series * length || report.series !== series) {
      throw new Error(`${command[0]} read ${report.rows} rows in ${report.series} series`)
    }
    return { ...run, inside: report.seconds }
  }
  const own: Array<Run & { inside: number }> = []
  const polars: Array<Run & { inside: number }> = []
  for (let round = 0; round < (trial ? 1 : rounds); round++) {
    log(`round ${round + 1}`)
    own.push(await measure([reader, path, threads]))
    polars.push(await measure([python, join('bench', 'peers', 'polars_ingest.py'), path]))
  }
  const what = `CSV of ${(series * length).toLocaleString('en')} rows, ${
    series.toLocaleString('en')
  } series: typed read, dates, nulls, duplicates, groups, ${threads} threads`
  return [
    {
      ...comparison({
        what,
        figure: median(own.map((run) => run.inside)),
        unit: 's',
        peer: { name: namePeer('polars'), figure: median(polars.map((run) => run.inside)) }
      }),
      gate: { atMost: 1.5 }
    },
    {
      what: 'peak resident memory of that process',
      figure: peakMiB(own),
      unit: 'MiB',
      peer: { name: `${namePeer('polars')} with its interpreter`, figure: peakMiB(polars) },
      gate: { atMost: 400 }
    }
  ]
}

function peakMiB (runs: Run[]): number {
  return Math.max(...runs.map((run) => run.peak_bytes)) / 2 ** 20
}
