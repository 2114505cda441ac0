import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import type { IntentFilter } from '../../../domain/forecast-intent.ts'
import type { AnomalyHandling, BacktestStrategy, DeploymentTarget, EvaluationMetric, Granularity,
  MissingDataHandling } from '../../../domain/intent-values.ts'
import type { Aggregate } from '../../../domain/preparation-spec.ts'
import type { Mention, ValueMention } from '../columns/mentions.ts'
import type { PromptText } from '../text/prompt-text.ts'
import type { HorizonWish, TimeUnit } from '../time/horizon-wish.ts'

/** A prompt with all that is known of its words before a rule looks at it. */
export interface Reading {
  data: DataProfile
  text: PromptText
  mentions: readonly Mention[]
  values: readonly ValueMention[]
  /** The same by their first token, and by the token behind them. */
  mentionAt: ReadonlyMap<number, Mention>
  mentionBefore: ReadonlyMap<number, Mention>
  valueAt: ReadonlyMap<number, ValueMention>
  /** The last time of the data. */
  end: Date | null
}

export type Wish =
  | { field: 'horizon', value: HorizonWish }
  | { field: 'granularity', value: Granularity }
  /** Columns of which one is meant. */
  | { field: 'forecast_target', value: ProfiledColumn[] }
  /** A name that the file does not have. */
  | { field: 'unknown_target', value: string }
  /** A column that stands where the target does, and that no forecast can be made of. */
  | { field: 'unusable_target', value: ProfiledColumn }
  /** Words that stand where the target does, and that are nothing of the file. */
  | { field: 'unplaced_target', value: string }
  /** Words that name rows which the file does not have, or say of which it cannot be told. */
  | { field: 'unknown_rows', value: string }
  /** How rows become one. */
  | { field: 'combining', value: Combining }
  | { field: 'time_column', value: string }
  | { field: 'grouping', value: string[] }
  /** One series of everything. */
  | { field: 'grand_total', value: null }
  | { field: 'filters', value: IntentFilter[] }
  /** `isKnownAhead`: what the prompt says of the steps to come; the data have to bear it out. */
  | { field: 'covariates', value: { columns: string[], isUsed: boolean, isKnownAhead?: boolean } }
  | { field: 'evaluation_metric', value: EvaluationMetric }
  | { field: 'backtest_strategy', value: BacktestStrategy }
  | { field: 'confidence_intervals', value: number[] }
  /** How long a season is; none: there shall be none. */
  | { field: 'seasonality', value: { quantity: number, unit: TimeUnit }[] }
  | { field: 'anomaly_handling', value: AnomalyHandling }
  | { field: 'missing_data_handling', value: MissingDataHandling }
  | { field: 'deployment_target', value: DeploymentTarget }
  | { field: 'user_constraints', value: string }
  /** Words about something that no field is for: they only keep other rules from these words. */
  | { field: 'none', value: null }

export interface Combining {
  how: Aggregate
  /** What it is said of: rows of a step, rows of several series, or what there is to combine. */
  axis: 'steps' | 'series' | 'either'
  /** Columns that it is said of; null: of what is forecast. */
  of: string[] | null
  /** A word for all of them together, which of rates does not ask for a sum. */
  isLoose: boolean
}

export type Finding = Wish & {
  /** Tokens `from` up to `to`. */
  from: number
  to: number
  /** 0 to 1: how sure it is. From `explicit` on the prompt says it in so many words. */
  weight: number
}

/** Reads one kind of wish out of a prompt. Rules do not know each other: of findings that share words one stays. */
export type Rule = (reading: Reading) => Finding[]

export const explicit = 0.7
