import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchOptions } from '../bench.ts'
import { namePeer, runPython } from '../peers/python.ts'
import { median } from '../quantile.ts'
import { speedup, type Measurement } from '../result.ts'
import { buildExample } from '../rust-example.ts'

const series = 30_490
const steps = 200
const columns = 'state,store,department,item'

/** From bottom series in long form to the sums of every node, ours from a file, the peer from a frame in memory. */
export async function measureBuilding ({ trial, folder, log }: BenchOptions, python: string): Promise<Measurement[]> {
  const count = trial ? 700 : series
  const path = join(folder, 'bottom.parquet')
  log(`writing ${(count * steps).toLocaleString('en')} rows`)
  await promisify(execFile)(python, [join('bench', 'reconciliation', 'make_bottom.py'), String(count), String(steps),
    path])
  const program = buildExample('tabcast-forecast', 'build_hierarchy')
  const threads = String(availableParallelism())
  const own: number[] = []
  const peer: number[] = []
  for (let round = 0; round < (trial ? 1 : 3); round++) {
    own.push(await buildOwn(program, path, threads, count))
    peer.push(await buildPeer(python, path, threads, count))
  }
  log(`building: ${own.join(', ')} s, aggregate: ${peer.join(', ')} s`)
  return [{
    ...speedup({
      what:
        `building the hierarchy: ${
          count.toLocaleString('en')
        } bottom series of ${steps} steps in long form on 5 levels, Parquet read and checked, ` +
        `${threads} threads; the ratio is times faster`,
      figure: median(own),
      unit: 's',
      peer: {
        name: `${namePeer('hierarchicalforecast')} aggregate, polars, sparse, without reading`,
        figure: median(peer)
      }
    }),
    gate: { atLeast: 20 },
    aim: { atLeast: 100 }
  }]
}

async function buildOwn (program: string, path: string, threads: string, count: number): Promise<number> {
  const { stdout } = await promisify(execFile)(program, [path, columns, threads])
  const { rows, series, seconds } = JSON.parse(stdout) as { rows: number, series: number, seconds: number }
  if (rows !== count * steps) throw new Error(`${rows} rows in ${series} series were read`)
  return seconds
}

async function buildPeer (python: string, path: string, threads: string, count: number): Promise<number> {
  const args = [join('bench', 'peers', 'hierarchicalforecast_aggregate.py'), path, columns]
  const { nodes, rows, seconds } = await runPython<{ nodes: number, rows: number, seconds: number }>(python, args, {
    POLARS_MAX_THREADS: threads
  })
  if (rows !== nodes * steps || nodes <= count) throw new Error(`the peer made ${rows} rows of ${nodes} nodes`)
  return seconds
}
