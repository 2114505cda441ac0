import { tooFewSteps, type CombinedSteps } from './combined-steps.ts'
import { forecastSpan } from './forecast-span.ts'
import type { Reasons, RecommendationInput, SeriesNames } from './recommendation.ts'
import { shortestLength } from './series-names.ts'
import { stepsByDefault, stepsWanted } from './steps-ahead.ts'

/** Chooses the number of steps: that of the form, else that of the intent, else one from the data. */
export function chooseSteps ({ intent, data, horizon, maxHorizon }: RecommendationInput, combined: CombinedSteps,
  names: SeriesNames): Reasons & { steps: number } {
  // If the requested step is too long, its number of steps would mean a different horizon.
  const asked = horizon ?? (combined.tooLong === null ? stepsWanted(intent, data, combined) : undefined)
  const steps = Math.min(asked ?? stepsByDefault(intent, data, combined), maxHorizon)
  const rationale = [asked === undefined
    ? `${steps} steps: nobody said how far, so two seasons, and at most a quarter of the shortest series.`
    : `${steps} steps: ${horizon === null ? 'as the prompt or the intent has it' : 'as the form has it'}${
      combined.endsWithin && horizon === null ? ', and the one that the data end in' : ''
    }.`]
  const span = forecastSpan(intent, data, combined, steps)
  if (span !== undefined) {
    rationale.push(
      `The forecast is of ${span.first === span.last ? span.first : `${span.first} to ${span.last}`}${
        (data.series?.trailingGap ?? 0) > 0 ? ', where a series ends with the data' : ''
      }.`
    )
  }
  const warnings: string[] = []
  if (combined.tooLong !== null) {
    warnings.push(
      `${tooFewSteps(combined.tooLong)} ${
        combined.step === null ? 'Steps stay as they are in the data.' : `Those of ${combined.step} are taken.`
      }`
    )
  }
  if (asked === undefined) {
    warnings.push(
      `Nothing says how far the forecast shall reach: it has ${steps} steps. Say it in the prompt or in horizon for ` +
        'another length.'
    )
  }
  if (asked !== undefined && asked > maxHorizon) {
    warnings.push(`${asked} steps were asked for, and this deployment forecasts at most ${maxHorizon}.`)
  }
  const shortest = shortestLength(names, data)
  if (steps > shortest) {
    warnings.push(`The horizon of ${steps} steps is longer than the shortest series (${shortest} rows).`)
  }
  return { steps, rationale, warnings }
}
