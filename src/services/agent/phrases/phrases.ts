import { Pattern, type PatternText } from './pattern.ts'
import columns from './table/columns.json' with { type: 'json' }
import handling from './table/handling.json' with { type: 'json' }
import rows from './table/rows.json' with { type: 'json' }
import targets from './table/targets.json' with { type: 'json' }
import time from './table/time.json' with { type: 'json' }

/** Patterns by their class or family. A long pattern is a list of pieces. */
type Table = Readonly<Record<string, readonly (string | readonly string[])[]>>

/** A text that can tell at low cost where a slot may begin. */
export interface PhraseText extends PatternText {
  mayBegin: (slot: string, at: number) => boolean
}

/** What the phrases of a family mean. */
export interface Family {
  wish: string
  value: string
  weight: number
}

export interface FoundPhrase extends Family {
  from: number
  to: number
  slots: unknown[]
}

interface Phrase {
  family: Family
  pattern: Pattern
}

/** The table of phrases, indexed by their first words. */
class Phrases {
  readonly #classes = new Map<string, string>()
  readonly #patterns = new Map<string, Pattern>()
  readonly #byFirst = new Map<string, Phrase[]>()

  constructor (tables: readonly Table[]) {
    const entries = tables.flatMap((table) => Object.entries(table)).map(([name, patterns]) =>
      [name, patterns.map(joined)] as const
    )
    for (const [name, patterns] of entries) {
      if (name.startsWith('@')) this.#classes.set(name.slice(1), patterns.join(' | '))
    }
    for (const name of this.#classes.keys()) this.#of(name)
    for (const [name, patterns] of entries) {
      if (name.startsWith('@')) continue
      const family = readFamily(name)
      for (const source of patterns) this.#add({ family, pattern: new Pattern(source, this.#classes) })
    }
  }

  /** Finds each phrase of the table in a text, from left to right. */
  *find (text: PhraseText): Generator<FoundPhrase> {
    const slots = [...this.#byFirst.keys()].filter((key) => key.startsWith('<'))
    const tried = new Map<Phrase, number>()
    for (let at = 0; at < text.size; at++) {
      for (const key of [text.key(at), ...slots]) {
        if (key.startsWith('<') && !text.mayBegin(key, at)) continue
        for (const phrase of this.#byFirst.get(key) ?? []) {
          // A phrase may begin with a word and also with a slot, so it is tried only once per place.
          const match = tried.get(phrase) === at ? undefined : phrase.pattern.matchAt(text, at)
          tried.set(phrase, at)
          if (match !== undefined && match.to > at) yield { ...phrase.family, from: at, ...match }
        }
      }
    }
  }

  /** The token after a phrase of the class that begins at a place. */
  behind (name: string, text: PatternText, at: number): number | undefined {
    return this.#of(name).matchAt(text, at)?.to
  }

  /** Whether a phrase of the class ends directly before a place. */
  endsBefore (name: string, text: PatternText, at: number): boolean {
    return this.#of(`=<(@${name})`).matchAt(text, at) !== undefined
  }

  #of (name: string): Pattern {
    const source = name.startsWith('=') ? name : `@${name}`
    const pattern = this.#patterns.get(source) ?? new Pattern(source, this.#classes)
    this.#patterns.set(source, pattern)
    return pattern
  }

  #add (phrase: Phrase): void {
    const { first } = phrase.pattern
    if (first === null) throw new Error(`a phrase of "${phrase.family.wish}" may begin with any word`)
    for (const key of first) this.#byFirst.set(key, [...this.#byFirst.get(key) ?? [], phrase])
  }
}

function readFamily (name: string): Family {
  const [, wish = '', value = '', weight] = /^(\w+)(?:=(\w*))? ([\d.]+)$/.exec(name) ?? []
  if (weight === undefined) throw new Error(`"${name}" is no family of phrases`)
  return { wish, value, weight: Number(weight) }
}

/** A piece that ends with `|` continues its list of words in the next piece. */
function joined (pattern: string | readonly string[]): string {
  return typeof pattern === 'string' ? pattern : pattern.join(' ').replaceAll(/(?<=\S\|) (?=\S)/g, '')
}

export const phrases = new Phrases([handling, time, columns, rows, targets])
