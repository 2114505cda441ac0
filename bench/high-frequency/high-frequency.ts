import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Preset } from '../../src/domain/forecast-spec.ts'
import type { Bench, BenchOptions } from '../bench.ts'
import { highFrequencyPath } from '../data.ts'
import { preparePython, runPython } from '../peers/python.ts'
import type { Measurement } from '../result.ts'
import { buildExample } from '../rust-example.ts'
import { describe, type TaskScore } from './describe.ts'
import { taskSets, times, type TaskSet } from './tasks.ts'

const levels = '0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9'
const presets: Preset[] = ['balanced', 'best']

/** 16 tasks of GIFT-Eval, all their windows, beside the results that others have published for them. */
export const benchHighFrequency: Bench = async (options): Promise<Measurement[]> => {
  const python = preparePython(options.log)
  const program = buildExample('tabcast-forecast', 'forecast')
  const published = readPublished()
  const rows: Measurement[] = []
  for (const preset of options.trial ? presets.slice(0, 1) : presets) {
    const scores: TaskScore[] = []
    for (const set of options.trial ? taskSets.slice(-1) : taskSets) {
      for (const term of options.trial ? set.terms.slice(0, 1) : set.terms) {
        const name = `${set.name}/${term}`
        const found = await scoreTask(options, { python, program, preset }, set, times[term])
        options.log(`${name}, ${preset}: ${JSON.stringify(found)}`)
        scores.push({ name, ...found, published: published.get(name) ?? new Map() })
      }
    }
    rows.push(...describe(preset, scores))
  }
  return rows
}

type Measured = Omit<TaskScore, 'name' | 'published'>

async function scoreTask ({ folder, trial }: BenchOptions,
  { python, program, preset }: { python: string, program: string, preset: Preset },
  { name, freq, season, horizon }: TaskSet, longer: number): Promise<Measured> {
  const run = promisify(execFile)
  const task = join(folder, `${name.replace('/', '_')}.${longer}.${preset}`)
  const script = (file: string): string => join('bench', 'high-frequency', file)
  const windows = await runPython<Array<{ folder: string, steps: number }>>(python, [
    script('cut_windows.py'),
    highFrequencyPath(`${name.replace('/', '_')}.parquet`),
    freq,
    String(horizon * longer),
    trial ? '1' : '20',
    task
  ])
  let cpuSeconds = 0
  for (const { folder: window, steps } of windows) {
    const { stdout } = await run('sh', ['-c', '"$0" "$@" && times', program, join(window, 'train.parquet'),
      String(steps), preset, String(availableParallelism()), window, levels, '0', '', 'with-global', freq])
    cpuSeconds += childSeconds(stdout)
  }
  const args = [script('score.py'), String(season), ...windows.map(({ folder: window }) => window)]
  return { ...await runPython<Omit<Measured, 'cpuSeconds'>>(python, args), cpuSeconds }
}

/** User and system time of what a shell ran, in seconds: the last line of `times`, such as `0m1.25s 0m0.1s`. */
function childSeconds (output: string): number {
  const times = output.trim().split('\n').at(-1)?.match(/^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/)?.slice(1).map(Number)
  if (times === undefined) throw new Error(`no times in ${output}`)
  const [userMinutes = 0, user = 0, systemMinutes = 0, system = 0] = times
  return 60 * (userMinutes + systemMinutes) + user + system
}

/** MASE and CRPS of every published model, by task. The columns: dataset, MASE, CRPS, model. */
function readPublished (): Map<string, Map<string, [number, number]>> {
  const tasks = new Map<string, Map<string, [number, number]>>()
  for (const line of readFileSync(highFrequencyPath('published.csv'), 'utf8').trim().split('\n').slice(1)) {
    const [task = '', mase, crps, ...model] = line.split(',')
    const models = tasks.get(task) ?? new Map<string, [number, number]>()
    tasks.set(task, models.set(model.join(','), [Number(mase), Number(crps)]))
  }
  return tasks
}
