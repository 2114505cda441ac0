import type { ForecastFacts, ForecastLeaderboard, ForecastReport,
  ForecastScore } from '../../src/report/forecast/forecast-report.ts'

function score (model: string, weight: number | null, mase: number, windows = 300): ForecastScore {
  return { model, weight, mase, smape: 9.1 * mase, wql: 0.071 * mase, coverage_80: 0.79, coverage_95: 0.944, windows }
}

const unmeasured = { mase: null, smape: null, wql: null, coverage_80: null, coverage_95: null, windows: 0 }

export const seasonal: ForecastLeaderboard = {
  windows: 300,
  scores: [
    score('combination', null, 0.7312),
    score('theta_boxcox', 0.38, 0.7402),
    score('ces', 0.25, 0.7611),
    score('ets', 0.2, 0.7702),
    score('arima', 0.17, 0.8011),
    score('ses', 0, 0.9912),
    { model: 'pooled_network', weight: 0, ...unmeasured }
  ],
  baseline: {
    mase: 0.9621,
    smape: 11.3,
    wql: 0.093,
    coverage_80: 0.811,
    coverage_95: 0.932,
    windows: 300,
    combination_better: 212,
    baseline_better: 88
  }
}

/** A report as the engine writes it, of monthly series. */
export function forecastReport (changes: Partial<ForecastReport> = {}): ForecastReport {
  return structuredClone({
    version: 1,
    preset: 'balanced',
    freq: 'MS',
    prediction_length: 12,
    season_length: 12,
    season_lengths: [12],
    series: 120,
    covariates: [{ name: 'price', used: true }, { name: 'weather', used: false }],
    features: ['lag_12', 'month_of_year'],
    global: { members: ['global_direct'], series: 118, rows: 40_120, features: 31 },
    classes: [
      { class: 'constant', series: 2, members: [] },
      {
        class: 'intermittent',
        series: 18,
        members: ['croston_sba', 'tsb', 'adida'],
        leaderboard: {
          windows: 40,
          scores: [score('tsb', 0.5, 1.01, 40), score('croston_sba', 0.5, 1.04, 40), {
            ...score('combination', null, 1.05, 40),
            coverage_80: 0.91,
            coverage_95: 0.97
          }, score('adida', 0, 1.31, 40)],
          baseline: {
            mase: 0.98,
            smape: 130,
            wql: 0.9,
            coverage_80: 0.88,
            coverage_95: 0.96,
            windows: 40,
            combination_better: 15,
            baseline_better: 21
          }
        }
      },
      {
        class: 'short_season',
        series: 100,
        members: ['theta_boxcox', 'ces', 'ets', 'arima', 'ses', 'pooled_network'],
        leaderboard: seasonal
      }
    ],
    seeds: [{ class: 'short_season', member: 'pooled_network', seeds: [1, 2, 3] }],
    ...changes
  })
}

/** What the worker adds to it. */
export function forecastFacts (changes: Partial<ForecastFacts> = {}): ForecastFacts {
  return structuredClone({
    series: 120,
    quantileLevels: [0.1, 0.5, 0.9],
    warnings: [
      {
        code: 'gaps_filled',
        message:
          '12 missing steps inside series were filled from the same position of the seasons around them, or linearly. ' +
          'If nothing happened then, such as on days that are closed, send preparation={"missing": "zero"}.',
        count: 12
      },
      {
        code: 'past_only_covariate',
        message: "The covariate 'weather' has no values after the last target, so it is not used.",
        count: 1
      }
    ],
    timings: { ingest: 0.12, validate: 0.04, fit: 3.21, predict: 0.4, write: 0.02 },
    datasetHash: 'd'.repeat(64),
    configHash: 'c'.repeat(64),
    modelVersion: '0.1.0+balanced',
    explanation: {
      headline: '“sales” is forecast to be 5 % above its level a year earlier over 12 months, a likely outcome.',
      dataFindings: ['“sales” has a strong pattern each year.'],
      forecastSummary: ['Over 12 months “sales” is forecast to average 1,050.'],
      operationalImplications: [],
      caveats: ['The 80 % band held 65 % of the outcomes.'],
      confidence: 0.7654
    },
    engineVersion: '0.1.0',
    ...changes
  })
}

/** Of a hierarchy with three levels. */
export const hierarchyFacts: NonNullable<ForecastFacts['reconciliation']> = {
  method: 'min_trace',
  weights: 'shrink',
  levels: [{ name: 'total', numNodes: 1 }, { name: 'region', numNodes: 8 }, { name: 'shop', numNodes: 111 }],
  numSeries: 120,
  residualWindowsUsed: 3,
  shrinkage: 0.31,
  maxIncoherenceBefore: 123.4,
  maxIncoherenceAfter: 0,
  fallback: { from: 'min_trace', to: 'bottom_up', reason: 'The weights are too uncertain.' },
  warnings: ['3 series have no residuals.']
}

export const externalSources: NonNullable<ForecastFacts['externalSources']> = [
  {
    kind: 'holidays',
    status: 'used',
    reason: null,
    variablesUsed: ['is_holiday', 'days_to_holiday'],
    historyCoverage: 1,
    futureCoverage: 1,
    attribution: 'Holidays by date-holidays (ISC), data from Wikipedia, CC BY-SA 3.0'
  },
  {
    kind: 'weather',
    status: 'skipped',
    reason: 'No place was given.',
    variablesUsed: [],
    historyCoverage: null,
    futureCoverage: null,
    attribution: null
  }
]
