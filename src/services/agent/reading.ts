import type { DataProfile, ProfiledColumn } from '../../domain/data-profile.ts'
import type { IntentFilter } from '../../domain/forecast-intent.ts'
import type { AnomalyHandling, BacktestStrategy, DeploymentTarget, EvaluationMetric, Granularity,
  MissingDataHandling } from '../../domain/intent-values.ts'
import type { Aggregate } from '../../domain/preparation-spec.ts'
import { ColumnLexicon } from './columns/column-lexicon.ts'
import type { NamedText } from './columns/lists.ts'
import { findMentions, findValueMentions, type Mention, type ValueMention } from './columns/mentions.ts'
import { ValueLexicon } from './columns/value-lexicon.ts'
import type { SlotValue } from './phrases/pattern.ts'
import { phrases, type PhraseText } from './phrases/phrases.ts'
import { mayBeginSlot, readSlot } from './phrases/slots.ts'
import { correctSpelling } from './text/correct-spelling.ts'
import { readNormalForms } from './text/normal-forms.ts'
import { readNumberWords } from './text/number-words.ts'
import { PromptText, readTokens } from './text/tokens.ts'
import type { HorizonWish, TimeUnit } from '../recommendations/time/frequency.ts'

export type Wish =
  | { field: 'horizon', value: HorizonWish }
  | { field: 'granularity', value: Granularity }
  /** Columns; one of them is meant. */
  | { field: 'forecast_target', value: ProfiledColumn[] }
  /** A name that the file does not have. */
  | { field: 'unknown_target', value: string }
  /** A column in the place of the target that cannot be forecast. */
  | { field: 'unusable_target', value: ProfiledColumn }
  /** Words in the place of the target that name nothing in the file. */
  | { field: 'unplaced_target', value: string }
  /** Words for rows that the file does not have, or that cannot be identified. */
  | { field: 'unknown_rows', value: string }
  | { field: 'combining', value: Combining }
  | { field: 'time_column', value: string }
  | { field: 'grouping', value: string[] }
  /** All rows are one series. */
  | { field: 'grand_total', value: null }
  | { field: 'filters', value: IntentFilter[] }
  /** `isKnownAhead`: whether the prompt says that the horizon has values. The data must confirm that. */
  | { field: 'covariates', value: { columns: string[], isUsed: boolean, isKnownAhead?: boolean } }
  | { field: 'evaluation_metric', value: EvaluationMetric }
  | { field: 'backtest_strategy', value: BacktestStrategy }
  | { field: 'confidence_intervals', value: number[] }
  /** The lengths of seasons; empty: no seasons. */
  | { field: 'seasonality', value: { quantity: number, unit: TimeUnit }[] }
  | { field: 'anomaly_handling', value: AnomalyHandling }
  | { field: 'missing_data_handling', value: MissingDataHandling }
  | { field: 'deployment_target', value: DeploymentTarget }
  | { field: 'user_constraints', value: string }
  /** The purpose of the forecast, in the words of the prompt. */
  | { field: 'business_objective', value: string }
  /** Words that belong to no field. */
  | { field: 'none', value: null }

/** How rows are combined. */
export interface Combining {
  how: Aggregate
  /** What is combined: rows of a step, rows of several series, or whichever there are. */
  axis: 'steps' | 'series' | 'either'
  /** The columns that are combined; null: the target. */
  of: string[] | null
  /** The word means all of them together, such as `overall`; for a rate it does not ask for a sum. */
  isLoose: boolean
}

/** A place in the prompt: the tokens from `from` up to `to`. */
export interface Place {
  from: number
  to: number
}

/** `weight`: how sure the finding is, from 0 to 1. From `explicit` on the prompt says it explicitly. */
export type Finding = Wish & Place & { weight: number }
export const explicit = 0.7

/** A wish at a place in the prompt. */
export function finding<F extends Wish['field']> (field: F, value: Extract<Wish, { field: F }>['value'],
  { from, to, weight }: Place & { weight: number }): Finding {
  return { field, value, from, to, weight } as Finding
}

/** A prompt with what is known about its words: their normal form, and the columns and values that they name. */
export class Reading implements PhraseText, NamedText {
  readonly data: DataProfile
  readonly text: PromptText
  readonly mentions: readonly Mention[]
  readonly values: readonly ValueMention[]
  /** Mentions by their first token, and by the token after their last one. */
  readonly mentionAt: ReadonlyMap<number, Mention>
  readonly mentionBefore: ReadonlyMap<number, Mention>
  readonly valueAt: ReadonlyMap<number, ValueMention>
  /** The last timestamp of the data. */
  readonly end: Date | null
  readonly #slots = new Map<string, Map<number, SlotValue | undefined>>()

  constructor (prompt: string, data: DataProfile) {
    this.data = data
    const columns = new ColumnLexicon(data)
    const values = new ValueLexicon(data)
    const mended = correctSpelling(readTokens(prompt), (part) => columns.hasPart(part) || values.hasPart(part))
    this.text = new PromptText(prompt, readNormalForms(readNumberWords(mended)))
    this.values = findValueMentions(this.text, values)
    const ofValues = new Set(
      this.values.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, offset) => from + offset))
    )
    // A value of the file, such as `pump-b`, is not also a loose name of a column.
    this.mentions = findMentions(this.text, columns)
      .filter(({ from, likeness }) => likeness === 'exact' || likeness === 'partial' || !ofValues.has(from))
    this.mentionAt = new Map(this.mentions.map((mention) => [mention.from, mention]))
    this.mentionBefore = new Map(this.mentions.map((mention) => [mention.to, mention]))
    this.valueAt = new Map(this.values.map((mention) => [mention.from, mention]))
    const end = new Date(data.series?.end ?? NaN)
    this.end = Number.isNaN(end.getTime()) ? null : end
  }

  get size (): number {
    return this.text.tokens.length
  }

  key (at: number): string {
    return this.text.key(at)
  }

  /** Each slot is read at most once at a place, however many phrases need it there. */
  slot (name: string, at: number): SlotValue | undefined {
    if (at >= this.size && name !== 'plural') return undefined
    const known = this.#slots.get(name) ?? new Map<number, SlotValue | undefined>()
    this.#slots.set(name, known)
    if (!known.has(at)) known.set(at, readSlot(this, name, at))
    return known.get(at)
  }

  mayBegin (slot: string, at: number): boolean {
    return mayBeginSlot(this, slot, at)
  }

  behind (name: string, at: number): number | undefined {
    return phrases.behind(name, this, at)
  }

  begins (name: string, at: number): boolean {
    return this.behind(name, at) !== undefined
  }

  /** Whether a phrase of this class of the table ends directly before the token. */
  endsBefore (name: string, at: number): boolean {
    return phrases.endsBefore(name, this, at)
  }
}
