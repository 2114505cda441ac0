import type { ForecastSpec } from '../../domain/forecast-spec.ts'
import type { CovariateDesk } from '../../sources/covariates/covariate-desk.ts'
import type { ForecastRequest } from './forecast-request.ts'
import { resolveForecast } from './resolve-forecast.ts'
import type { FindModel } from './use-model.ts'

/**
 * Resolves the request like `resolveForecast`, after looking up the places and countries of covariates. Throws
 * validation_error or invalid_preset.
 */
export async function acceptForecast (tenant: string, request: ForecastRequest, findModel: FindModel,
  covariates: CovariateDesk): Promise<ForecastSpec> {
  if (Object.values(request.external_covariates ?? {}).some((kind) => kind?.enabled === true)) {
    await covariates.refresh()
  }
  return await covariates.settle(tenant, resolveForecast(request, findModel, covariates))
}
