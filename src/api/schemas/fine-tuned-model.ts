import { Type, type Static } from 'typebox'
import type { ModelMetrics } from '../../domain/job-result.ts'
import type { ModelRecord } from '../../services/models/model-record.ts'
import { nullable } from './nullable.ts'

const time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })
const metric = (description: string) => nullable(Type.Number(), description)

const metrics = (description: string) =>
  Type.Object({
    mae: metric('Mean absolute error.'),
    mse: metric('Mean squared error.'),
    rmse: metric('Root of the mean squared error.'),
    mape: metric('Mean absolute percentage error; null: the series have zeros.'),
    smape: metric('Symmetric mean absolute percentage error. It says little where many values are zero.'),
    wql: metric('Weighted quantile loss.')
  }, { description })

export const fineTunedModelSchema = Type.Object({
  model_id: Type.String({ description: 'To forecast with the model, send `ft:` and this id as `presets`.' }),
  name: nullable(Type.String(), 'As given by the caller.'),
  created_at: time,
  created_by: Type.String({ description: 'Id of the key that asked for the training.' }),
  base_preset: Type.String(),
  freq: Type.String({ description: 'Frequency of the data that it was trained on and can forecast.' }),
  prediction_length: Type.Integer({ description: 'The longest horizon that it can forecast.' }),
  columns: Type.Object({
    item_id_column: Type.String(),
    timestamp_column: Type.String(),
    target_column: Type.String()
  }),
  covariates: Type.Array(Type.String(), {
    description: 'Covariates that it uses. A forecast needs their values for all its steps.'
  }),
  num_items: nullable(Type.Integer(), 'Number of series that it was trained on.'),
  metrics: Type.Object({
    candidate: metrics('Errors of the model.'),
    baseline: metrics(
      'Errors of `base_preset` on the same windows. This is not the baseline of reports, which repeats the last season.'
    )
  }, { description: 'Errors on the last part of the histories, which the training did not use.' }),
  dataset_hash: nullable(Type.String(), 'SHA-256 of the canonical rows.'),
  size_bytes: Type.Integer(),
  expires_at: nullable(time, 'When it is deleted; null: never.')
}, { $id: 'FineTunedModel' })

export const fineTunedModelListSchema = Type.Object({
  models: Type.Array(Type.Ref('FineTunedModel')),
  next_cursor: nullable(Type.String(), 'Send it as `cursor` to get the next page; null: this is the last page.')
}, { $id: 'FineTunedModelList' })

/** Each field is picked by name, so that the key of the bytes stays internal. */
export function renderModel (
  { modelId, keyId, name, createdAtMs, expiresAtMs, spec, trained, numItems, datasetHash, file }: ModelRecord
): Static<typeof fineTunedModelSchema> {
  const { itemId, timestamp, target } = spec.columns
  return {
    model_id: modelId,
    name,
    created_at: new Date(createdAtMs).toISOString(),
    created_by: keyId,
    base_preset: spec.preset,
    freq: trained.freq,
    prediction_length: spec.predictionLength,
    columns: { item_id_column: itemId, timestamp_column: timestamp, target_column: target },
    covariates: trained.covariates,
    num_items: numItems,
    metrics: { candidate: renderMetrics(trained.metrics.candidate), baseline: renderMetrics(trained.metrics.baseline) },
    dataset_hash: datasetHash,
    size_bytes: file.bytes,
    expires_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString()
  }
}

function renderMetrics ({ mae, mse, rmse, mape, smape, wql }: ModelMetrics): ModelMetrics {
  return { mae, mse, rmse, mape, smape, wql }
}
