import { join } from 'node:path'
import type { BenchOptions } from '../bench.ts'
import { runPython } from '../peers/python.ts'
import type { Measurement } from '../result.ts'
import { runOwn, type OwnScore } from './own.ts'

/** Time of a table of usual size, and memory of a large one: generated tables, the label of two classes. */
export async function measureLarge ({ trial, folder, log }: BenchOptions, python: string): Promise<Measurement[]> {
  const run = async (rows: number, columns: number): Promise<OwnScore> => {
    const data = join(folder, `${rows}x${columns}`)
    await runPython(python, [join('bench', 'tabular', 'make_large.py'), String(rows), String(columns), data])
    const score = await runOwn(join(data, 'large.csv'), { label: 'y', task: 'classification' },
      join(data, 'large.test_rows.txt'), folder)
    log(`${rows} x ${columns}: ${JSON.stringify(score)}`)
    return score
  }
  const usual = await run(trial ? 1_000 : 10_000, 20)
  if (trial) return [{ what: 'wall time, 1,000 rows x 20 columns', figure: usual.seconds, unit: 's' }]
  const large = await run(500_000, 50)
  return [
    {
      what: 'wall time, 10,000 rows x 20 columns, reading included',
      figure: usual.seconds,
      unit: 's',
      gate: { atMost: 120 },
      aim: { atMost: 30 }
    },
    {
      what: 'peak resident memory, 500,000 rows x 50 columns',
      figure: large.peak_mib,
      unit: 'MiB',
      gate: { atMost: 3_072 },
      aim: { atMost: 1_536 }
    },
    { what: 'wall time of that', figure: large.seconds, unit: 's' }
  ]
}
