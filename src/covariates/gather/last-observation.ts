import type { CovariateGrid, CovariateSurvey } from '../../queue/external-covariates-spec.ts'

/** Label of the last observation. */
export function lastObservation ({ axes }: Pick<CovariateSurvey, 'axes'>, { axis, first, history }: CovariateGrid): number {
  return axes[axis]?.[first + history - 1] ?? NaN
}
