import { observationsOf, periodEnd, type Frequency, type Observations } from '../observations.ts'

/** Values of all variables of a key that share their times, as rows ordered by valid time, publication and issue. */
export interface KeyRows {
  /** The coarsest frequency of the variables. A value of a finer one ends where the next begins. */
  frequency: Frequency
  variables: string[]
  rows: KeyRow[]
}

export interface KeyRow {
  validTimeMs: number
  issuedAtMs: number
  publishedAtMs: number
  values: Array<number | undefined>
}

const byLength: readonly Frequency[] = ['PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M', 'P3M', 'P1Y']
const all = { startMs: -Infinity, endMs: Infinity }

/**
 * Combines the results of several fetches, later ones last. If valid time and publication are the same, the later fetch
 * counts. A vintage that repeats the previous value adds nothing and is left out. null: there are no values.
 */
export function keyRowsOf (observations: readonly Observations[]): KeyRows | null {
  const variables = [...new Set(observations.map(({ variable }) => variable))]
  const rows = new Map<string, KeyRow>()
  for (const [place, variable] of variables.entries()) {
    const { validTimeMs, values, issuedAtMs, publishedAtMs } = joined(variable, observations.filter((one) =>
      one.variable === variable
    ))
    let last: { time: number, value: number } | undefined
    for (let row = 0; row < values.length; row++) {
      const [time, value, issued, published] = [validTimeMs[row], values[row], issuedAtMs[row], publishedAtMs[row]] as [
        number,
        number,
        number,
        number
      ]
      if (Number.isNaN(value)) continue
      if (!Number.isNaN(published)) {
        if (last?.time === time && last.value === value) continue
        last = { time, value }
      }
      const key = `${time} ${issued} ${published}`
      const found = rows.get(key) ??
        {
          validTimeMs: time,
          issuedAtMs: issued,
          publishedAtMs: published,
          values: new Array<undefined>(variables.length)
        }
      found.values[place] = value
      rows.set(key, found)
    }
  }
  if (rows.size === 0) return null
  const place = Math.max(...observations.map(({ frequency }) => byLength.indexOf(frequency)))
  const known = (time: number) => Number.isNaN(time) ? -Infinity : time
  const ordered = [...rows.values()].sort((one, other) =>
    one.validTimeMs - other.validTimeMs ||
    difference(known(one.publishedAtMs), known(other.publishedAtMs)) ||
    difference(known(one.issuedAtMs), known(other.issuedAtMs))
  )
  return { frequency: byLength[place] ?? 'P1D', variables, rows: ordered }
}

/** Beginning of the first and end of the last interval. */
export function coverageOf ({ rows, frequency }: KeyRows): { startMs: number, endMs: number } {
  return { startMs: rows[0]?.validTimeMs ?? NaN, endMs: periodEnd(rows.at(-1)?.validTimeMs ?? NaN, frequency) }
}

function joined (variable: string, observations: readonly Observations[]): Observations {
  const column = (of: (one: Observations) => Float64Array) => observations.flatMap((one) => [...of(one)])
  return observationsOf(variable, observations[0]?.frequency ?? 'P1D', {
    validTimeMs: column((one) => one.validTimeMs),
    values: column((one) => one.values),
    issuedAtMs: column((one) => one.issuedAtMs),
    publishedAtMs: column((one) => one.publishedAtMs)
  }, all)
}

function difference (one: number, other: number): number {
  return one === other ? 0 : one - other
}
