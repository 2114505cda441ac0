import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchOptions } from '../bench.ts'
import { dataSetPath } from '../data.ts'
import { namePeer } from '../peers/python.ts'
import { speedup, type Measurement } from '../result.ts'
import { buildExample } from '../rust-example.ts'

interface Duel {
  /** Of the registry in crates/models. */
  model: string
  /** The class of statsforecast with the same model. */
  peer: string
  set: 'quarterly' | 'weekly' | 'hourly'
  series: number
  season: number
  periods: readonly number[]
  horizon: number
  /** Times faster. */
  gate: number
  aim: number
}

const quarterly = { set: 'quarterly', series: 1000, season: 4, periods: [4], horizon: 8 } as const
// The competition gave weekly series no season.
const weekly = { set: 'weekly', series: 100, season: 1, periods: [1], horizon: 13 } as const
const hourly = { set: 'hourly', series: 20, season: 24, horizon: 48 } as const

const duels: Duel[] = [
  { model: 'auto_ets', peer: 'AutoETS', ...quarterly, gate: 20, aim: 100 },
  { model: 'arima', peer: 'AutoARIMA', ...quarterly, gate: 50, aim: 300 },
  { model: 'dotm', peer: 'DynamicOptimizedTheta', ...quarterly, gate: 10, aim: 100 },
  { model: 'ces', peer: 'AutoCES', ...quarterly, gate: 5, aim: 20 },
  { model: 'dotm', peer: 'DynamicOptimizedTheta', ...weekly, gate: 100, aim: 1000 },
  { model: 'mstl', peer: 'MSTL', ...hourly, periods: [24, 168], gate: 50, aim: 300 },
  { model: 'arima', peer: 'AutoARIMA', ...hourly, periods: [24], gate: 50, aim: 300 }
]

/** CPU time after which the kernel stops a peer. */
const peerLimitSeconds = 1800

/** The same model on the same M4 series, one thread each, compiled and warm: CPU time of fit and forecast. */
export async function measureModelSpeed ({ trial, folder, log }: BenchOptions, python: string): Promise<Measurement[]> {
  const timer = buildExample('tabcast-models', 'time_models')
  const rows: Measurement[] = []
  for (const duel of duels) {
    const { model, peer: peerModel, set, season, horizon } = duel
    const series = trial ? 4 : duel.series
    const path = join(folder, `${set}.${duel.periods.join('_')}.txt`)
    await promisify(execFile)(python, [
      join('bench', 'peers', 'sample_series.py'),
      dataSetPath(`m4_${set}_train`),
      String(season),
      duel.periods.join(':'),
      String(series),
      path
    ])
    const peer = await timePeer(python, path, peerModel, horizon, trial ? 5 : peerLimitSeconds)
    // A peer that was stopped had begun one series more than it finished: ours runs on all that it saw.
    const begun = peer.stopped ? peer.finished + 1 : peer.finished
    const own = await timeOwn(timer, path, model, horizon, begun)
    log(
      `${set}, ${begun} series: ${model} ${own.cpu_seconds} s (${own.unfit} not fitted), ${peerModel} ` +
        `${peer.seconds} s (${peer.failed} failed)`
    )
    const periods = duel.periods.join(' and ')
    rows.push({
      ...speedup({
        what: `${model}: ${
          begun.toLocaleString('en')
        } M4 ${set} series, season ${periods}, fit and ${horizon} steps ahead, one thread; the ratio is times faster`,
        figure: own.cpu_seconds / begun * 1000,
        unit: 'CPU ms a series',
        peer: {
          name: `${namePeer('statsforecast')} ${peerModel}${peer.stopped ? ' (stopped early: this or more)' : ''}`,
          figure: peer.seconds / begun * 1000
        }
      }),
      gate: { atLeast: duel.gate },
      aim: { atLeast: duel.aim }
    })
  }
  return rows
}

interface PeerTime {
  finished: number
  /** Series on which the peer raised an error. */
  failed: number
  /** The limit was reached, and `seconds` is the limit. */
  stopped: boolean
  seconds: number
}

async function timePeer (python: string, path: string, model: string, horizon: number,
  limitSeconds: number): Promise<PeerTime> {
  const args = [join('bench', 'peers', 'statsforecast_models.py'), path, model, String(horizon), String(limitSeconds)]
  const env = { ...process.env, OMP_NUM_THREADS: '1' }
  const { stdout, stopped } = await promisify(execFile)(python, args, { env, maxBuffer: 2 ** 28 }).then(
    (run) => ({ stdout: run.stdout, stopped: false }),
    (error: Error & { signal?: string, stdout?: string }) => {
      if (error.signal !== 'SIGXCPU') throw error
      return { stdout: error.stdout ?? '', stopped: true }
    }
  )
  const lines = stdout.split('\n').filter(Boolean).map((line) =>
    JSON.parse(line) as { cpu_seconds: number, failed: boolean }
  )
  return {
    finished: lines.length,
    failed: lines.filter(({ failed }) => failed).length,
    stopped,
    seconds: stopped ? limitSeconds : lines.at(-1)?.cpu_seconds ?? 0
  }
}

async function timeOwn (timer: string, path: string, model: string, horizon: number,
  count: number): Promise<{ cpu_seconds: number, unfit: number }> {
  const { stdout } = await promisify(execFile)(timer, [path, model, String(horizon), String(count)])
  const time = JSON.parse(stdout) as { series: number, unfit: number, cpu_seconds: number }
  // A series that is given up costs next to nothing, so a few of them would make the comparison unfair.
  if (time.series !== count || time.unfit > count / 100) {
    throw new Error(`${model} fitted ${time.series - time.unfit} of ${count} series`)
  }
  return time
}
