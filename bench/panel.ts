import { uniform } from '../test/support/random.ts'

/** A panel of seasonal series with trend and noise; the same numbers for the same options on every machine. */
export interface PanelOptions {
  series: number
  length: number
  step: 'hour' | 'day' | 'month'
  seasonLength: number
}

const dates = {
  hour: (step: number) => Date.UTC(1990, 0, 1, step),
  day: (step: number) => Date.UTC(1990, 0, 1 + step),
  month: (step: number) => Date.UTC(1990, step, 1)
}

/** Yields the CSV (item_id,timestamp,target) in pieces of one series, the header first. */
export function* generatePanel ({ series, length, step, seasonLength }: PanelOptions): Generator<string> {
  yield 'item_id,timestamp,target\n'
  // The stamps are the same for each series, and making them is most of the work.
  const stamps = Array.from({ length },
    (_, index) => new Date(dates[step](index)).toISOString().slice(0, 19).replace('T', ' '))
  for (let item = 0; item < series; item++) {
    const random = uniform((item + 1) * 0x9E3779B9)
    const level = 50 + 100 * random()
    const slope = (random() - 0.4) * 0.1
    const swing = level * (0.1 + 0.3 * random())
    const noise = level * 0.05
    const lines: string[] = []
    for (const [index, stamp] of stamps.entries()) {
      const value = level + slope * index + swing * Math.sin(2 * Math.PI * index / seasonLength) +
        noise * (random() + random() - 1)
      lines.push(`series_${item},${stamp},${value.toFixed(3)}`)
    }
    yield lines.join('\n') + '\n'
  }
}
