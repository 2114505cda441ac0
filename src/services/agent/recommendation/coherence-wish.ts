import type { ForecastIntent } from '../../../domain/forecast-intent.ts'

/** The constraint that asks for coherent forecasts, such as `reconciliation bottom_up`; undefined: there is none. */
export function coherenceWish (
  { user_constraints: constraints }: Pick<ForecastIntent, 'user_constraints'>
): string | undefined {
  const wishes = constraints.filter((constraint) => /^reconciliation\b/.test(constraint))
  // A constraint that names a method takes precedence.
  return wishes.find((wish) => wish.includes(' ')) ?? wishes[0]
}
