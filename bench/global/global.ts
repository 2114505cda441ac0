import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Bench, BenchOptions } from '../bench.ts'
import { panelPath } from '../data.ts'
import { namePeer, preparePython, runPython } from '../peers/python.ts'
import type { Measurement } from '../result.ts'
import { buildExample } from '../rust-example.ts'
import { describeGlobal, type PanelScores } from './describe.ts'
import { measureFineTuned } from './fine-tuned.ts'
import { sets, type PanelSet } from './sets.ts'

const origins = 5
/** Of the peer's search. */
const trials = 20
const cache = join('.cache', 'bench', 'peers')
const peerScript = join('bench', 'peers', 'mlforecast_origins.py')
/** What computes the peer's forecasts; other packages of the environment do not. */
const packages = ['mlforecast', 'lightgbm', 'optuna', 'coreforecast', 'numpy', 'pandas']
const cutScript = join('bench', 'global', 'cut_origins.py')

/**
 * `best` with and without the models of all series, and mlforecast with LightGBM, at rolling origins of eight panels.
 */
export const benchGlobal: Bench = async (options): Promise<Measurement[]> => {
  const python = preparePython(options.log)
  const example = buildExample('tabcast-forecast', 'forecast')
  const scores: PanelScores[] = []
  for (const set of options.trial ? sets.slice(1, 2) : sets) {
    const folder = join(options.folder, set.file)
    const covariates = [...set.known, ...set.statics].join(',')
    await runPython(python, [cutScript, panelPath(set.file), String(set.horizon), String(origins), covariates, folder])
    await forecastPeer(python, set, folder, options)
    const seconds = { with: 0, without: 0 }
    for (let origin = 1; origin <= origins; origin++) {
      for (const member of ['with', 'without'] as const) {
        const out = join(folder, String(origin), member)
        mkdirSync(out)
        const args = [join(folder, String(origin), 'train.parquet'), String(set.horizon), 'best',
          String(availableParallelism()), out, '', '0', covariates, ...(member === 'without' ? ['without-global'] : [])]
        const { stdout } = await promisify(execFile)(example, args)
        seconds[member] += (JSON.parse(stdout) as { seconds: number }).seconds
      }
    }
    const mase = await runPython<Record<'with' | 'without' | 'theirs', number>>(python, [
      join('bench', 'global', 'score.py'),
      folder,
      String(origins),
      String(set.season),
      'with',
      'without',
      'theirs'
    ])
    options.log(`${set.title}: ${JSON.stringify({ mase, seconds })}`)
    scores.push({ set, mase, seconds })
  }
  return [...await measureFineTuned(options),
    ...describeGlobal({ scores, origins, peer: `${namePeer('mlforecast')} with ${namePeer('lightgbm')}` })]
}

/**
 * The peer's forecasts take minutes and are the same in every run: they are kept under a name that depends on all that
 * makes them.
 */
async function forecastPeer (python: string, set: PanelSet, folder: string,
  { trial, log }: BenchOptions): Promise<void> {
  const options = [String(origins), String(set.horizon), String(set.season), set.freq, set.known.join(','),
    set.statics.join(','), String(trial ? 3 : trials)]
  const hash = createHash('sha256')
  for (const path of [panelPath(set.file), cutScript, peerScript]) hash.update(readFileSync(path))
  const kept = join(cache,
    `${hash.update(JSON.stringify([...packages.map((name) => namePeer(name)), ...options])).digest('hex')}.origins`)
  if (!existsSync(kept)) {
    const found = await runPython(python, [peerScript, folder, ...options, String(availableParallelism())])
    log(`mlforecast, ${set.title}: ${JSON.stringify(found)}`)
    for (let origin = 1; origin <= origins; origin++) {
      cpSync(join(folder, String(origin), 'theirs'), join(`${kept}.unfinished`, String(origin), 'theirs'), {
        recursive: true
      })
    }
    renameSync(`${kept}.unfinished`, kept)
  }
  cpSync(kept, folder, { recursive: true })
}
