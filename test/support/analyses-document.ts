import { analysisNames, type AnalysesDocument, type DetailedRow, type FeatureImportance, type FeaturePair,
  type FeatureTargetRow, type RollingPoint, type Transform } from '../../src/report/analyses/analyses-document.ts'

export const featureNames = ['promo', 'price', 'lag_7', 'rolling_mean_28', 'day_of_week', 'temperature', 'is_holiday',
  'trend', 'week_of_year', 'stock']

const day = (index: number) => `${new Date(Date.UTC(2023, 0, 1 + index)).toISOString().slice(0, 10)} 00:00:00`
/** The same figures in each run, between -1 and 1. */
const wave = (index: number, shift = 0) =>
  Math.sin(12.9898 * index + 78.233 * shift) * Math.cos(4.1414 * index * shift + shift)

function importanceOf (names: readonly string[]): FeatureImportance[] {
  const weights = names.map((_, index) => 0.7 ** index)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return names.map((feature, index) => ({
    feature,
    importance: 31.234 * (weights[index] ?? 0),
    share: (weights[index] ?? 0) / sum,
    rank: index + 1,
    direction: ([null, 'rising', 'falling'] as const)[(index + 1) % 3] ?? null,
    permutation_drop: 0.31 * (weights[index] ?? 0),
    permutation_sd: 0.012 * (weights[index] ?? 0)
  }))
}

function detailedRow (told: DetailedRow['told'], index: number, names: readonly string[]): DetailedRow {
  const contributions = names.map((feature, place) => ({
    feature,
    value: place % 4 === 3 ? null : Math.round(100 * wave(place, index)) / 10,
    shap: 20 * 0.75 ** place * wave(place + 3, index + 1)
  }))
  const [base, others] = [80.1234, -1.2345]
  const reproduced = contributions.reduce((sum, { shap }) => sum + shap, base + others)
  return {
    item_id: `shop ${index + 1}`,
    timestamp: day(200 + index),
    step: index + 1,
    told,
    base,
    prediction: reproduced + wave(index, 5),
    reproduced,
    contributions,
    others
  }
}

function points (count: number, at: number): RollingPoint[] {
  return Array.from({ length: count }, (_, index) => {
    const weak = (index + at) % 9 > 6
    const coefficient = 0.4 * Math.cos(index / 6 + at) + 0.1 * wave(index, at)
    const half = weak ? 0.9 : 0.15 + 0.05 * Math.abs(wave(index, at + 1))
    return {
      start: day(9 * index),
      end: day(9 * index + 35),
      coefficient,
      ci_low: coefficient - half,
      ci_high: coefficient + half,
      r2: weak ? 0.05 : 0.6,
      weak
    }
  })
}

