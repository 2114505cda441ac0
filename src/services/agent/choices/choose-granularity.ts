import type { DataProfile } from '../../../domain/data-profile.ts'
import type { Granularity } from '../../../domain/intent-values.ts'
import { ask } from '../questions.ts'
import type { Finding } from '../reading.ts'
import { aliasOf, granularityOf, readFrequency, stepSeconds } from '../../recommendations/time/frequency.ts'
import { inferredWeight, open, type Choice } from './choice.ts'

export interface ChosenSteps {
  granularity: Choice<Granularity | null>
  /** The pandas alias of a step; null: unknown. */
  alias: string | null
}

const coarser: Granularity[] = ['hourly', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly']

/** Chooses the step length: that of the prompt, unless it is finer than the data's; else that of the data. */
export function chooseGranularity (findings: readonly Finding[], data: DataProfile): ChosenSteps {
  const alias = data.series?.freq ?? null
  const own = granularityOf(alias)
  const named = findings.filter((finding) => finding.field === 'granularity')
  const surest = named.reduce((most, { weight }) => Math.max(most, weight), 0)
  const wanted = [...new Set(named.filter(({ weight }) => weight === surest).map(({ value }) => value))]
  const [only] = wanted
  if (wanted.length > 1) {
    return {
      granularity: open('granularity',
        `The prompt speaks of several step lengths (${wanted.join(', ')}). Which one shall the forecast have?`, wanted),
      alias: null
    }
  }
  if (only !== undefined) {
    if (alias !== null && isFiner(only, alias)) {
      return {
        granularity: {
          value: own === 'irregular' ? null : own,
          weight: 0.4,
          question: ask('granularity',
            `The data have steps of ${alias} (${own}), which cannot be forecast ${only}. Which step length shall the ` +
              'forecast have?', [own, ...coarserThan(own)])
        },
        alias
      }
    }
    return { granularity: { value: only, weight: surest }, alias: only === own ? alias : aliasOf(only) }
  }
  if (alias === null) {
    return {
      granularity: open('granularity', 'The data have no regular step. Which step length shall the forecast have?',
        coarser.slice(1, 5)),
      alias: null
    }
  }
  return { granularity: { value: own, weight: inferredWeight }, alias }
}

function isFiner (granularity: Granularity, alias: string): boolean {
  const [wanted, own] = [readFrequency(aliasOf(granularity) ?? ''), readFrequency(alias)]
  // Business days do not count as finer than daily data.
  return wanted !== undefined && own !== undefined && stepSeconds(wanted) < stepSeconds(own) * 0.99
}

function coarserThan (granularity: Granularity): Granularity[] {
  const seconds = stepSeconds(readFrequency(aliasOf(granularity) ?? 's') ?? { multiple: 1, unit: 's' })
  return coarser.filter((other) =>
    stepSeconds(readFrequency(aliasOf(other) as string) as NonNullable<ReturnType<typeof readFrequency>>) > seconds
  )
}
