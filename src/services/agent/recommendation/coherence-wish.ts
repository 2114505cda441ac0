import type { ForecastIntent } from '../../../domain/forecast-intent.ts'

/** A constraint that asks for forecasts that add up, such as `reconciliation bottom_up`; undefined: there is none. */
export function coherenceWish (
  { user_constraints: constraints }: Pick<ForecastIntent, 'user_constraints'>
): string | undefined {
  const wishes = constraints.filter((constraint) => /^reconciliation\b/.test(constraint))
  // One that names how says more.
  return wishes.find((wish) => wish.includes(' ')) ?? wishes[0]
}
