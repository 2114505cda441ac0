import { aggregateNouns, type Aggregate } from '../../domain/preparation-spec.ts'

/** How rows were combined before the forecast. */
export interface CombinedFacts {
  /** Whether rows with the same time, from several series, were combined. */
  overSeries: boolean
  /** Alias of the steps that rows were combined into; null: they kept their times. */
  step: string | null
  across: Aggregate
  aggregate: Aggregate
}

/** `rows with the same time by their sum, then steps of D by their maximum`; undefined if none were combined. */
export function combinedText ({ overSeries, step, across, aggregate }: CombinedFacts): string | undefined {
  const parts = [
    ...overSeries ? [`rows with the same time by their ${aggregateNouns[across]}`] : [],
    ...step === null ? [] : [`steps of ${step} by their ${aggregateNouns[aggregate]}`]
  ]
  return parts.length === 0 ? undefined : parts.join(', then ')
}
