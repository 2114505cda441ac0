import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchOptions } from '../bench.ts'
import { namePeer } from '../peers/python.ts'
import { median } from '../quantile.ts'
import { speedup, type Measurement } from '../result.ts'
import { describeTree, timeOwn } from './time-own.ts'

const peerRounds = 3
/** CPU time after which the kernel stops the peer. */
const peerLimitSeconds = 900

interface PeerTimes {
  /** The method alone, on a summing matrix that is there. */
  method: number
  /** `HierarchicalReconciliation.reconcile` with it, from frames to frames. */
  frames: number
  /** The largest difference from our result over the largest value; of weights that both define alike. */
  difference: number | null
  peak_bytes: number
}

/**
 * A tree of the size of the M5 competition's hierarchy, reconciled with weights that need no matrix, and with a shrunk
 * covariance.
 */
export async function measureTreeSpeed ({ trial, folder, log }: BenchOptions, python: string): Promise<Measurement[]> {
  const rows: Measurement[] = []
  for (const weights of ['wls_struct', 'wls_var'] as const) {
    const writeTo = join(folder, `retail-${weights}`)
    const own = await timeOwn({ name: 'retail', weights, rounds: trial ? 3 : 25, writeTo })
    const peers: PeerRun[] = []
    for (let round = 0; round < (trial ? 1 : peerRounds); round++) peers.push(await timePeer(python, writeTo, weights))
    log(`${weights}: ${JSON.stringify({ own, peers })}`)
    const what = `${weights}: ${describeTree(own)}`
    const ms = own.seconds * 1000
    rows.push(
      {
        what: `${what}, reconciliation alone, one thread`,
        figure: ms,
        unit: 'ms',
        gate: { atMost: 200 },
        aim: { atMost: 20 }
      },
      {
        ...speedup({
          what: `${what}; the ratio is times faster than the sparse method alone, which is handed its summing matrix`,
          figure: ms,
          unit: 'ms',
          peer: describePeer(peers, 'method', 'MinTraceSparse')
        }),
        gate: { atLeast: 100 },
        aim: { atLeast: 1000 }
      },
      speedup({
        what: `${what}; the same from frames to frames, as its documentation calls it`,
        figure: ms,
        unit: 'ms',
        peer: describePeer(peers, 'frames', 'HierarchicalReconciliation')
      })
    )
  }
  const shrunk = await timeOwn({ name: 'retail', weights: 'shrink', rounds: trial ? 1 : 9 })
  const what = `shrink: ${
    describeTree(shrunk)
  } and as many residuals a node; the peer has it with dense matrices only, 14.7 GB each`
  return [
    ...rows,
    { what, figure: shrunk.seconds, unit: 's', gate: { atMost: 2 }, aim: { atMost: 0.5 } },
    { what: 'peak resident memory of that process', figure: shrunk.peak_mib, unit: 'MiB', gate: { atMost: 1024 } }
  ]
}

/** What the peer did, or why it did not end within its memory and time: it then took this long or longer. */
type PeerRun = { done: PeerTimes } | { stopped: string, seconds: number }

async function timePeer (python: string, folder: string, weights: string): Promise<PeerRun> {
  const args = [join('bench', 'peers', 'hierarchicalforecast_sparse.py'), folder, weights, String(peerLimitSeconds)]
  const env = { ...process.env, OMP_NUM_THREADS: '1', POLARS_MAX_THREADS: '1' }
  try {
    const { stdout } = await promisify(execFile)(python, args, { env })
    const result = JSON.parse(stdout) as PeerTimes | { failed: string, seconds: number }
    return 'failed' in result ? { stopped: result.failed, seconds: result.seconds } : { done: result }
  } catch (error) {
    if ((error as { signal?: string }).signal !== 'SIGXCPU') throw error
    return { stopped: `stopped after ${peerLimitSeconds} CPU seconds`, seconds: peerLimitSeconds }
  }
}

function describePeer (runs: PeerRun[], which: 'method' | 'frames', name: string): { name: string, figure: number } {
  const label = `${namePeer('hierarchicalforecast')} ${name}`
  const stopped = runs.find((run) => 'stopped' in run)
  if (stopped !== undefined) {
    return { name: `${label} (${stopped.stopped}: this or more)`, figure: stopped.seconds * 1000 }
  }
  const done = runs.map((run) => (run as { done: PeerTimes }).done)
  const [first] = done
  const distance = first?.difference == null
    ? ''
    : `, off the exact solution by ${first.difference.toExponential(1)} of the largest value`
  return { name: label + distance, figure: median(done.map((times) => times[which])) * 1000 }
}
