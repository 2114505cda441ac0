import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { BenchOptions } from '../bench.ts'
import type { Measurement } from '../result.ts'
import { buildExample } from '../rust-example.ts'

const trees = 1000

/** Every method against dense generalised least squares, on random trees. */
export async function measureDenseEquality ({ trial, log }: BenchOptions): Promise<Measurement> {
  const program = buildExample('tabcast-reconcile', 'dense_equality')
  const { stdout } = await promisify(execFile)(program, [String(trial ? 50 : trees)])
  log(`dense: ${stdout.trim()}`)
  const { trees: compared, max_nodes: nodes, ...differences } = JSON.parse(stdout) as Record<string, number>
  return {
    what: `largest difference of any method from dense matrices, ${
      compared?.toLocaleString('en')
    } random trees of up to ${nodes} nodes, over the largest value`,
    figure: Math.max(...Object.values(differences)),
    unit: '',
    gate: { atMost: 1e-9 },
    aim: { atMost: 1e-12 }
  }
}
