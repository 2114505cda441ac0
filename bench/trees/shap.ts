import { join } from 'node:path'
import type { BenchOptions } from '../bench.ts'
import { namePeer, runPython, treePeers } from '../peers/python.ts'
import { median } from '../quantile.ts'
import { speedup, type Bar, type Measurement } from '../result.ts'
import { runExample, trainOwn, type Explaining } from './programs.ts'

interface Duel {
  peer: 'lightgbm' | 'shap' | 'xgboost'
  /** As pinned. */
  packageName: string
  call: string
  /** Whose trees are explained by both sides. */
  model: 'lightgbm' | 'xgboost'
  gate: Bar
  aim: Bar
  /** Largest difference of a contribution, where it is judged. */
  equal?: Bar
  /** Rows of the peer; ours are always all. */
  mostRows: number
}

const duels: Duel[] = [
  {
    peer: 'lightgbm',
    packageName: 'lightgbm',
    call: 'pred_contrib',
    model: 'lightgbm',
    gate: { atLeast: 15 },
    aim: { atLeast: 25 },
    equal: { atMost: 1e-9 },
    mostRows: 2048
  },
  {
    peer: 'shap',
    packageName: 'shap',
    call: 'C extension',
    model: 'lightgbm',
    gate: { atLeast: 15 },
    aim: { atLeast: 25 },
    mostRows: 512
  },
  {
    peer: 'xgboost',
    packageName: 'xgboost-cpu',
    call: 'pred_contribs',
    model: 'xgboost',
    gate: { atLeast: 4 },
    aim: { atLeast: 7 },
    equal: { atMost: 1e-5 },
    mostRows: 2048
  }
]
const depths = [6, 8] as const
const rounds = 3

/**
 * Contributions of identical trees: CPU time of one thread, equality with the peers, additivity; and symmetric trees,
 * threads and memory.
 */
export async function measureShap (options: BenchOptions, python: string): Promise<Measurement[]> {
  const { folder, trial, log } = options
  const trained = await runPython(python, [join('bench', 'trees', 'make_models.py'), folder, String(trial ? 512 : 2048),
    ...depths.map(String)])
  log(`leaves a tree: ${JSON.stringify(trained)}`)
  const rows: Measurement[] = []
  const additivity: number[] = []
  for (const depth of depths) {
    for (const duel of duels) {
      const { own, peer } = await fight(options, python, duel, depth)
      additivity.push(...own.map((run) => run.additivity_error))
      rows.push(...describe(duel, depth, own, peer))
    }
  }
  const many = await measureMany(folder, log)
  additivity.push(...many.runs.map((run) => run.additivity_error))
  return [
    ...rows,
    {
      what: 'largest difference of base and contributions from the margin, every row explained above and below',
      figure: Math.max(...additivity),
      unit: '',
      gate: { atMost: 1e-9 },
      aim: { atMost: 1e-12 }
    },
    ...many.rows
  ]
}

interface PeerTime {
  rows: number
  cpu_us_a_row: number
}

/** Ours and the peer take turns, so that both see the same machine. */
async function fight ({ folder, trial, log }: BenchOptions, python: string, duel: Duel,
  depth: number): Promise<{ own: Explaining[], peer: PeerTime[] }> {
  const model = join(folder, `${duel.model}_${depth}.${duel.model === 'lightgbm' ? 'txt' : 'json'}`)
  const contributions = join(folder, `${duel.peer}_${depth}.contributions`)
  const values = join(folder, 'rows.f64')
  const own: Explaining[] = []
  const peer: PeerTime[] = []
  for (let round = 0; round < (trial ? 1 : rounds); round++) {
    peer.push(
      await runPython<PeerTime>(python, [join('bench', 'peers', 'tree_shap.py'), duel.peer, model, values,
        contributions, String(duel.mostRows)], { OMP_NUM_THREADS: '1' })
    )
    own.push(await runExample<Explaining>('shap_speed', [model, values, '1', contributions]))
  }
  log(`${duel.peer}, depth ${depth}: ${JSON.stringify({ own, peer })}`)
  return { own, peer }
}

function describe ({ packageName, call, model, gate, aim, equal }: Duel, depth: number, own: Explaining[],
  peer: PeerTime[]): Measurement[] {
  const first = own[0] as Explaining
  const name = `${namePeer(packageName, treePeers)} ${call}`
  const trees = `${first.trees} trees of ${model === 'lightgbm' ? 'LightGBM' : 'XGBoost'}, depth ${depth}, ${
    Math.round(first.leaves / first.trees)
  } leaves each, 30 features`
  const time = speedup({
    what: `SHAP: ${trees}, ${first.rows.toLocaleString('en')} rows, one thread; the ratio is times faster`,
    figure: median(own.map((run) => run.cpu_us_a_row)),
    unit: 'CPU us a row',
    peer: { name, figure: median(peer.map((run) => run.cpu_us_a_row)) }
  })
  const difference = Math.max(...own.map((run) => run.largest_difference ?? NaN))
  return [
    { ...time, gate, aim },
    {
      what: `largest difference of a contribution from ${name}: ${trees}`,
      figure: difference,
      unit: '',
      ...(equal ? { gate: equal } : {})
    }
  ]
}

/** Symmetric trees of this crate, and 100,000 rows on one thread and two. */
async function measureMany (folder: string,
  log: (line: string) => void): Promise<{ rows: Measurement[], runs: Explaining[] }> {
  const symmetric = join(folder, 'symmetric.trees')
  await trainOwn(join(folder, 'train'), 'squared', ['oblivious=6', 'rounds=200', `model=${symmetric}`])
  const tables = await runExample<Explaining>('shap_speed', [symmetric, join(folder, 'rows.f64'), '1'])
  const explainMany = (threads: string) =>
    runExample<Explaining>('shap_speed', [join(folder, 'lightgbm_6.txt'), join(folder, 'many.f64'), threads])
  const one = await explainMany('1')
  const two = await explainMany('2')
  log(`symmetric, one thread, two threads: ${JSON.stringify([tables, one, two])}`)
  const what = '100,000 rows, 200 trees of LightGBM, depth 6, 30 features'
  return {
    runs: [tables, one, two],
    rows: [
      {
        what: '200 symmetric trees of depth 6, 64 leaves each, as tables, one thread',
        figure: tables.cpu_us_a_row,
        unit: 'CPU us a row'
      },
      { what: 'reading our file of those trees', figure: tables.read_us, unit: 'us' },
      speedup({
        what: `${what}, two threads; the ratio is times faster than one`,
        figure: two.wall_us_a_row,
        unit: 'us a row',
        peer: { name: 'one thread', figure: one.wall_us_a_row }
      }),
      {
        what: `${what}: peak resident memory, rows and contributions of 24 MB each included`,
        figure: one.peak_mib,
        unit: 'MiB'
      }
    ]
  }
}
