import { count, words, type Part, type Slot } from './sentence.ts'

interface Unit {
  one: string
  /** Seconds of a step, if all steps are equally long. */
  seconds?: number
  /** Steps of a year. */
  yearly?: number
}

const units: Record<string, Unit> = {
  s: { one: 'second', seconds: 1 },
  min: { one: 'minute', seconds: 60 },
  h: { one: 'hour', seconds: 3600 },
  D: { one: 'day', seconds: 86_400, yearly: 365 },
  B: { one: 'working day', yearly: 261 },
  W: { one: 'week', seconds: 604_800, yearly: 52 },
  MS: { one: 'month', yearly: 12 },
  ME: { one: 'month', yearly: 12 },
  QS: { one: 'quarter', yearly: 4 },
  QE: { one: 'quarter', yearly: 4 },
  YS: { one: 'year', yearly: 1 },
  YE: { one: 'year', yearly: 1 }
}
const monthNames = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
  'November', 'December']
const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const cycles: Record<number, string> = { 60: 'minute', 3600: 'hour', 86_400: 'day', 604_800: 'week' }

/** Words for the steps of a frequency. */
export class TimeWords {
  readonly #unit: Unit
  readonly #multiple: number
  readonly #dates: Readonly<Record<string, string>>

  constructor (frequency: string, dates: Readonly<Record<string, string>>) {
    const match = /^(\d*)([A-Za-z]+)(?:-[A-Z]{3})?$/.exec(frequency)
    this.#unit = units[match?.[2] ?? ''] ?? { one: 'step' }
    this.#multiple = Number(match?.[1] || 1)
    this.#dates = dates
  }

  /** `12 months`, or `48 steps of 30 minutes`. */
  steps (value: number, name = 'steps'): Part {
    if (this.#multiple === 1) return [count(name, value), ` ${this.#unit.one}${value === 1 ? '' : 's'}`]
    return [count(name, value), value === 1 ? ' step of ' : ' steps of ', count('step_size', this.#multiple),
      ` ${this.#unit.one}s`]
  }

  /** `year`, `week`, `day`, else `season`; without a season, the name of the step. */
  season (length: number): string {
    if (length < 2) return this.#multiple === 1 ? this.#unit.one : 'step'
    const steps = length * this.#multiple
    if (this.#unit.yearly !== undefined && steps === this.#unit.yearly) return 'year'
    if (this.#unit.one === 'working day' && steps === 5) return 'week'
    return cycles[steps * (this.#unit.seconds ?? 0)] ?? 'season'
  }

  /** `a year`. */
  aSeason (length: number): string {
    return withArticle(this.season(length))
  }

  /** `March 2024`, `Q1 2024`, `2024-03-01`, `2024-03-01 05:00`. */
  date (name: string, index: number): Slot {
    return words(name, this.#dateText(index))
  }

  /** The same with its preposition: `in March 2024`, `on 2024-03-01`, `at 2024-03-01 05:00`. */
  when (name: string, index: number): Part {
    const preposition = this.#isSubDaily() ? 'at' : this.#isMonthly() ? 'in' : 'on'
    return [`${preposition} `, this.date(name, index)]
  }

  /** The part of a season of `length` that a step lies in: `in March`, `on Mondays`, `at 05:00`. */
  phase (name: string, index: number, length: number): Slot {
    return words(name, this.#phaseText(index, length))
  }

  #phaseText (index: number, length: number): string {
    const season = this.season(length)
    const text = this.#textOf(index)
    const date = new Date(`${text.slice(0, 10)}T00:00:00Z`)
    if (Number.isNaN(date.getTime())) return `around ${this.#dateText(index)}`
    const clock = text.slice(11, 16)
    if (season === 'year' && this.#unit.one === 'quarter') return `in Q${quarterOf(date)}`
    if (season === 'year' && this.#unit.one !== 'year') return `in ${monthNames[date.getUTCMonth()]}`
    if (season === 'week') return `on ${dayNames[date.getUTCDay()]}s${this.#isSubDaily() ? ` at ${clock}` : ''}`
    if (season === 'day') return `at ${clock}`
    return `around ${this.#dateText(index)}`
  }

  #dateText (index: number): string {
    const text = this.#textOf(index)
    const date = new Date(`${text.slice(0, 10)}T00:00:00Z`)
    if (Number.isNaN(date.getTime())) return text
    const year = text.slice(0, 4)
    if (this.#unit.one === 'year') return year
    if (this.#unit.one === 'quarter') return `Q${quarterOf(date)} ${year}`
    if (this.#unit.one === 'month') return `${monthNames[date.getUTCMonth()]} ${year}`
    return this.#isSubDaily()
      ? `${text.slice(0, 10)} ${text.slice(11, this.#unit.one === 'second' ? 19 : 16)}`
      : text.slice(0, 10)
  }

  #textOf (index: number): string {
    const text = this.#dates[index]
    if (text === undefined) throw new RangeError(`no date for step ${index} of the findings`)
    return text
  }

  #isSubDaily (): boolean {
    return (this.#unit.seconds ?? Infinity) < 86_400
  }

  #isMonthly (): boolean {
    return ['month', 'quarter', 'year'].includes(this.#unit.one)
  }
}

function withArticle (noun: string): string {
  return `${noun === 'hour' ? 'an' : 'a'} ${noun}`
}

function quarterOf (date: Date): number {
  return Math.floor(date.getUTCMonth() / 3) + 1
}
