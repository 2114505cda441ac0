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
    rmse: metric('Its square root.'),
    mape: metric('Mean absolute percentage error; null where the series have zeros.'),
    smape: metric('Symmetric mean absolute percentage error.'),
    wql: metric('Weighted quantile loss.')
  }, { description })

export const fineTunedModelSchema = Type.Object({
  model_id: Type.String({ description: 'Forecasts name it as `presets`: `ft:` and this id.' }),
  name: nullable(Type.String(), 'As given by the caller.'),
  created_at: time,
  created_by: Type.String({ description: 'Id of the key that asked for the training.' }),
  base_preset: Type.String(),
  freq: Type.String({ description: 'Of the data that it was trained on, and that it forecasts.' }),
  prediction_length: Type.Integer({ description: 'The longest horizon that it forecasts.' }),
  columns: Type.Object({
    item_id_column: Type.String(),
    timestamp_column: Type.String(),
    target_column: Type.String()
  }),
  covariates: Type.Array(Type.String(), {
    description: 'Those that it uses; a forecast needs their values for all of its steps.'
  }),
  num_items: nullable(Type.Integer(), 'Series that it was trained on.'),
  metrics: Type.Object({
    candidate: metrics('Of the model.'),
    baseline: metrics('Of its base preset, on the same windows.')
  }, { description: 'On the ends of the histories that were held back from the training.' }),
  dataset_hash: nullable(Type.String(), 'SHA-256 of the canonical rows.'),
  size_bytes: Type.Integer(),
  expires_at: nullable(time, 'When it is deleted; null: it stays.')
}, { $id: 'FineTunedModel' })

export const fineTunedModelListSchema = Type.Object({
  models: Type.Array(Type.Ref('FineTunedModel')),
  next_cursor: nullable(Type.String(), 'Give it back as `cursor` for the next page; null on the last one.')
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
