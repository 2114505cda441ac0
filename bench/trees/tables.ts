import { join } from 'node:path'
import type { BenchOptions } from '../bench.ts'
import { dataFolder } from '../data.ts'
import { namePeer, runPython, treePeers } from '../peers/python.ts'
import { comparison, type Measurement } from '../result.ts'
import { trainOwn, trainPeer } from './programs.ts'

interface Table {
  name: string
  /** 0 where a number is predicted. */
  classes: number
  rows: number
  features: number
}

/** LightGBM's own default. */
const peerRounds = 100

/** The default model of each side on real tables: root mean squared error or log loss on the test rows. */
export async function measureTables ({ trial, folder, log }: BenchOptions, python: string): Promise<Measurement[]> {
  const data = join(folder, 'tables')
  const tables = await runPython<Table[]>(python, [join('bench', 'trees', 'make_tables.py'), dataFolder(), data])
  const name = `${namePeer('lightgbm', treePeers)}, its defaults`
  const rows: Measurement[] = []
  for (const table of trial ? tables.slice(0, 3) : tables) {
    const [loss, objective] = describeTask(table.classes)
    const own = await trainOwn(join(data, table.name), loss, ['threads=2'])
    const peer = await trainPeer(python, join(data, table.name), objective, peerRounds)
    const score = (loss: number) => table.classes === 0 ? Math.sqrt(2 * loss) : loss
    log(`${table.name}: ${JSON.stringify({ own, peer })}`)
    const what =
      `${table.name}: ${
        table.classes === 0 ? 'root mean squared error over the standard deviation' : 'log loss'
      }, trained on ` +
      `${table.rows.toLocaleString('en')} rows of ${table.features} features`
    rows.push(
      comparison({ what, figure: score(own.test_loss), unit: '', peer: { name, figure: score(peer.test_loss) } })
    )
  }
  const ratios = rows.map((row) => row.ratio ?? NaN)
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return [
    {
      what: `loss over that of ${name}: mean of the ratios of ${ratios.length} tables, our default model on each`,
      figure: mean(ratios),
      unit: '',
      gate: { atMost: 1 },
      aim: { atMost: 0.97 }
    },
    { what: 'the same, geometric mean', figure: Math.exp(mean(ratios.map(Math.log))), unit: '' },
    {
      what: `tables on which ours is lower, of ${ratios.length}`,
      figure: ratios.filter((ratio) => ratio < 1).length,
      unit: ''
    },
    ...rows
  ]
}

/** The names of the loss here and there. */
function describeTask (classes: number): [string, string] {
  if (classes === 0) return ['squared', 'regression']
  return classes === 2 ? ['logistic', 'binary'] : [`softmax:${classes}`, `multiclass:${classes}`]
}
