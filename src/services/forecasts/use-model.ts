import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../../domain/error-codes.ts'
import type { DatasetColumns, FeatureEngineeringSpec, ForecastSpec, Preset } from '../../domain/forecast-spec.ts'
import { TabcastError } from '../../platform/errors.ts'
import { noSuchPreset } from './presets.ts'
import { defined } from '../../platform/defined.ts'

/** What a request is checked against before a forecast with a fine-tuned model is accepted. */
export interface UsableModel {
  modelId: string
  basePreset: Preset
  /** The longest horizon. */
  predictionLength: number
  /** Canonical alias. */
  freq: string
  /** As requested for the training, including the covariates. */
  columns: DatasetColumns
  /** The covariates that the model uses. */
  covariates: string[]
  featureEngineering?: FeatureEngineeringSpec
}

/** Finds a model of the requesting tenant; undefined when it has no such model. */
export type FindModel = (modelId: string) => UsableModel | undefined

const prefix = 'ft:'

/** undefined when the preset is not a model. Throws invalid_preset for a model that does not exist. */
export function modelOf (preset: string, find: FindModel): UsableModel | undefined {
  if (!preset.startsWith(prefix)) return undefined
  const model = find(preset.slice(prefix.length))
  if (model === undefined) throw noSuchPreset()
  return model
}

/** The preset that names a model. */
export function presetOf (modelId: string): string {
  return prefix + modelId
}

/**
 * The specification of a forecast with the model. Throws validation_error (422) with all mismatches that can be seen
 * without the data.
 */
export function withModel ({ featureEngineering, ...spec }: ForecastSpec, model: UsableModel): ForecastSpec {
  const fields = [...otherHorizon(spec, model), ...otherFrequency(spec, model), ...otherColumns(spec, model),
    ...otherFeatures(featureEngineering, model), ...covariatesFromOutside(spec)]
  if (fields.length > 0) throw new TabcastError('validation_error', undefined, { fields })
  const { covariates: _asked, ...columns } = spec.columns
  return {
    ...spec,
    columns: { ...columns, ...(model.covariates.length > 0 ? { covariates: model.covariates } : {}) },
    modelId: model.modelId
  }
}

function otherHorizon ({ predictionLength }: ForecastSpec, { predictionLength: most }: UsableModel): FieldError[] {
  if (predictionLength <= most) return []
  return [
    mismatch('prediction_length', 'model_horizon_exceeded',
      `The model forecasts at most ${most} steps. Ask for fewer steps, or train a model with a longer ` +
        'prediction_length.', predictionLength)
  ]
}

function otherFrequency ({ freq }: ForecastSpec, model: UsableModel): FieldError[] {
  if (freq === null || freq === model.freq) return []
  return [
    mismatch('freq', 'model_frequency_mismatch',
      `The model was trained on data of the frequency ${model.freq}. Leave freq out, or train a model on data of ` +
        'this frequency.', freq)
  ]
}

function otherColumns ({ columns }: ForecastSpec, model: UsableModel): FieldError[] {
  const roles = [['item_id_column', 'itemId'], ['timestamp_column', 'timestamp'], ['target_column', 'target']] as const
  const fields = roles.filter(([, role]) => columns[role] !== model.columns[role]).map(([field, role]) =>
    mismatch(field, 'model_columns_mismatch',
      `The model was trained with ${field} ${
        JSON.stringify(model.columns[role])
      }. Send that name, and call the column so.`, columns[role])
  )
  const { covariates } = columns
  // Left out, covariates are those that the model uses. Otherwise they must equal either those or the ones requested
  // for the training.
  if (covariates === undefined || isSame(covariates, model.covariates) ||
    isSame(covariates, model.columns.covariates ?? [])) return fields
  const used = model.covariates.length === 0 ? 'no covariates' : `the covariates ${model.covariates.join(', ')}`
  return [...fields,
    mismatch('covariates', 'model_columns_mismatch',
      `The model uses ${used}. Leave the field out, or train a model with these covariates.`, covariates.join(', '))]
}

/** A model only knows the features that it was trained with. */
function otherFeatures (asked: FeatureEngineeringSpec | undefined,
  { featureEngineering: own }: UsableModel): FieldError[] {
  if (asked === undefined || isDeepStrictEqual(asked, own)) return []
  return [
    mismatch('feature_engineering', 'model_features_mismatch',
      'The model makes the features that it was trained with, and these are others. Leave the block out, or train a ' +
        'model with it.')
  ]
}

/** A model only knows the covariates that it was trained with. */
function covariatesFromOutside ({ externalCovariates }: Pick<ForecastSpec, 'externalCovariates'>): FieldError[] {
  if (externalCovariates === undefined) return []
  return [
    mismatch('external_covariates', 'model_columns_mismatch',
      'The model uses the covariates of the dataset that it was trained with, and none from outside. Leave the block ' +
        'out, or take a preset.')
  ]
}

function isSame (some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name) => others.includes(name))
}

function mismatch (field: string, type: string, msg: string, input?: unknown): FieldError {
  return { loc: ['body', field], msg, type, ...defined({ input }) }
}
