import type { CovariateAnswer, ProvidedObservations } from './provider.ts'

/** Variables without a single value are missing, for the reason that is given. */
export function answerOf (observations: readonly ProvidedObservations[], whyEmpty: string): CovariateAnswer {
  const isEmpty = ({ values }: ProvidedObservations): boolean => values.every(Number.isNaN)
  return {
    observations: observations.filter((one) => !isEmpty(one)),
    missing: observations.filter(isEmpty).map(({ variable }) => ({ variable, reason: whyEmpty }))
  }
}
