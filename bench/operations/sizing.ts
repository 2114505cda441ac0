import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BenchOptions } from '../bench.ts'
import { generatePanel } from '../panel.ts'
import type { Measurement } from '../result.ts'

const program = fileURLToPath(new URL('forecast-process.js', import.meta.url))
const length = 500

/**
 * What a core does with each preset, and what a slot needs for a dataset: daily series of 500 values, four weeks ahead,
 * on one thread.
 */
export async function measureSizing ({ trial, folder, log }: BenchOptions): Promise<Measurement[]> {
  const rows: Measurement[] = []
  for (const [preset, most] of [['fast', 4_000], ['balanced', 2_000], ['best', 500]] as const) {
    const series = trial ? 20 : most
    const csv = join(folder, `${preset}.csv`)
    await pipeline(Readable.from(generatePanel({ series, length, step: 'day', seasonLength: 7 })),
      createWriteStream(csv))
    const { stdout } = await promisify(execFile)(process.execPath, [program, csv, folder, preset])
    const { cpuSeconds, mebibytes } = JSON.parse(stdout) as { cpuSeconds: number, mebibytes: number }
    log(`${preset}: ${series} series, ${cpuSeconds.toFixed(1)} s of CPU, ${mebibytes.toFixed(0)} MiB`)
    rows.push(
      {
        what: `${preset}: daily series of ${length} values, 28 steps ahead, file to file`,
        figure: series / cpuSeconds,
        unit: 'series a core second'
      },
      {
        what: `${preset}: memory of a slot for them, beyond that of an empty one`,
        figure: mebibytes * 1e6 / (series * length),
        unit: 'MiB a million rows'
      }
    )
  }
  return rows
}
