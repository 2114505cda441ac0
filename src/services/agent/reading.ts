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
import type { HorizonWish, TimeUnit } from './time/frequency.ts'

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
  /** What the forecast is for, in the words of the prompt. */
  | { field: 'business_objective', value: string }
  /** Words about something that no field is for. */
  | { field: 'none', value: null }

/** How rows become one. */
export interface Combining {
  how: Aggregate
  /** What it is said of: rows of a step, rows of several series, or what there is to combine. */
  axis: 'steps' | 'series' | 'either'
  /** Columns that it is said of; null: of what is forecast. */
  of: string[] | null
  /** A word for all of them together, which of rates does not ask for a sum. */
  isLoose: boolean
}

/** Where something stands: tokens `from` up to `to`. */
export interface Place {
  from: number
  to: number
}

/** `weight`: 0 to 1, how sure it is. From `explicit` on the prompt says it in so many words. */
export type Finding = Wish & Place & { weight: number }
export const explicit = 0.7

/** What is wished for at a place. */
export function finding<F extends Wish['field']> (field: F, value: Extract<Wish, { field: F }>['value'],
  { from, to, weight }: Place & { weight: number }): Finding {
  return { field, value, from, to, weight } as Finding
}

/**
 * A prompt with all that is known of its words: their one form, and the columns and values of the data that they
 * name.
 */
export class Reading implements PhraseText, NamedText {
  readonly data: DataProfile
  readonly text: PromptText
  readonly mentions: readonly Mention[]
  readonly values: readonly ValueMention[]
  /** By their first token, and by the token behind them. */
  readonly mentionAt: ReadonlyMap<number, Mention>
  readonly mentionBefore: ReadonlyMap<number, Mention>
  readonly valueAt: ReadonlyMap<number, ValueMention>
  /** The last time of the data. */
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
    // `pump-b` is a value of the file, and no other word for its column.
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

  /** A slot is read once at a place, whatever number of phrases have it there. */
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

  /** Whether a phrase of a class of the table ends right before this token. */
  endsBefore (name: string, at: number): boolean {
    return phrases.endsBefore(name, this, at)
  }
}
