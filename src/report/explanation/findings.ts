/**
 * The engine's findings about the series of a job, as numbers; null if a finding does not apply. Steps of time are
 * indices, for which `dates` has texts. Shares are from 0 to 1; other numbers are in the unit of the data.
 */
export interface Findings {
  version: 1
  /** Series with at least one observation. */
  series: number
  /** Series without observations. */
  empty: number
  /** Series whose values are too large to be analysed; absent: none. */
  beyond?: number
  /** Steps of the main season; 1 for none. */
  season_length: number
  newest: number
  confidence: { value: number }
  item: string | null
  /** Findings about the only series. */
  single: SeriesFindings | null
  /** Findings about the sum of several series. */
  total: { series: number, findings: SeriesFindings } | null
  rules: Record<RuleName, Extent>
  accuracy: PanelAccuracy
  concentration: { series: number, of: number, share: number } | null
}

export type RuleName = 'trend_up' | 'trend_down' | 'trend_change' | 'season' | 'strong_season' | 'level_shift'
  | 'outliers' | 'intermittent' | 'lumpy' | 'short_history' | 'missing' | 'constant' | 'negatives' | 'stale_end'
  | 'wide' | 'growing' | 'clearly_better' | 'slightly_better' | 'not_better' | 'too_high' | 'too_low' | 'too_narrow'
  | 'too_wide' | 'rise' | 'fall'

/** In how many series a rule found something. */
export interface Extent {
  series: number
  /** How many series could be judged. */
  of: number
  volume_share: number
  /** Id of the series where it matters most. */
  example: string | null
}

export type Standing = 'clearly_better' | 'slightly_better' | 'not_better'

export interface PanelAccuracy {
  series: number
  error: number
  naive_error: number
  skill: number
  /** null: nothing was backtested. */
  standing: Standing | null
  /** Steps of the season that the naive forecasts repeat; absent: the main one. */
  season_length?: number
  coverage: number | null
}

export interface SeriesFindings {
  steps: number
  from: number
  to: number
  trend: { change: number, relative: number | null, total: number, total_relative: number | null, whole?: boolean,
    strong: boolean, from: number, to: number } | null
  trend_change: { before: number, after: number, before_relative: number | null, after_relative: number | null,
    at: number } | null
  season: SeasonFinding | null
  level_shift: { at: number, size: number, relative: number | null } | null
  outliers: { count: number, share: number, largest: number, value: number, expected: number } | null
  intermittent: { interval: number, zero_share: number, lumpy: boolean } | null
  short_history: { steps: number, seasons: number | null } | null
  missing: { missing: number, duplicates: number, share: number, grade: 'note' | 'caveat' | 'severe' } | null
  constant: { steps: number, since: number, value: number, whole: boolean } | null
  negatives: { count: number, observed: number, share: number } | null
  stale_end: { last: number, steps: number } | null
  uncertainty: { first_width: number, last_width: number, ratio: number | null, relative: number | null,
    growing: boolean, wide: boolean } | null
  accuracy: { error: number, naive_error: number, skill: number, standing: Standing, steps: number,
    coverage: number | null } | null
  bias: { mean_error: number, relative: number, steps: number } | null
  coverage: { share: number, steps: number, too_narrow: boolean } | null
  comparison: ComparisonFinding | null
  outlook: OutlookFinding | null
}

export interface SeasonFinding {
  length: number
  strength: number
  strong: boolean
  peak: number
  trough: number
  next_peak: number
  peak_change: number
  peak_relative: number | null
}

export interface ComparisonFinding {
  forecast: number
  previous: number
  change: number
  relative: number | null
  about_same: boolean
  outside_band: boolean | null
  steps: number
  from: number
  to: number
  /** How many seasons lie between the compared steps; null: compared with the steps just before. */
  seasons: number | null
}

export interface OutlookFinding {
  steps: number
  from: number
  to: number
  mean: number
  highest_at: number
  highest: number
  last: number
  last_lower: number | null
  last_upper: number | null
}

/** The findings, and everything else that the sentences need. */
export interface ExplanationInput {
  findings: Findings
  /** Name of the target column. */
  target: string
  /** Canonical pandas alias of the step, such as `h`, `30min`, `D`, `W-SUN`, `MS`, `QE`, `YE`. */
  frequency: string
  /** ISO 8601 text of each step that the findings name, by index. */
  dates: Readonly<Record<string, string>>
  /** Series of the job, if the findings cover only the largest ones; absent: they cover all. */
  totalSeries?: number
  /** The drivers of the forecast, from its surrogate; absent: it was not analysed, or no surrogate was close enough. */
  drivers?: Drivers
  /** For a hierarchy: the largest difference between a parent and the sum of its children before reconciliation. */
  incoherence?: number
}

export interface Drivers {
  /** By rank. */
  groups: ReadonlyArray<{ feature: string, share: number }>
  fidelity: { r2: number, label: 'high' | 'moderate' | 'low' }
}
