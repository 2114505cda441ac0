import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { namePeer, runPython, tabularPeers } from '../peers/python.ts'
import { csvOf, type Table } from './tables.ts'

const cache = join('.cache', 'bench', 'peers')
const scripts = ['tabular_peers.py', 'tabular_models.py', 'tabular_table.py'].map((name) =>
  join('bench', 'peers', name)
)
const [script] = scripts as [string]
/** What every peer is prepared and scored with. */
const everywhere = ['numpy', 'pandas', 'scikit-learn']

/** What tabular_models.py calls them, and the package that computes them. */
export const peers = [
  { peer: 'lightgbm', packageName: 'lightgbm', title: 'LightGBM' },
  { peer: 'xgboost', packageName: 'xgboost-cpu', title: 'XGBoost' },
  { peer: 'catboost', packageName: 'catboost', title: 'CatBoost' },
  { peer: 'histogram', packageName: 'scikit-learn', title: 'HistGradientBoosting' },
  { peer: 'forest', packageName: 'scikit-learn', title: 'random forest' },
  { peer: 'linear', packageName: 'scikit-learn', title: 'logistic / ridge' },
  { peer: 'perpetual', packageName: 'perpetual', title: 'perpetual' }
] as const
export type Peer = typeof peers[number]['peer']

/** Of one split. */
export interface Score {
  /** Log loss, or root mean squared error. */
  loss: number
  /** Expected calibration error; null where a number is predicted. */
  ece: number | null
  seconds: number
  peak_mib: number
}

/**
 * Scores of a peer, or of the shares and the mean of the training rows, split by split. They are the same in every run,
 * so they are kept.
 */
export async function scorePeer (python: string, table: Table, peer: Peer | 'baseline',
  log: (line: string) => void): Promise<Score[]> {
  const packageName = peers.find((one) => one.peer === peer)?.packageName ?? 'numpy'
  const pins = [...new Set([packageName, ...everywhere])].map((name) => namePeer(name, tabularPeers))
  const options = [table.label, table.task, peer, String(availableParallelism())]
  const hash = createHash('sha256')
  for (const path of [csvOf(table), ...scripts, ...table.splits]) hash.update(readFileSync(path))
  const path = join(cache, `${hash.update(JSON.stringify([...pins, ...options])).digest('hex')}.json`)
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Score[]
  const scores = await runPython<Score[]>(python, [script, csvOf(table), ...options, ...table.splits])
  log(`${table.name}, ${peer}: ${JSON.stringify(scores)}`)
  mkdirSync(cache, { recursive: true })
  writeFileSync(`${path}.unfinished`, JSON.stringify(scores))
  renameSync(`${path}.unfinished`, path)
  return scores
}
