import type { Observations } from './observations.ts'
import type { CovariateAnswer, CovariateRequest, MissingVariable } from './provider.ts'

/** Makes one request per variable, one after the other. A text as result says why there is no such series. */
export async function fetchEach (request: CovariateRequest,
  fetchSeries: (variable: string, request: CovariateRequest) => Promise<Observations | string>
): Promise<CovariateAnswer> {
  const observations: Observations[] = []
  const missing: MissingVariable[] = []
  for (const variable of request.variables) {
    const one = await fetchSeries(variable, request)
    if (typeof one === 'string') missing.push({ variable, reason: one })
    else observations.push(one)
  }
  return { observations, missing }
}
