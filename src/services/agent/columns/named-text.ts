import type { DataProfile } from '../../../domain/data-profile.ts'
import type { PromptText } from '../text/prompt-text.ts'
import type { Mention, ValueMention } from './mentions.ts'

/** The words of a prompt with the columns and values that they name. */
export interface NamedText {
  readonly data: DataProfile
  readonly text: PromptText
  /** By their first token. */
  readonly mentionAt: ReadonlyMap<number, Mention>
  readonly valueAt: ReadonlyMap<number, ValueMention>
  /** The last time of the data. */
  readonly end: Date | null
  key(at: number): string
  /** The token behind a phrase of a class of the table that begins here; undefined: none does. */
  behind(name: string, at: number): number | undefined
  begins(name: string, at: number): boolean
}
