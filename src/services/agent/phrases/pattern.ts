/** The value of a slot such as `<n>` at a place, and the token after it. */
export interface SlotValue {
  value: unknown
  to: number
}

/** The words that patterns are matched against. */
export interface PatternText {
  size: number
  key: (at: number) => string
  slot: (name: string, at: number) => SlotValue | undefined
}

export interface PatternMatch {
  to: number
  slots: unknown[]
}

interface State {
  text: PatternText
  slots: unknown[]
  left: number
}
/** Calls `then` for each place where a part may end, the likeliest first, until it succeeds. */
type Step = (state: State, at: number, then: (at: number) => boolean) => boolean
interface Part {
  step: Step
  first: ReadonlySet<string> | null
  isEmpty: boolean
  isLazy?: boolean
}

/** The limit on the steps of one attempt. Phrases that people say need fewer. */
const maxSteps = 3_000
const maxLookBack = 10
const special = /[\s()|]/

/**
 * A phrase over whole words: `a|b` one of them, `(a b | c d)` one of several phrases, `x?` perhaps, `x*3` up to three
 * times, `drop+` in any form, `@odd` a class of phrases, `%stop*5` up to five words that are not of a class, `<n>` a
 * slot, `\:` a mark. What has to stand before or behind: `=<(a b)`, `=>(a b)`; what must not: `!<(a b)`, `!>(a b)`.
 */
export class Pattern {
  readonly #part: Part

  constructor (source: string, classes: ReadonlyMap<string, string>) {
    this.#part = new PatternReader(source, classes).read()
  }

  /** The keys that the pattern can begin with, and slots by their names; null: any key. */
  get first (): ReadonlySet<string> | null {
    return this.#part.isEmpty ? null : this.#part.first
  }

  matchAt (text: PatternText, at: number): PatternMatch | undefined {
    const { first, isEmpty } = this.#part
    const state: State = { text, slots: [], left: maxSteps }
    if (!isEmpty && !mayBegin(first, state, at)) return undefined
    let found: PatternMatch | undefined
    this.#part.step(state, at, (to) => {
      found = { to, slots: [...state.slots] }
      return true
    })
    return found
  }
}

const known = new WeakMap<ReadonlyMap<string, string>, Map<string, Part>>()

class PatternReader {
  readonly #source: string
  readonly #classes: ReadonlyMap<string, string>
  #at = 0

  constructor (source: string, classes: ReadonlyMap<string, string>) {
    this.#source = source
    this.#classes = classes
  }

