import { comparison, type Measurement } from '../result.ts'
import type { PlantedSet, ShortSet } from './sets.ts'

type Preset = 'balanced' | 'best'
const bars = { balanced: 1, best: 0.95 }
const rules = { naive: 'seasonal naive', shape: 'pooled mean shape', tuned: 'fine-tuned model' }

export interface ShortScores {
  set: ShortSet
  scores: Record<Preset | keyof typeof rules, { wape: number }>
}

export interface SingleScores {
  set: ShortSet
  series: number
  mase: Record<Preset | 'ses' | 'theta', number>
}

export interface PlantedScores {
  set: PlantedSet
  wql: Record<'clean' | 'outlier' | 'zeros', { wql: number, closed: number }>
}

/** Each set against the best of the rules there, and the geometric means, which have the gates. */
export function describeShort (short: ShortScores[]): Measurement[] {
  return (['balanced', 'best'] as const).flatMap((preset) => {
    const rows = short.map(({ set, scores }) => {
      const best = (Object.keys(rules) as Array<keyof typeof rules>).reduce((a, b) =>
        scores[b].wape < scores[a].wape ? b : a
      )
      return comparison({
        what: `${set.title}, 3 to 20 observations among long series, ${preset}: WAPE`,
        figure: scores[preset].wape,
        unit: '',
        peer: { name: rules[best], figure: scores[best].wape }
      })
    })
    return [...rows, mean(
      `geometric mean over ${short.length} panels: WAPE of short series, ${preset}, over that of the best rule of each`,
      rows,
      bars[preset]
    )]
  })
}

export function describeSingles (singles: SingleScores[]): Measurement[] {
  return (['balanced', 'best'] as const).flatMap((preset) =>
    (['ses', 'theta'] as const).flatMap((peer) => {
      const name = peer === 'ses' ? 'simple exponential smoothing' : 'dynamic optimised theta'
      const rows = singles.map(({ set, series, mase }) =>
        comparison({
          what: `${set.title}, ${series} series of 3 to 20 observations, each alone, ${preset}: MASE`,
          figure: mase[preset],
          unit: '',
          peer: { name, figure: mase[peer] }
        })
      )
      return [...rows,
        mean(`geometric mean over ${singles.length} sets: MASE of single short series, ${preset}, over that of ${name}`,
          rows, 1)]
    })
  )
}

export function describePlanted (planted: PlantedScores[]): Measurement[] {
  return planted.flatMap(({ set, wql }) => [
    ...(['outlier', 'zeros'] as const).map((variant) =>
      comparison({
        what: `${set.title}, ${
          variant === 'outlier'
            ? 'one value a series a hundred times as large'
            : 'a place of the season that is always zero'
        }, balanced: WQL`,
        figure: wql[variant].wql,
        unit: '',
        peer: { name: 'the same panel without', figure: wql.clean.wql },
        gate: { atMost: 1.05 }
      })
    ),
    {
      what: `${set.title}, steps that were always zero: largest quantile that is forecast`,
      figure: wql.zeros.closed,
      unit: '',
      gate: { atMost: 0 }
    }
  ])
}

function mean (what: string, rows: Measurement[], bar: number): Measurement {
  const logarithms = rows.map(({ ratio = NaN }) => Math.log(ratio))
  return {
    what,
    figure: Math.exp(logarithms.reduce((sum, value) => sum + value, 0) / rows.length),
    unit: '',
    gate: { atMost: bar }
  }
}
