import type { DataProfile } from '../../../domain/data-profile.ts'
import type { Finding } from '../reading.ts'
import { readFrequency, stepSeconds, stepsIn, type Frequency } from '../time/frequency.ts'
import type { TimeUnit } from '../time/horizon-wish.ts'

const unitsOf: Record<TimeUnit, Frequency> = {
  second: { multiple: 1, unit: 's' },
  minute: { multiple: 1, unit: 'min' },
  quarterhour: { multiple: 15, unit: 'min' },
  halfhour: { multiple: 30, unit: 'min' },
  hour: { multiple: 1, unit: 'h' },
  day: { multiple: 1, unit: 'D' },
  businessday: { multiple: 1, unit: 'B' },
  week: { multiple: 1, unit: 'W' },
  month: { multiple: 1, unit: 'M' },
  quarter: { multiple: 1, unit: 'Q' },
  year: { multiple: 1, unit: 'Y' }
}

/** Season lengths in steps: those that the prompt names, else those of the data, in steps of the forecast. */
export function chooseSeasonality (findings: readonly Finding[], { series }: DataProfile, alias: string | null): number[] {
  const frequency = alias === null ? undefined : readFrequency(alias)
  const named = findings.filter((finding) => finding.field === 'seasonality')
  if (named.length > 0) {
    if (frequency === undefined) return []
    const lengths = named.flatMap(({ value }) => value).map(({ quantity, unit }) => quantity * stepsIn(unitsOf[unit], frequency))
    return [...new Set(lengths)].filter((length) => length > 1).sort((left, right) => left - right)
  }
  const own = series?.freq == null ? undefined : readFrequency(series.freq)
  if (series === null || own === undefined || frequency === undefined) return series?.seasonality ?? []
  if (alias === series.freq) return series.seasonality
  const factor = stepSeconds(frequency) / stepSeconds(own)
  return series.seasonality.map((length) => length / factor).filter((length) => Number.isInteger(length) && length > 1)
}
