import { namePeer } from '../peers/python.ts'
import { comparison, type Measurement } from '../result.ts'
import { preset } from './forecast-origins.ts'
import { defaultMethod, fileName, methods, type HierarchySet, type Method } from './sets.ts'

/** Mean scaled CRPS over the origins of a set; methods are called as files are. */
export interface SetScores {
  set: HierarchySet
  origins: number
  nodes: number
  base: number
  ours: Record<string, number>
  /** By method and way of making intervals. */
  theirs: Record<string, Record<string, number>>
}

const unit = 'scaled CRPS'

/** Before and after, and ours against theirs. */
export function describeAccuracy (scores: SetScores[]): Measurement[] {
  const rows = scores.map((score) =>
    comparison({
      what: `${describeSet(score)}, ${preset}, ${defaultMethod}: after reconciliation`,
      figure: own(score, defaultMethod),
      unit,
      peer: { name: 'before', figure: score.base }
    })
  )
  const better = rows.filter(({ ratio = 1 }) => ratio < 1).length
  rows.push({
    what: `sets of these ${scores.length} on which reconciliation makes the forecasts of ${preset} better`,
    figure: better,
    unit: 'sets',
    gate: { atLeast: scores.length - 1 },
    aim: { atLeast: scores.length }
  })
  return [...rows, ...methods.flatMap((method) => compareMethod(scores, method)), ...scores.map(compareWithBest)]
}

/** The same method on the same base forecasts: a row a set, and the mean of their ratios, which is gated. */
function compareMethod (scores: SetScores[], method: Method): Measurement[] {
  // Its forecast proportions have intervals in one way only.
  const way = method === 'top_down:forecast_proportions' ? 'bootstrap' : 'normality'
  const rows = scores.map((score) => ({
    what: `${describeSet(score)}, ${preset}, ${method}`,
    figure: own(score, method),
    unit,
    peer: { name: `${namePeer('hierarchicalforecast')}, ${way}`, figure: theirs(score, method, way) }
  }))
  return [...rows.map(comparison), {
    what:
      `${method}, ${preset}: scaled CRPS over that of hierarchicalforecast with the same method (${way}) and base ` +
      `forecasts, mean of the ${scores.length} sets`,
    figure: mean(rows.map((row) => row.figure / row.peer.figure)),
    unit: '',
    gate: { atMost: 1 },
    aim: { atMost: 0.97 }
  }]
}

/** Our default method against whatever the peer does best on the set, chosen after the fact. */
function compareWithBest (score: SetScores): Measurement {
  const all = Object.entries(score.theirs).flatMap(([method, ways]) =>
    Object.entries(ways).map(([way, figure]) => ({ name: `${method}, ${way}`, figure }))
  )
  const best = all.reduce((least, other) => other.figure < least.figure ? other : least)
  return {
    ...comparison({
      what: `${
        describeSet(score)
      }, ${preset}, ${defaultMethod}: against the best of all ${all.length} that hierarchicalforecast makes of the same base forecasts`,
      figure: own(score, defaultMethod),
      unit,
      peer: best
    }),
    gate: { atMost: 1.02 },
    aim: { atMost: 0.97 }
  }
}

function own (score: SetScores, method: Method): number {
  const figure = score.ours[fileName(method)]
  if (figure === undefined) throw new Error(`${method} has no forecast at some origin of ${score.set.title}`)
  return figure
}

function theirs (score: SetScores, method: Method, way: string): number {
  const figure = score.theirs[fileName(method)]?.[way]
  if (figure === undefined) {
    throw new Error(`hierarchicalforecast has no ${way} of ${method} at some origin of ${score.set.title}`)
  }
  return figure
}

function mean (values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function describeSet ({ set, origins, nodes }: SetScores): string {
  return `${set.title} (${nodes} nodes, ${origins} origins)`
}
