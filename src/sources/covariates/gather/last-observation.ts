import type { CovariateGrid, CovariateSurvey } from '../../../domain/external-covariates-spec.ts'

/** Label of the last observation. */
export function lastObservation ({ axes }: Pick<CovariateSurvey, 'axes'>,
  { axis, first, history }: CovariateGrid): number {
  return axes[axis]?.[first + history - 1] ?? NaN
}

/** The latest over all grids; there may be as many of them as series. */
export function latestObservation (survey: Pick<CovariateSurvey, 'axes'>, grids: readonly CovariateGrid[]): number {
  return grids.reduce((latest, grid) => Math.max(latest, lastObservation(survey, grid)), -Infinity)
}
