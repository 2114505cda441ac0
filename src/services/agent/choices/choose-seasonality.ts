import type { DataProfile } from '../../../domain/data-profile.ts'
import type { Finding } from '../reading.ts'
import { readFrequency, stepSeconds, stepsIn, unitSteps } from '../../recommendations/time/frequency.ts'

/** Chooses the season lengths in steps of the forecast: those that the prompt names, else those of the data. */
export function chooseSeasonality (findings: readonly Finding[], { series }: DataProfile,
  alias: string | null): number[] {
  const frequency = alias === null ? undefined : readFrequency(alias)
  const named = findings.filter((finding) => finding.field === 'seasonality')
  if (named.length > 0) {
    if (frequency === undefined) return []
    const lengths = named.flatMap(({ value }) => value).map(({ quantity, unit }) =>
      quantity * stepsIn(unitSteps[unit], frequency)
    )
    return [...new Set(lengths)].filter((length) => length > 1).sort((left, right) => left - right)
  }
  const own = series?.freq == null ? undefined : readFrequency(series.freq)
  if (series === null || own === undefined || frequency === undefined) return series?.seasonality ?? []
  if (alias === series.freq) return series.seasonality
  const factor = stepSeconds(frequency) / stepSeconds(own)
  return series.seasonality.map((length) => length / factor).filter((length) => Number.isInteger(length) && length > 1)
}
