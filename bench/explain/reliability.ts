import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { BenchOptions } from '../bench.ts'
import { dataFolder } from '../data.ts'
import { preparePython, runPython } from '../peers/python.ts'
import type { Measurement } from '../result.ts'
import { isotonicKnots } from './isotonic.ts'
import { runJob } from './job.ts'

/** File, horizon, frequency, series that are taken. */
const sets = [
  'm4_yearly:6:YS:400',
  'm4_quarterly:8:QS:400',
  'm4_monthly_holdout:18:MS:500',
  'm4_weekly:13::359',
  'm4_hourly:48:h:200',
  'm4_daily_first1280:14:D:60',
  'hospital_monthly:12:MS:400',
  'carparts_monthly:12:MS:300',
  'nn5_daily:56:D:111',
  'rossmann100_daily:42:D:100',
  'wikipedia_daily:30:D:50'
]
const bins = 10

interface Cut {
  set: string
  path: string
  horizon: number
  freq: string
  actual: number[]
}
interface Outcome {
  set: string
  score: number
  value: number
  isBetter: boolean
}

/**
 * Whether a confidence of 70 % is one: each series is forecast without its last horizon, and it is counted how often
 * the errors there are smaller than those of the season before. The map from scores was fitted to the series with even
 * numbers; those with odd ones judge it.
 */
export async function measureReliability ({ trial, folder, log }: BenchOptions): Promise<Measurement[]> {
  const python = preparePython(log)
  const wanted = trial ? ['hospital_monthly:12:MS:20'] : sets
  const cuts = await runPython<Cut[]>(python, [join('bench', 'explain', 'cut_series.py'), dataFolder(),
    join(folder, 'series'), ...wanted])
  log(`${cuts.length} series`)
  const outcomes: Array<Outcome | undefined> = Array(cuts.length).fill(undefined)
  let next = 0
  await Promise.all(Array.from({ length: availableParallelism() }, async () => {
    for (let place = next++; place < cuts.length; place = next++) {
      outcomes[place] = await judge(cuts[place] as Cut, join(folder, `reliability-${place}`))
    }
  }))
  const known = outcomes.map((outcome, place) => ({ outcome, place })).filter((
    one
  ): one is { outcome: Outcome, place: number } => one.outcome !== undefined)
  const [even, odd] = [0, 1].map((rest) =>
    known.filter(({ place }) => place % 2 === rest).map(({ outcome }) => outcome)
  ) as [Outcome[], Outcome[]]
  log(
    `knots fitted to the series with even numbers: ${
      JSON.stringify(isotonicKnots(even.map(({ score, isBetter }) => ({ x: score, y: isBetter ? 1 : 0 }))))
    }`
  )
  for (const set of new Set(odd.map(({ set }) => set))) {
    const of = odd.filter((outcome) => outcome.set === set)
    log(
      `${set}: ${of.length} series, confidence ${mean(of.map(({ value }) => value)).toFixed(3)}, better in ${
        mean(of.map(({ isBetter }) => Number(isBetter))).toFixed(3)
      }`
    )
  }
  for (const { count, confidence, observed } of curve(odd)) {
    log(`${count} series with a confidence about ${confidence.toFixed(3)}: better in ${observed.toFixed(3)}`)
  }
  return [
    {
      what: 'confidence against held-out outcomes: series that the map was not fitted to',
      figure: odd.length,
      unit: 'series',
      gate: { atLeast: trial ? 1 : 1000 }
    },
    {
      what: `confidence against held-out outcomes: mean difference over ${bins} bins of equal count`,
      figure: reliabilityError(odd),
      unit: '',
      gate: { atMost: 0.05 }
    },
    {
      what: 'share of these series with smaller errors than the season before',
      figure: mean(odd.map(({ isBetter }) => Number(isBetter))),
      unit: ''
    }
  ]
}

/** None where both errors are equal: neither is smaller. */
async function judge ({ set, path, horizon, freq, actual }: Cut, folder: string): Promise<Outcome | undefined> {
  await runJob({
    inputPath: path,
    outputFolder: folder,
    horizon,
    ...(freq === '' ? {} : { freq }),
    threads: 1,
    isAnalysed: false
  })
  const { findings } = JSON.parse(readFileSync(join(folder, 'findings.json'), 'utf8')) as {
    findings: { season_length: number, confidence: { score: number, value: number } }
  }
  const means = readFileSync(join(folder, 'forecast.csv'), 'utf8').trim().split('\n').slice(1).map((line) =>
    Number(line.split(',')[2])
  )
  const history = readFileSync(path, 'utf8').trim().split('\n').slice(1).map((line) => Number(line.split(',')[2]))
  rmSync(folder, { recursive: true })
  const season = findings.season_length < history.length ? findings.season_length : 1
  const naive = (step: number) => history[history.length - season + step % season] ?? NaN
  const errorOf = (forecast: (step: number) => number) =>
    mean(actual.map((value, step) => Math.abs(value - forecast(step))))
  const [ours, theirs] = [errorOf((step) => means[step] ?? NaN), errorOf(naive)]
  const { score, value } = findings.confidence
  return ours === theirs ? undefined : { set, score, value, isBetter: ours < theirs }
}

function curve (outcomes: readonly Outcome[]): Array<{ count: number, confidence: number, observed: number }> {
  const ascending = [...outcomes].sort((left, right) => left.value - right.value)
  return Array.from({ length: bins },
    (_, bin) =>
      ascending.slice(Math.floor(bin * ascending.length / bins), Math.floor((bin + 1) * ascending.length / bins)))
    .filter((part) => part.length > 0)
    .map((part) => ({
      count: part.length,
      confidence: mean(part.map(({ value }) => value)),
      observed: mean(part.map(({ isBetter }) => Number(isBetter)))
    }))
}

function reliabilityError (outcomes: readonly Outcome[]): number {
  return curve(outcomes).reduce((sum, { count, confidence, observed }) => sum + count * Math.abs(confidence - observed),
    0) / outcomes.length
}

function mean (values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
