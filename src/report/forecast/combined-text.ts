import { aggregateNouns, type Aggregate } from '../../domain/preparation-spec.ts'

/** How rows became one before they were forecast. */
export interface CombinedFacts {
  /** Whether rows with the same time became one: those of several series. */
  overSeries: boolean
  /** Alias of the steps that rows were combined into; null: they kept their times. */
  step: string | null
  across: Aggregate
  aggregate: Aggregate
}

/** `rows with the same time by their sum, then steps of D by their maximum`; undefined: none were combined. */
export function combinedText ({ overSeries, step, across, aggregate }: CombinedFacts): string | undefined {
  const parts = [
    ...overSeries ? [`rows with the same time by their ${aggregateNouns[across]}`] : [],
    ...step === null ? [] : [`steps of ${step} by their ${aggregateNouns[aggregate]}`]
  ]
  return parts.length === 0 ? undefined : parts.join(', then ')
}
