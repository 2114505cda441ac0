import { countText } from '../number-text.ts'
import { shownText } from '../shown-text.ts'
import { figureText, shareText } from './figures.ts'

/** The content of a sentence for programs: the rule, and the raw values of everything that is not fixed. */
export interface SentenceKey {
  rule: string
  values: Record<string, number | string>
}

export interface Sentence {
  text: string
  key: SentenceKey
  /**
   * How much the sentence matters: the size of the effect, from 0 to 1, times the share of the data to which it
   * applies.
   */
  weight: number
}

/** A value in a sentence: its name in the key, its raw value and its text. */
export interface Slot {
  name: string
  value: number | string
  text: string
}

/** A number in the unit of the data; `size` shows it without its sign. */
export const number = (name: string, value: number): Slot => ({ name, value, text: figureText(value) })
export const size = (name: string, value: number): Slot => ({ name, value, text: figureText(Math.abs(value)) })
/** A share as per cent. */
export const share = (name: string, value: number): Slot => ({ name, value, text: shareText(value) })
export const shareSize = (name: string, value: number): Slot => ({ name, value, text: shareText(Math.abs(value)) })
/** Counts are exact. */
export const count = (name: string, value: number): Slot => ({ name, value, text: countText(value) })
/** Text that was made elsewhere, such as a date. */
export const words = (name: string, text: string): Slot => ({ name, value: text, text })
/** A customer's name in quotation marks, whatever it contains. */
export function named (name: string, text: string): Slot {
  const shown = shownText(text, 40).replaceAll(/[“”]/g, "'")
  return { name, value: shown, text: `“${shown}”` }
}

/**
 * ``say('outliers', 0.3)`${count('count', 3)} values are unusual.` `` gives the sentence and its key. A slot may be a
 * list of texts and slots, one after the other.
 */
export function say (rule: string, weight = 1): (texts: TemplateStringsArray, ...parts: Part[]) => Sentence {
  return (texts, ...parts) => {
    const values: SentenceKey['values'] = {}
    const textOf = (part: Part): string => {
      if (typeof part === 'string') return part
      if (isList(part)) return part.map(textOf).join('')
      values[part.name] = part.value
      return part.text
    }
    const text = texts.map((fixed, index) => fixed + (index < parts.length ? textOf(parts[index] ?? '') : '')).join('')
    return {
      text: text.charAt(0).toUpperCase() + text.slice(1),
      key: { rule, values },
      weight: Math.min(1, Math.max(0, weight))
    }
  }
}

export type Part = string | Slot | readonly Part[]

function isList (part: Part): part is readonly Part[] {
  return Array.isArray(part)
}
