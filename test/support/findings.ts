import type { ExplanationInput, Extent, Findings, RuleName,
  SeriesFindings } from '../../src/report/explanation/findings.ts'

const ruleNames: RuleName[] = [
  'trend_up',
  'trend_down',
  'trend_change',
  'season',
  'strong_season',
  'level_shift',
  'outliers',
  'intermittent',
  'lumpy',
  'short_history',
  'missing',
  'constant',
  'negatives',
  'stale_end',
  'wide',
  'growing',
  'clearly_better',
  'slightly_better',
  'not_better',
  'too_high',
  'too_low',
  'too_narrow',
  'too_wide',
  'rise',
  'fall'
]

const nothing: SeriesFindings = {
  steps: 60,
  from: 0,
  to: 59,
  trend: null,
  trend_change: null,
  season: null,
  level_shift: null,
  outliers: null,
  intermittent: null,
  short_history: null,
  missing: null,
  constant: null,
  negatives: null,
  stale_end: null,
  uncertainty: null,
  accuracy: null,
  bias: null,
  coverage: null,
  comparison: null,
  outlook: null
}

/** Five years of months from January 2019 on, and a year ahead; nothing was found but what is given. */
export function seriesFindings (found: Partial<SeriesFindings> = {}): SeriesFindings {
  return { ...nothing, ...found }
}

export function monthlySales (): SeriesFindings {
  return seriesFindings({
    trend: { change: 41.7, relative: 0.0417, total: 208, total_relative: 0.208, strong: false, from: 0, to: 59 },
    season: {
      length: 12,
      strength: 0.82,
      strong: true,
      peak: 59,
      trough: 49,
      next_peak: 71,
      peak_change: 123,
      peak_relative: 0.123
    },
    accuracy: { error: 21.2, naive_error: 30.3, skill: 0.3003, standing: 'clearly_better', steps: 36, coverage: 0.81 },
    comparison: {
      forecast: 12_600,
      previous: 12_000,
      change: 600,
      relative: 0.05,
      about_same: false,
      outside_band: true,
      steps: 12,
      from: 60,
      to: 71,
      seasons: 1
    },
    outlook: {
      steps: 12,
      from: 60,
      to: 71,
      mean: 1050,
      highest_at: 71,
      highest: 1234.5,
      last: 1234.5,
      last_lower: 1100.4,
      last_upper: 1400.6
    }
  })
}

export function findingsOf (single: SeriesFindings, more: Partial<Findings> = {}): Findings {
  return {
    version: 1,
    series: 1,
    empty: 0,
    season_length: 12,
    newest: 59,
    confidence: { value: 0.7654 },
    item: 'A12',
    single,
    total: null,
    rules: rulesOf({}),
    accuracy: unknownAccuracy,
    concentration: null,
    ...more
  }
}

const unknownAccuracy: Findings['accuracy'] = {
  series: 0,
  error: 0,
  naive_error: 0,
  skill: 0,
  standing: null,
  coverage: null
}

export function panelOf (total: SeriesFindings, rules: Partial<Record<RuleName, Partial<Extent>>> = {},
  more: Partial<Findings> = {}): Findings {
  const accuracy: Findings['accuracy'] = {
    series: 100,
    error: 90,
    naive_error: 120,
    skill: 0.25,
    standing: 'clearly_better',
    coverage: 0.8
  }
  return {
    ...findingsOf(total),
    series: 120,
    item: null,
    single: null,
    total: { series: 120, findings: total },
    rules: rulesOf(rules),
    accuracy,
    ...more
  }
}

export function rulesOf (found: Partial<Record<RuleName, Partial<Extent>>>): Record<RuleName, Extent> {
  return Object.fromEntries(
    ruleNames.map((name) => [name, { series: 0, of: 120, volume_share: 0, example: null, ...found[name] }])
  ) as Record<RuleName, Extent>
}

/** With dates of steps that are a month, an hour, ... apart. */
export function inputOf (findings: Findings,
  { target = 'sales', frequency = 'MS', ...rest }: Partial<Omit<ExplanationInput, 'findings' | 'dates'>> =
    {}): ExplanationInput {
  const dates = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [index, dateOf(index, frequency)]))
  return { ...rest, findings, target, frequency, dates }
}

function dateOf (index: number, frequency: string): string {
  const monthly = { MS: 1, ME: 1, QS: 3, QE: 3, YS: 12, YE: 12 }[frequency.replace(/-.*/, '')]
  const hours = { D: 24, B: 24, W: 168 }[frequency.replace(/-.*/, '')] ?? 0.5
  const date = monthly === undefined
    ? new Date(Date.UTC(2019, 0, 7) + index * hours * 3_600_000)
    : new Date(Date.UTC(2019, index * monthly, 1))
  return date.toISOString().slice(0, 19)
}
