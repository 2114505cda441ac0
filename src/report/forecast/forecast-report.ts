import type { ExplanationWords } from '../explanation/rephrase.ts'
import type { CombinedFacts } from './combined-text.ts'

/**
 * The engine's `report.json` of a forecast (`src/services/forecasts/report.md` describes its fields). Names of
 * covariates and texts of warnings may come from a customer's file: they are data here, never markup.
 */
export interface ForecastReport {
  version: 1
  preset: string
  /** Canonical alias. */
  freq: string
  /** Steps. */
  prediction_length: number
  season_length: number
  season_lengths: number[]
  /** Series that were forecast: with a hierarchy all its nodes. */
  series: number
  covariates?: Array<{ name: string, used: boolean }>
  features?: string[]
  global?: { members: string[], series: number, rows: number, features: number }
  classes: SeriesClass[]
  seeds: Array<{ class: string, member: string, seeds: number[] }>
}

/** Series of one kind. */
export interface SeriesClass {
  class: string
  series: number
  members: string[]
  leaderboard?: ForecastLeaderboard
}

export interface ForecastLeaderboard {
  windows: number
  scores: ForecastScore[]
  /** Repeating the last season; absent in reports of earlier versions. */
  baseline?: ForecastMetrics & { windows: number, combination_better: number, baseline_better: number }
}

/** null: no window could be forecast, or the figure is not a finite number. */
export interface ForecastMetrics {
  mase: number | null
  /** Percent. */
  smape: number | null
  wql: number | null
  coverage_80: number | null
  coverage_95: number | null
}

export interface ForecastScore extends ForecastMetrics {
  /** Registry name, or `combination`. */
  model: string
  weight: number | null
  windows: number
}

/** Facts about the job that are not in the engine's report. */
export interface ForecastFacts {
  /** Series of the dataset, without the aggregates of a hierarchy. */
  series: number
  /** Ascending. */
  quantileLevels: readonly number[]
  warnings: ReadonlyArray<{ code: string, message: string, count: number }>
  /** Seconds by stage. */
  timings: Readonly<Record<string, number>>
  datasetHash: string
  /** null: not known. */
  configHash: string | null
  modelVersion: string | null
  engineVersion: string
  reconciliation?: HierarchyFacts
  /** Absent: rows were not prepared. */
  combined?: CombinedFacts
  /** Absent: the forecast could not be explained in words. */
  explanation?: ExplanationFacts
  /** Mean absolute errors of a step of a series, in the unit of the target; absent: nothing was tested. */
  meanError?: { ours: number, baseline: number }
  /** Absent: none were asked for. */
  externalSources?: readonly ExternalSource[]
}

/** The explanation of the forecast. */
export interface ExplanationFacts extends Omit<ExplanationWords, 'narrative'> {
  /** From 0 to 1. */
  confidence: number
}

/** How forecasts were reconciled. */
export interface HierarchyFacts {
  method: string
  weights?: string
  topDownMethod?: string
  /** From the grand total to the bottom. */
  levels: ReadonlyArray<{ name: string, numNodes: number }>
  numSeries: number
  residualWindowsUsed: number
  /** From 0 to 1. */
  shrinkage?: number
  /** Largest difference between a parent and the sum of its children, in the unit of the target. */
  maxIncoherenceBefore: number
  maxIncoherenceAfter: number
  fallback?: { from: string, to: string, reason: string }
  warnings: readonly string[]
}

/** Covariates that do not come from the file. */
export interface ExternalSource {
  /** The kind of covariates, such as `weather` or `holidays`. */
  kind: string
  status: 'used' | 'partial' | 'skipped' | 'failed'
  /** Why it was not used, or not all of it. */
  reason: string | null
  variablesUsed: readonly string[]
  /** Shares of the steps with a value, from 0 to 1. */
  historyCoverage: number | null
  futureCoverage: number | null
  /** The source of the values and their licence; null if there is none. */
  attribution: string | null
}