  read (): Part {
    const part = this.#choice()
    if (this.#at < this.#source.length) throw new Error(`"${this.#source}" has an unexpected ")"`)
    return part
  }

  #choice (): Part {
    const options = [this.#sequence()]
    while (this.#source[this.#at] === '|') {
      this.#at++
      options.push(this.#sequence())
    }
    return oneOf(options)
  }

  #sequence (): Part {
    const parts: Part[] = []
    for (;;) {
      while (this.#source[this.#at] === ' ') this.#at++
      if (this.#at >= this.#source.length || /[)|]/.test(this.#source[this.#at] as string)) return sequence(parts)
      parts.push(this.#item())
    }
  }

  /** Parses `a|b` with its repetition. */
  #item (): Part {
    const options = [this.#atom()]
    while (this.#source[this.#at] === '|' && !special.test(this.#source[this.#at + 1] ?? ' ')) {
      this.#at++
      options.push(this.#atom())
    }
    const often = /^(?:\?|\*(\d))/.exec(this.#source.slice(this.#at, this.#at + 2))
    if (often === null) return oneOf(options)
    this.#at += often[0].length
    return upTo(Number(often[1] ?? 1), oneOf(options))
  }

  #atom (): Part {
    const look = /^([!=])([<>])\(/.exec(this.#source.slice(this.#at, this.#at + 3))
    if (look !== null || this.#source[this.#at] === '(') {
      this.#at += look === null ? 1 : 3
      const part = this.#choice()
      if (this.#source[this.#at++] !== ')') throw new Error(`"${this.#source}" has no ")" for a "("`)
      return look === null ? part : lookAround(part, look[2] === '<', look[1] === '!')
    }
    const word = /^(?:\\\S[^\s()|?*]*|<[a-z]+>|[^\s()|?*]+)/.exec(this.#source.slice(this.#at))?.[0]
    if (word === undefined) throw new Error(`"${this.#source}" has no word at ${this.#at}`)
    this.#at += word.length
    if (/^<\w+>$/.test(word)) return slot(word.slice(1, -1))
    if (word.startsWith('@')) return this.#class(word.slice(1))
    if (/^%\w/.test(word)) return notOf(this.#class(word.slice(1)))
    return words(word.startsWith('\\')
      ? [word.replaceAll('\\', '')]
      : word.endsWith('+')
      ? inflections(word.slice(0, -1))
      : [word])
  }

  #class (name: string): Part {
    const parts = known.get(this.#classes) ?? new Map<string, Part>()
    known.set(this.#classes, parts)
    const source = this.#classes.get(name)
    if (source === undefined) throw new Error(`there is no class "${name}"`)
    const part = parts.get(name) ?? new PatternReader(source, this.#classes).read()
    parts.set(name, part)
    return part
  }
}

function words (keys: readonly string[]): Part {
  const set = new Set(keys)
  return { first: set, isEmpty: false, step: ({ text }, at, then) => set.has(text.key(at)) && then(at + 1) }
}

/** One token at which no phrase of the class begins. */
function notOf ({ step }: Part): Part {
  const isOther: Step = (state, at, then) => at < state.text.size && !step(state, at, () => true) && then(at + 1)
  return { first: null, isEmpty: false, isLazy: true, step: isOther }
}

function slot (name: string): Part {
  return {
    first: new Set([`<${name}>`]),
    isEmpty: false,
    step: ({ text, slots }, at, then) => {
      const found = text.slot(name, at)
      if (found === undefined) return false
      slots.push(found.value)
      if (then(found.to)) return true
      slots.pop()
      return false
    }
  }
}

function sequence (parts: readonly Part[]): Part {
  const steps = parts.map(({ step }) => step)
  const run = (state: State, at: number, index: number, then: (at: number) => boolean): boolean =>
    index === steps.length
      ? then(at)
      : state.left-- > 0 && (steps[index] as Step)(state, at, (to) => run(state, to, index + 1, then))
  const first = parts.slice(0, parts.findIndex(({ isEmpty }) => !isEmpty) + 1 || parts.length).map((part) => part.first)
  return {
    first: union(first),
    isEmpty: parts.every(({ isEmpty }) => isEmpty),
    step: (state, at, then) => run(state, at, 0, then)
  }
}

function oneOf (options: readonly Part[]): Part {
  if (options.length === 1) return options[0] as Part
  return {
    first: union(options.map(({ first }) => first)),
    isEmpty: options.some(({ isEmpty }) => isEmpty),
    step: (state, at, then) =>
      options.some(({ first, isEmpty, step }) => (isEmpty || mayBegin(first, state, at)) && step(state, at, then))
  }
}

/** Repeats a part. Words outside a class are matched as few times as possible, others as often as possible. */
function upTo (most: number, { step, first, isLazy = false }: Part): Part {
  const run = (state: State, at: number, count: number, then: (at: number) => boolean): boolean => {
    if (state.left-- <= 0) return false
    if (isLazy && then(at)) return true
    if (count < most && step(state, at, (to) => to > at && run(state, to, count + 1, then))) return true
    return !isLazy && then(at)
  }
  return { first, isEmpty: true, step: (state, at, then) => run(state, at, 0, then) }
}

function lookAround ({ step, first, isEmpty }: Part, isBack: boolean, isNot: boolean): Part {
  const isBehind = (state: State, at: number): boolean => {
    for (let from = at - 1; from >= Math.max(0, at - maxLookBack); from--) {
      if ((isEmpty || mayBegin(first, state, from)) && step(state, from, (to) => to === at)) return true
    }
    return false
  }
  const isThere = (state: State, at: number): boolean => {
    const slots = state.slots.length
    const found = isBack ? isBehind(state, at) : step(state, at, () => true)
    state.slots.length = slots
    return found
  }
  return { first: new Set(), isEmpty: true, step: (state, at, then) => isThere(state, at) !== isNot && then(at) }
}

function union (sets: readonly (ReadonlySet<string> | null)[]): ReadonlySet<string> | null {
  const known = sets.filter((set) => set !== null)
  return known.length < sets.length ? null : new Set(known.flatMap((set) => [...set]))
}

const withSlots = new WeakMap<ReadonlySet<string>, boolean>()

function mayBegin (first: ReadonlySet<string> | null, { text }: State, at: number): boolean {
  if (first === null || first.has(text.key(at))) return true
  let hasSlots = withSlots.get(first)
  if (hasSlots === undefined) withSlots.set(first, hasSlots = [...first].some((key) => key.startsWith('<')))
  return hasSlots
}

/**
 * The forms of a verb, or a noun and its plural: `drop` gives `dropping`, `dropped` and `drops`, and `anomaly` gives
 * `anomalies`.
 */
export function inflections (word: string): string[] {
  if (/[^aeiou]y$/.test(word)) return [word, `${word.slice(0, -1)}ies`, `${word.slice(0, -1)}ied`, `${word}ing`]
  const plural = /(?:s|x|ch|sh|z)$/.test(word) ? `${word}es` : `${word}s`
  if (word.endsWith('e')) return [word, plural, `${word}d`, `${word.slice(0, -1)}ing`]
  // Short verbs that end with a single consonant double it.
  const stem = /(?:^|[^aeiou])[aeiou][bdgklmnprt]$/.test(word) ? `${word}${word.at(-1)}` : word
  return [word, plural, `${stem}ed`, `${stem}ing`, `${word}ed`, `${word}ing`]
}
