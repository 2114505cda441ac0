import { Type, type Static, type TObject } from 'typebox'
import type { ForecastSpec, TrainingLoss } from '../../domain/forecast-spec.ts'
import { noSources } from '../../sources/covariates/resolve-external-covariates.ts'
import { forecastOptions } from '../forecasts/forecast-request.ts'
import { defaultPreset, noSuchBasePreset, presetCalled, presetNames } from '../forecasts/presets.ts'
import { resolveForecast } from '../forecasts/resolve-forecast.ts'

const losses = ['mae', 'mse', 'rmse', 'mape', 'smape', 'wql'] as const satisfies readonly TrainingLoss[]

/** The fields that all training routes share. The deployment limits horizon and time. */
export function fineTuneOptions (maxHorizon: number, maxSeconds: number) {
  const {
    item_id_column: itemId,
    timestamp_column: timestamp,
    target_column: target,
    freq,
    quantile_levels: quantileLevels,
    sheet_name: sheetName,
    covariates,
    feature_engineering: featureEngineering,
    callback_url: callbackUrl,
    name,
    metadata
  } = forecastOptions(maxHorizon)
  return {
    name,
    base_preset: Type.String({
      minLength: 1,
      maxLength: 128,
      default: defaultPreset,
      description: `One of ${presetNames.join(', ')}: how much time and effort the training takes.`
    }),
    prediction_length: Type.Integer({
      minimum: 1,
      maximum: maxHorizon,
      default: 24,
      description: `The longest horizon that the model can forecast, at most ${
        maxHorizon.toLocaleString('en-US')
      } steps.`
    }),
    item_id_column: itemId,
    timestamp_column: timestamp,
    target_column: target,
    freq,
    covariates,
    feature_engineering: featureEngineering,
    quantile_levels: quantileLevels,
    loss: Type.Enum(losses, {
      default: 'mae',
      description: 'The error that the training minimises on held-back windows.'
    }),
    max_runtime_seconds: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: maxSeconds }), Type.Null()], {
      description: `Wall time of the training in seconds; null or left out: ${
        maxSeconds.toLocaleString('en-US')
      }. With less time, the model learns less.`
    })),
    validation_windows: Type.Integer({
      minimum: 1,
      maximum: 5,
      default: 1,
      description: 'Number of windows at the end of each history that are held back to measure the model. Each is ' +
        'one horizon long.'
    }),
    sheet_name: sheetName,
    callback_url: callbackUrl,
    metadata
  }
}

/** Body of POST /fine-tune/storage-object. */
export function storedFineTune (maxHorizon: number, maxSeconds: number) {
  return {
    object_id: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Id of a stored object whose upload is complete.'
    }),
    ...fineTuneOptions(maxHorizon, maxSeconds)
  }
}

export type FineTuneRequest = Static<TObject<ReturnType<typeof fineTuneOptions>>>

/**
 * Resolves the request like a forecast with the base preset, plus the training options. Throws validation_error or
 * invalid_preset.
 */
export function resolveFineTune (request: FineTuneRequest): ForecastSpec {
  const {
    base_preset: basePreset,
    loss,
    validation_windows: validationWindows,
    max_runtime_seconds: maxRuntimeSeconds,
    ...options
  } = request
  const preset = presetCalled(basePreset)
  const spec = resolveForecast({ ...options, presets: preset ?? defaultPreset }, () => undefined, noSources)
  // After the field errors, in the same order as for a forecast.
  if (preset === undefined) throw noSuchBasePreset()
  return { ...spec, training: { loss, validationWindows, maxRuntimeSeconds: maxRuntimeSeconds ?? null } }
}
