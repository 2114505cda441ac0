import type { FieldError } from '../../domain/error-codes.ts'
import type { ForecastSpec } from '../../domain/forecast-spec.ts'
import { TabcastError } from '../../platform/errors.ts'
import { resolveExternalCovariates, type KnownSources } from '../../sources/covariates/resolve-external-covariates.ts'
import { CovariatesError, parseCovariates } from './covariates.ts'
import type { ForecastRequest } from './forecast-request.ts'
import { canonicalFrequency } from './frequency-alias.ts'
import { labelErrors } from './label-fields.ts'
import { resolvePreset } from './presets.ts'
import { defaultQuantileLevels, parseQuantileLevels, QuantileLevelsError } from './quantile-levels.ts'
import { resolveExplainability } from './resolve-explainability.ts'
import { resolveFeatureEngineering } from './resolve-feature-engineering.ts'
import { doublyNamedSeries, resolvePreparation } from './resolve-preparation.ts'
import { hierarchyClashes, resolveReconciliation } from './resolve-reconciliation.ts'
import { modelOf, withModel, type FindModel } from './use-model.ts'
import { defined } from '../../platform/defined.ts'

/**
 * Turns a valid request into the specification that is hashed and dispatched. `findModel` finds the tenant's models,
 * `sources` the sources of covariates. Throws validation_error (422, with all wrong fields at once) or invalid_preset.
 */
export function resolveForecast (request: ForecastRequest, findModel: FindModel, sources: KnownSources): ForecastSpec {
  const fields = labelErrors(request)
  const freq = resolveFrequency(request.freq, fields)
  const quantileLevels = resolveLevels(request.quantile_levels, fields)
  const covariates = resolveCovariates(request.covariates, fields)
  const reconciliation = resolveReconciliation(request.reconciliation)
  const featureEngineering = resolveFeatureEngineering(request.feature_engineering)
  const explainability = resolveExplainability(request.explainability)
  const preparation = resolvePreparation(request.preparation, {
    timestamp: request.timestamp_column,
    target: request.target_column,
    covariates
  }, fields)
  fields.push(...doublyNamedSeries(reconciliation?.hierarchyColumns ?? [], preparation))
  const external = resolveExternalCovariates(request.external_covariates, {
    latitude: request.latitude,
    longitude: request.longitude,
    columns: [request.item_id_column, request.timestamp_column, request.target_column, ...covariates]
  }, sources, fields)
  fields.push(...clashingColumns(request, covariates),
    ...hierarchyClashes(reconciliation, [request.timestamp_column, request.target_column, ...covariates]))
  if (fields.length > 0) throw new TabcastError('validation_error', undefined, { fields })
  const model = modelOf(request.presets, findModel)
  const spec: ForecastSpec = {
    predictionLength: request.prediction_length,
    preset: model?.basePreset ?? resolvePreset(request.presets),
    columns: {
      itemId: request.item_id_column,
      timestamp: request.timestamp_column,
      target: request.target_column,
      // Absent rather than empty, so that such requests keep the hash of earlier releases.
      ...(covariates.length > 0 ? { covariates } : {})
    },
    freq,
    quantileLevels,
    timestampFormat: request.timestamp_format ?? 'pandas',
    quantileColumnStyle: request.quantile_column_style ?? 'raw',
    // Absent unless given, for the same reason.
    ...(isGiven(request.sheet_name) ? { sheetName: request.sheet_name } : {}),
    ...defined({ preparation, externalCovariates: external, reconciliation, featureEngineering, explainability })
  }
  return model === undefined ? spec : withModel(spec, model)
}

function isGiven (text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text !== ''
}

function resolveFrequency (alias: string | null | undefined, fields: FieldError[]): string | null {
  if (alias === undefined || alias === null || alias === '') return null
  const canonical = canonicalFrequency(alias)
  if (canonical !== undefined) return canonical
  fields.push({
    loc: ['body', 'freq'],
    msg: 'Input should be a pandas frequency alias such as h, 30min, D, B, W-MON, MS, ME, QS, QE, YS or YE, with an ' +
      'optional multiple',
    type: 'frequency_alias',
    input: alias
  })
  return null
}

function resolveLevels (text: string | null | undefined, fields: FieldError[]): number[] {
  if (text === undefined || text === null || text === '') return [...defaultQuantileLevels]
  try {
    return parseQuantileLevels(text)
  } catch (error) {
    if (!(error instanceof QuantileLevelsError)) throw error
    fields.push({
      loc: ['body', 'quantile_levels'],
      msg: error.message,
      type: 'value_error',
      input: text,
      ctx: { error: error.message }
    })
    return []
  }
}

function resolveCovariates (text: string | null | undefined, fields: FieldError[]): string[] {
  if (text === undefined || text === null || text.trim() === '') return []
  try {
    return parseCovariates(text)
  } catch (error) {
    if (!(error instanceof CovariatesError)) throw error
    fields.push({
      loc: ['body', 'covariates'],
      msg: error.message,
      type: 'value_error',
      input: text,
      ctx: { error: error.message }
    })
    return []
  }
}

/** One column cannot play two roles. */
function clashingColumns (request: ForecastRequest, covariates: string[]): FieldError[] {
  const roles = ['item_id_column', 'timestamp_column', 'target_column'] as const
  const error = 'each role needs a column of its own'
  const clash = (field: string, input: string): FieldError => ({
    loc: ['body', field],
    msg: error,
    type: 'value_error',
    input,
    ctx: { error }
  })
  const taken = new Set<string>()
  const fields: FieldError[] = []
  for (const [field, name] of [...roles.map((role) => [role, request[role]] as const),
    ...covariates.map((name) => ['covariates', name] as const)]) {
    if (taken.has(name)) fields.push(clash(field, name))
    taken.add(name)
  }
  return fields
}
