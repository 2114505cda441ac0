/** A tick of the time axis: its index, and its label of one or two lines. */
export interface TimeTick {
  index: number
  label: string
  context: string
}

type Unit = 'year' | 'month' | 'day' | 'time'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const wholeDay = 24 * hour
/** 1970-01-01 was a Thursday. */
const daysToMonday = 3
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Ascending times, some of which begin a year, a month and so on; their steps need not be equally long. */
export class TimeTicks {
  readonly #times: readonly number[]
  /** Months since the year 0. */
  readonly #months: readonly number[]

  constructor (times: readonly number[]) {
    this.#times = times
    this.#months = times.map((time) => {
      const date = new Date(time)
      return date.getUTCFullYear() * 12 + date.getUTCMonth()
    })
  }

  /**
   * The finest ticks between two indices of which there are at most `most`: where a year, a month, a week ... begins.
   */
  within (from: number, to: number, most: number): TimeTick[] {
    let found: number[] = []
    let unit: Unit = 'year'
    for (const grain of grains) {
      const indices = this.#starts(grain, from, to, most)
      if (indices === null) break
      // A finer unit that begins no more often adds nothing to the label.
      if (indices.length <= found.length) continue
      found = indices
      unit = grain.unit
    }
    // In a short range nothing may begin, or everything at once. Then some of the times themselves become ticks.
    if (found.length < 2 && to - from >= 1) {
      const step = Math.max(1, Math.ceil((to - from + 1) / most))
      found = []
      for (let index = from; index <= to; index += step) found.push(index)
      unit = this.#times.every((time) => time % wholeDay === 0) ? 'day' : 'time'
    }
    if (found.length === 0) return [this.#tick(from, 'day', '')]
    let before = ''
    return found.map((index) => {
      const tick = this.#tick(index, unit, before)
      before = this.#tick(index, unit, '').context
      return tick
    })
  }

  #starts ({ unit, every }: Grain, from: number, to: number, most: number): number[] | null {
    const source = unit === 'year' || unit === 'month' ? this.#months : this.#times
    const shift = unit === 'day' ? daysToMonday * wholeDay : 0
    const indices: number[] = []
    let before = from > 0
      ? Math.floor(((source[from - 1] ?? 0) + shift) / every)
      : Math.floor(((source[0] ?? 0) + shift - 1) / every)
    for (let index = from; index <= to; index++) {
      const part = Math.floor(((source[index] ?? 0) + shift) / every)
      if (part !== before) {
        if (indices.length === most) return null
        indices.push(index)
      }
      before = part
    }
    return indices
  }

  #tick (index: number, unit: Unit, before: string): TimeTick {
    const date = new Date(this.#times[index] ?? 0)
    const year = String(date.getUTCFullYear())
    const month = monthNames[date.getUTCMonth()] ?? ''
    const iso = date.toISOString()
    const clock = iso.slice(iso.indexOf('T') + 1)
    const [label, context] = {
      year: [year, ''],
      month: [month, year],
      day: [`${date.getUTCDate()} ${month}`, year],
      time: [clock.slice(0, clock.endsWith(':00.000Z') ? 5 : 8), `${date.getUTCDate()} ${month} ${year}`]
    }[unit] as [string, string]
    return { index, label, context: context === before ? '' : context }
  }
}

interface Grain {
  unit: Unit
  every: number
}

/** From coarse to fine; years and months count months, the rest milliseconds. */
const grains: Grain[] = [
  ...[100, 50, 20, 10, 5, 2, 1].map((years): Grain => ({ unit: 'year', every: 12 * years })),
  ...[6, 3, 1].map((months): Grain => ({ unit: 'month', every: months })),
  ...[14, 7, 1].map((days): Grain => ({ unit: 'day', every: days * wholeDay })),
  ...[12 * hour, 6 * hour, 3 * hour, hour, 30 * minute, 15 * minute, 5 * minute, minute, 15 * second, 5 * second,
    second].map((every): Grain => ({ unit: 'time', every }))
]
