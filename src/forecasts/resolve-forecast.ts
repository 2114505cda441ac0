import { TabcastError, type FieldError } from '../errors.ts'
import type { ForecastSpec } from '../queue/messages.ts'
import type { ForecastRequest } from './forecast-request.ts'
import { canonicalFrequency } from './frequency-alias.ts'
import { resolvePreset } from './presets.ts'
import { defaultQuantileLevels, parseQuantileLevels, QuantileLevelsError } from './quantile-levels.ts'

export const maxMetadataBytes = 2048

/**
 * Turns a request that matches its schema into the specification that is hashed and dispatched.
 * Throws validation_error (422, all fields that are wrong at once) or invalid_preset.
 */
export function resolveForecast (request: ForecastRequest): ForecastSpec {
  const fields = [...unavailable(request), ...metadataErrors(request)]
  const freq = resolveFrequency(request.freq, fields)
  const quantileLevels = resolveLevels(request.quantile_levels, fields)
  fields.push(...clashingColumns(request))
  if (fields.length > 0) throw new TabcastError('validation_error', undefined, { fields })
  return {
    predictionLength: request.prediction_length,
    preset: resolvePreset(request.presets),
    columns: { itemId: request.item_id_column, timestamp: request.timestamp_column, target: request.target_column },
    freq,
    quantileLevels,
    timestampFormat: request.timestamp_format ?? 'pandas',
    quantileColumnStyle: request.quantile_column_style ?? 'raw'
  }
}

/** Features that the interface names and this release does not have: refused by name, never silently ignored. */
function unavailable (request: ForecastRequest): FieldError[] {
  const wanted = {
    feature_engineering: request.feature_engineering?.enabled === true,
    external_covariates: Object.values(request.external_covariates ?? {}).some((kind) => kind?.enabled === true),
    explainability: request.explainability?.enabled === true,
    reconciliation: request.reconciliation?.enabled === true,
    covariates: isGiven(request.covariates),
    callback_url: isGiven(request.callback_url)
  }
  return Object.entries(wanted).filter(([, isWanted]) => isWanted).map(([field]) => ({
    loc: ['body', field], msg: `${field} is not available yet on this release; leave it out or disable it`, type: 'not_available'
  }))
}

function isGiven (text: string | null | undefined): boolean {
  return text !== undefined && text !== null && text !== ''
}

function metadataErrors ({ metadata }: ForecastRequest): FieldError[] {
  if (metadata === undefined || metadata === null || Buffer.byteLength(JSON.stringify(metadata)) <= maxMetadataBytes) return []
  return [{ loc: ['body', 'metadata'], msg: `Metadata should have at most ${maxMetadataBytes} bytes as JSON`, type: 'too_long', ctx: { max_length: maxMetadataBytes } }]
}

function resolveFrequency (alias: string | null | undefined, fields: FieldError[]): string | null {
  if (alias === undefined || alias === null || alias === '') return null
  const canonical = canonicalFrequency(alias)
  if (canonical !== undefined) return canonical
  fields.push({
    loc: ['body', 'freq'],
    msg: 'Input should be a pandas frequency alias such as h, 30min, D, B, W-MON, MS, ME, QS, QE, YS or YE, with an optional multiple',
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
    fields.push({ loc: ['body', 'quantile_levels'], msg: `Value error, ${error.message}`, type: 'value_error', input: text, ctx: { error: error.message } })
    return []
  }
}

/** One column cannot play two roles. */
function clashingColumns (request: ForecastRequest): FieldError[] {
  const roles = ['item_id_column', 'timestamp_column', 'target_column'] as const
  return roles.filter((role, position) => roles.slice(0, position).some((earlier) => request[earlier] === request[role])).map((role) => ({
    loc: ['body', role], msg: 'Value error, each role needs a column of its own', type: 'value_error', input: request[role], ctx: { error: 'each role needs a column of its own' }
  }))
}
