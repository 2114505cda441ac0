import type { DataProfile } from '../../../domain/data-profile.ts'
import type { PromptText } from '../text/prompt-text.ts'
import type { Mention, ValueMention } from './mentions.ts'

/** The words of a prompt, with the columns and values that they name. */
export interface NamedText {
  readonly data: DataProfile
  readonly text: PromptText
  /** Mentions by their first token. */
  readonly mentionAt: ReadonlyMap<number, Mention>
  readonly valueAt: ReadonlyMap<number, ValueMention>
  /** The last timestamp of the data. */
  readonly end: Date | null
  key(at: number): string
  /** The token after a phrase of this class that begins here; undefined: no such phrase begins here. */
  behind(name: string, at: number): number | undefined
  begins(name: string, at: number): boolean
}
