import { families } from './families.ts'
import { Pattern, type PatternText } from './pattern.ts'

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

  constructor (table: string) {
    const lines = entriesOf(table)
    for (const line of lines) if (line.startsWith('@')) this.#addClass(line)
    for (const name of this.#classes.keys()) this.#of(name)
    for (const line of lines.filter((line) => !line.startsWith('@'))) {
      const end = line.indexOf(': ')
      const family = readFamily(line.slice(0, end))
      for (const source of line.slice(end + 2)
        .split(' ; ')) this.#add({ family, pattern: new Pattern(source, this.#classes) })
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

  #addClass (line: string): void {
    const [, name = '', source = ''] = /^@(\w+) (.*)$/.exec(line) ?? []
    this.#classes.set(name, source)
  }

  #add (phrase: Phrase): void {
    const { first } = phrase.pattern
    if (first === null) throw new Error(`a phrase of "${phrase.family.wish}" may begin with any word`)
    for (const key of first) this.#byFirst.set(key, [...this.#byFirst.get(key) ?? [], phrase])
  }
}

function readFamily (line: string): Family {
  const [, wish = '', value = '', weight] = /^(\w+)(?:=(\w*))? ([\d.]+)$/.exec(line) ?? []
  if (weight === undefined) throw new Error(`"${line}" is no family of phrases`)
  return { wish, value, weight: Number(weight) }
}

/** Splits the table into entries, each on one line. A list of words may be broken after a `|`. */
function entriesOf (table: string): string[] {
  return table.trim().replaceAll(/(?<=\S\|)\n +/g, '').replaceAll(/\n +/g, ' ').split(/\n+/)
}

export const phrases = new Phrases(families)
