import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { BenchOptions } from '../bench.ts'
import { namePeer, treePeers } from '../peers/python.ts'
import { median } from '../quantile.ts'
import { comparison, type Measurement } from '../result.ts'
import { trainOwn, trainPeer, type Training } from './programs.ts'

const rounds = 3
const features = 60

/** The work that both sides are given: no samples, 31 leaves, as many bins, steps, rows of a leaf. */
const ownSettings = ['rate=0.1', 'leaves=31', 'min_rows=20', 'rows=1', 'columns=1', 'threads=2']
const peerSettings = ['learning_rate=0.1', 'num_leaves=31', 'min_data_in_leaf=20', 'max_bin=254']

/** A training run of equal work on one large table, with two threads. */
export async function measureBoosting ({ trial, folder, log }: BenchOptions, python: string): Promise<Measurement[]> {
  const [count, trees] = trial ? [20_000, 20] : [1_000_000, 300]
  const data = join(folder, 'boosting')
  await promisify(execFile)(python, [join('bench', 'trees', 'make_boosting.py'), data, String(count)])
  const own: Training[] = []
  const peer: Training[] = []
  for (let round = 0; round < (trial ? 1 : rounds); round++) {
    peer.push(await trainPeer(python, data, 'regression', trees, peerSettings))
    own.push(await trainOwn(data, 'squared', [`rounds=${trees}`, ...ownSettings]))
  }
  log(`boosting: ${JSON.stringify({ own, peer })}`)
  const [ours, theirs] = [own[0], peer[0]] as [Training, Training]
  if (ours.trees !== theirs.trees || ours.leaves !== theirs.leaves) {
    throw new Error('both sides must grow as many trees and leaves')
  }
  const name = namePeer('lightgbm', treePeers)
  const what = `boosting: ${count.toLocaleString('en')} rows, ${features} features, ${ours.trees} trees with ${
    ours.leaves.toLocaleString('en')
  } leaves in all on both sides`
  const compare = (row: { what: string, unit: string }, of: (run: Training) => number) =>
    comparison({ ...row, figure: median(own.map(of)), peer: { name, figure: median(peer.map(of)) } })
  return [
    {
      ...compare({ what: `${what}, 2 threads, bins included, reading not`, unit: 's' }, (run) => run.wall_s),
      gate: { atMost: 1.5 },
      aim: { atMost: 0.9 }
    },
    {
      what: `peak resident memory of that process, the raw columns (${
        Math.round(count * (features + 1) * 8 / 2 ** 20)
      } MiB) included`,
      figure: median(own.map((run) => run.peak_mib)),
      unit: 'MiB',
      gate: { atMost: 1536 }
    },
    compare({ what: "peak resident memory, ours and the peer's", unit: 'MiB' }, (run) => run.peak_mib),
    compare({ what: 'loss of those models on 50,000 other rows, half the squared error', unit: '' },
      (run) => run.test_loss)
  ]
}