/** A document as the engine writes it, of daily series. */
export function analysesDocument (changes: Partial<AnalysesDocument> = {},
  names: readonly string[] = featureNames): AnalysesDocument {
  const targetRows = names.flatMap((feature, index) =>
    (['levels', 'differences', 'seasonal_differences'] as Transform[]).flatMap(
      (transform, place): FeatureTargetRow[] => {
        const value = 0.9 * wave(index + 1, place + 1)
        const row = {
          feature,
          transform,
          n: 900 - place,
          p_value: 0.0123 / (index + 1),
          p_adjusted: 0.0234 / (index + 1)
        }
        if (index % 5 === 4) {
          return transform === 'levels'
            ? [{
              ...row,
              method: 'correlation_ratio',
              value: Math.abs(value),
              abs_value: Math.abs(value),
              best_lag: null,
              value_at_best_lag: null
            }]
            : []
        }
        return [
          {
            ...row,
            method: 'pearson',
            value,
            abs_value: Math.abs(value),
            best_lag: index - 2,
            value_at_best_lag: Math.min(0.99, value * 1.07)
          },
          {
            ...row,
            method: 'spearman',
            value: value * 0.9,
            abs_value: Math.abs(value * 0.9),
            best_lag: null,
            value_at_best_lag: null
          }
        ]
      }
    )
  )
  const pairs = names.flatMap((_, a) =>
    names.slice(a + 1).flatMap((_, index): FeaturePair[] => {
      const b = a + 1 + index
      const value = index === 0 && a % 3 === 0 ? 0.952 - a / 500 : 0.85 * wave(a + 2, b)
      return [{ a, b, method: 'pearson', value, n: 800, p_value: 0.001, redundant: Math.abs(value) >= 0.9 }, {
        a,
        b,
        method: 'spearman',
        value: value * 0.97,
        n: 800,
        p_value: 0.002,
        redundant: Math.abs(value * 0.97) >= 0.9
      }]
    })
  )
  const rolled = names.slice(0, 5)
  return {
    version: 1,
    target: 'sales',
    freq: 'D',
    completed: [...analysisNames],
    skipped: {},
    warnings: ['4 columns were left out: they have one value only.'],
    importance: {
      method: 'surrogate_tree_shap',
      rows: 3200,
      explained_rows: 512,
      max_additivity_error: 1.2e-13,
      fidelity: { r2: 0.9312, label: 'high', nrmse: 0.2123, series_above: 0.973, accuracy_r2: 0.8012 },
      left_out: ['constant_column'],
      features: importanceOf(names),
      groups: importanceOf(['recent level', 'calendar', 'last season', 'promo', 'price'])
    },
    shap: {
      features: [...names],
      summary: names.map((feature, index) => {
        const size = 31.234 * 0.7 ** index
        return {
          feature,
          mean_abs: size,
          mean: size * 0.1,
          sd: size * 1.2,
          p05: size * -2.1,
          p25: size * -0.8,
          p50: size * 0.05,
          p75: size * 0.9,
          p95: size * 2.2
        }
      }),
      points: names.map((feature, place) => {
        const positions = Array.from({ length: 512 },
          (_, index) => place === 3 && index % 10 === 0 ? null : (index * 7919 % 512) / 511)
        const sign = place % 3 === 1 ? -1 : 1
        return {
          feature,
          positions,
          values: positions.map((position, index) =>
            sign * 31.234 * 0.7 ** place * (2 * (position ?? 0.5) - 1 + 0.5 * wave(index, place))
          )
        }
      }),
      detailed: [
        ...['highest', 'highest', 'highest', 'highest', 'lowest', 'lowest', 'lowest', 'largest_error', 'largest_error',
          'largest_error'] as const
      ].map((told, index) => detailedRow(told, index, names))
    },
    feature_target: { rows: targetRows },
    feature_feature: {
      features: [...names],
      order: names.map((_, index) => index).sort((a, b) => a * 7 % 11 - b * 7 % 11),
      pairs,
      constant: ['flag'],
      beyond_limit: ['notes']
    },
    rolling: {
      features: rolled,
      window: 36,
      series: Array.from({ length: 5 }, (_, index) => ({
        item_id: `shop ${index + 1}`,
        features: rolled.map((_, feature) => ({
          feature,
          points: points(40, index + 2 * feature),
          sign_change: (index + feature) % 3 === 0,
          separate_intervals: feature === 1
        }))
      }))
    },
    ...changes
  }
}

/** Bytes of the files that the engine writes, and of the page and the drawing of the plot. */
export const enginesFiles: Record<string, number> = {
  'forecast_plot.csv': 90_000,
  'forecast_plot.html': 2_000_000,
  'forecast_plot.svg': 9_000,
  'feature_importance.csv': 900,
  'shap_values.csv': 800_000,
  'shap_summary.csv': 900,
  'feature_target_correlations.csv': 2000,
  'feature_feature_correlations.csv': 4000,
  'rolling_regression.csv': 60_000,
  'plot.json': 70_000,
  'analyses.json': 90_000
}

/** The same of a table: a classification whose class `yes` is explained. */
export function tableDocument (changes: Partial<AnalysesDocument> = {}): AnalysesDocument {
  const { freq: _freq, feature_target: target, shap, ...rest } = analysesDocument()
  const rows = target?.rows.filter(({ transform }) => transform === 'levels').map((row) => ({
    ...row,
    best_lag: null,
    value_at_best_lag: null
  })) ?? []
  const detailed =
    shap?.detailed.map(({ told, base, prediction, reproduced, contributions, others }, index): DetailedRow => ({
      row_index: 10 * index,
      told,
      base,
      prediction,
      reproduced,
      contributions: contributions.map((one, place) => place === 0 ? { ...one, value: 'Kraków' } : one),
      others
    })) ?? []
  return {
    ...rest,
    subject: 'table',
    target: 'churned',
    class: 'yes',
    completed: ['feature_importance', 'shap', 'feature_target_correlations', 'feature_feature_correlations'],
    skipped: { forecast_plot: 'not_applicable', rolling_regression: 'not_applicable' },
    warnings: [],
    importance: rest.importance && { ...rest.importance, groups: [] },
    feature_target: { rows },
    // The first feature has levels, which have no order.
    shap: shap &&
      {
        ...shap,
        detailed,
        points: shap.points.map((one, place) =>
          place === 0 ? { ...one, positions: one.positions.map(() => null) } : one
        )
      },
    rolling: null,
    ...changes
  }
}
