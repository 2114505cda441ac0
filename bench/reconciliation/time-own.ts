import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { buildExample } from '../rust-example.ts'

/** The last line of `examples/reconcile_speed` of crates/reconcile. */
export interface OwnTime {
  nodes: number
  leaves: number
  steps: number
  /** Median of the rounds. */
  seconds: number
  peak_mib: number
}

export interface OwnCase {
  name: 'retail' | 'million'
  weights: 'wls_struct' | 'wls_var' | 'shrink'
  rounds: number
  /** Gets the tree, its numbers and the result, for a peer. */
  writeTo?: string
}

/** Reconciles generated forecasts in a process of its own, several times. */
export async function timeOwn ({ name, weights, rounds, writeTo }: OwnCase): Promise<OwnTime> {
  const program = buildExample('tabcast-reconcile', 'reconcile_speed')
  const { stdout } = await promisify(execFile)(program, [name, weights, '--rounds', String(rounds),
    ...(writeTo === undefined ? [] : ['--write', writeTo])])
  return JSON.parse(stdout) as OwnTime
}

/** As rows say it. */
export function describeTree ({ nodes, leaves, steps }: OwnTime): string {
  return `${nodes.toLocaleString('en')} nodes, ${leaves.toLocaleString('en')} of them leaves, ${steps} steps`
}
