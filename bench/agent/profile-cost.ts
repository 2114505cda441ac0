import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { DataProfile } from '../../src/domain/data-profile.ts'
import { uniform } from '../../test/support/random.ts'
import type { BenchOptions } from '../bench.ts'
import { median } from '../quantile.ts'
import type { Measurement } from '../result.ts'

interface Run extends Pick<DataProfile, 'roles' | 'series'> {
  seconds: number
  peakMiB: number
}

const rounds = 5
const days = 1_050
const program = fileURLToPath(new URL('profile-process.js', import.meta.url))

/**
 * What it costs to find out what is in a file of 100 MB that nobody has said anything about: a process of its own each
 * time, so that its memory is that of the profile.
 */
export async function measureProfileCost ({ trial, folder, log }: BenchOptions): Promise<Measurement[]> {
  const stores = trial ? 20 : 200
  const path = join(folder, 'sales.csv')
  await pipeline(Readable.from(sales(stores)), createWriteStream(path))
  const megabytes = (await stat(path)).size / 1e6
  const runs: Run[] = []
  for (let round = 0; round < (trial ? 1 : rounds); round++) {
    const run = JSON.parse((await promisify(execFile)(process.execPath, [program, path])).stdout) as Run
    log(`round ${round + 1}: ${run.seconds.toFixed(2)} s, ${run.peakMiB.toFixed(0)} MiB`)
    if (run.roles.timestamp !== 'date' || run.roles.target !== 'sales' || run.series?.numItems !== stores * 10) {
      throw new Error(`profiled as ${JSON.stringify(run)}`)
    }
    runs.push(run)
  }
  const what = `the profile of a CSV of ${megabytes.toFixed(0)} MB, ${
    (stores * 10 * days).toLocaleString('en')
  } rows in 7 columns`
  return [
    { what, figure: median(runs.map(({ seconds }) => seconds)), unit: 's', gate: { atMost: 2 } },
    {
      what: 'the most memory that its process ever had, with Node',
      figure: Math.max(...runs.map(({ peakMiB }) => peakMiB)),
      unit: 'MiB',
      gate: { atMost: 300 }
    }
  ]
}

/** Ten items in each store, a region for each twenty stores. */
function* sales (stores: number): Generator<string> {
  yield 'region,store,item,date,sales,price,promotion\n'
  const dates = Array.from({ length: days },
    (_, day) => new Date(Date.UTC(2021, 0, 1 + day)).toISOString().slice(0, 10))
  for (let store = 0; store < stores; store++) {
    const random = uniform((store + 1) * 0x9E3779B9)
    const lines: string[] = []
    for (let item = 0; item < 10; item++) {
      const level = 5 + 100 * random()
      for (const [day, date] of dates.entries()) {
        const promotion = random() < 0.1 ? 1 : 0
        const price = 2 + item - promotion * 0.5
        const value = level * (1 + 0.3 * Math.sin(2 * Math.PI * day / 7) + promotion * 0.4 + 0.2 * random())
        lines.push(
          `region_${Math.floor(store / 20)},store_${store},item_${item},${date},${value.toFixed(2)},${
            price.toFixed(2)
          },${promotion}`
        )
      }
    }
    yield lines.join('\n') + '\n'
  }
}
