import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Bench, BenchOptions } from '../bench.ts'
import { dataFolder } from '../data.ts'
import { preparePython, runPython } from '../peers/python.ts'
import { buildExample } from '../rust-example.ts'
import { describePlanted, describeShort, describeSingles, type PlantedScores, type ShortScores,
  type SingleScores } from './describe.ts'
import { plantedSets, sets, type ShortSet } from './sets.ts'

const run = promisify(execFile)
const presets = ['balanced', 'best'] as const
/** The series and lengths that nothing was chosen by. */
const half = 'held-out'
const threads = String(availableParallelism())

/**
 * Series of few observations, in panels and alone, outliers and structural zeros, each against what should not be
 * better.
 */
export const benchRobustness: Bench = async (options) => {
  const python = preparePython(options.log)
  const forecast = buildExample('tabcast-forecast', 'forecast')
  const tune = buildExample('tabcast-forecast', 'fine_tune')
  const short: ShortScores[] = []
  const singles: SingleScores[] = []
  for (const set of options.trial ? sets.slice(-1) : sets) {
    const origins = options.trial ? 1 : set.origins
    const folder = join(options.folder, set.file)
    await runPython(python, [script('cut_short'), join(dataFolder(), set.file),
      ...[set.horizon, set.full, set.short, origins].map(String), half, folder])
    short.push(await measureShort({ python, forecast, tune, set, origins, folder }, options))
    singles.push(await measureSingles({ python, forecast, set, folder: join(folder, '1') }, options))
  }
  const planted: PlantedScores[] = []
  for (const set of options.trial ? plantedSets.slice(-1) : plantedSets) {
    const folder = join(options.folder, 'planted', set.file)
    await runPython(python, [script('plant'), join(dataFolder(), set.file),
      ...[set.horizon, set.season, set.series].map(String), folder])
    for (const variant of ['clean', 'outlier', 'zeros']) {
      await forecastInto(forecast, join(folder, variant), set.horizon, 'balanced')
    }
    planted.push({ set, wql: await runPython(python, [script('score_planted'), folder, 'balanced']) })
    options.log(`${set.title}, planted: ${JSON.stringify(planted.at(-1)?.wql)}`)
  }
  return [...describeShort(short), ...describeSingles(singles), ...describePlanted(planted)]
}

interface ShortRun {
  python: string
  forecast: string
  tune: string
  set: ShortSet
  origins: number
  folder: string
}

/** The presets and what they are compared with, on the short series of every origin. */
async function measureShort ({ python, forecast, tune, set, origins, folder }: ShortRun,
  { log }: BenchOptions): Promise<ShortScores> {
  for (let origin = 1; origin <= origins; origin++) {
    const at = join(folder, String(origin))
    await run(python, [script('simple_rules'), at, String(set.season), at])
    for (const preset of presets) await forecastInto(forecast, at, set.horizon, preset)
    const model = join(at, 'fine-tuned.model')
    const trained = [join(at, 'train.parquet'), String(set.horizon), model, threads]
    await run(tune, ['train', ...trained])
    mkdirSync(join(at, 'tuned'))
    await run(tune, ['apply', ...trained, join(at, 'tuned')])
  }
  const scores = await runPython<ShortScores['scores']>(python, [script('score_short'), folder, String(origins),
    ...presets, 'naive', 'shape', 'tuned'])
  log(`${set.title}: ${JSON.stringify(scores)}`)
  return { set, scores }
}

/** Each short series of one origin in a run of its own. */
async function measureSingles (
  { python, forecast, set, folder }: { python: string, forecast: string, set: ShortSet, folder: string },
  { log }: BenchOptions
): Promise<SingleScores> {
  const { folders } = await runPython<{ folders: string[] }>(python, [script('cut_singles'), folder,
    join(folder, 'singles')])
  for (const single of folders) {
    for (const preset of presets) await forecastInto(forecast, single, set.horizon, preset, set.freq)
  }
  const mase = await runPython<SingleScores['mase']>(python, [script('score_singles'),
    [...presets, 'ses', 'theta'].join(','), ...folders])
  log(`${set.title}, alone: ${JSON.stringify(mase)}`)
  return { set, series: folders.length, mase }
}

async function forecastInto (example: string, folder: string, horizon: number, preset: string,
  freq?: string): Promise<void> {
  const out = join(folder, preset)
  mkdirSync(out)
  const frequency = freq === undefined ? [] : ['with-global', freq]
  await run(example, [join(folder, 'train.parquet'), String(horizon), preset, threads, out, '', '0', '', ...frequency])
}

function script (name: string): string {
  return join('bench', 'robustness', `${name}.py`)
}
