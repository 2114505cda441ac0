import { csv, series } from '../support/csv.ts'
import type { SeededIds } from './seed-resources.ts'

const storage = {
  // Nothing listens there: a store that is away is what is tried, and no request leaves this machine.
  bucket: 'data',
  endpoint_url: 'http://127.0.0.1:9',
  region: 'eu-north-1',
  auth_method: 'access_key',
  file_format: 'csv',
  credentials: { access_key_id: 'AKIAEXAMPLE', secret_access_key: 'not-a-secret' }
}

/** What POST /data-connections takes. */
export const connection = { connector_type: 's3', name: 'a store', object_storage: storage }

/**
 * A body that is taken, by operation: made-up ones meet one rule or other that a schema cannot state, and seldom get
 * this far.
 */
export function examplesOf ({ object_id: objectId, model_id: modelId }: SeededIds): Record<string, object> {
  const file = csv(series())
  const forecast = { object_id: objectId, prediction_length: 3, presets: 'fast' }
  return {
    createForecast: { file, prediction_length: 3, presets: 'fast' },
    createFineTune: { file, name: 'a model', base_preset: 'fast', prediction_length: 3 },
    createClassification: { file: csv([...series(), ...series({ item: 'b' })]), label_column: 'item_id' },
    createRegression: { file, label_column: 'target' },
    createForecastFromPrompt: { file, prompt: 'the next 5 days' },
    extractIntent: { file, prompt: 'the next 5 days by item_id' },
    analyzeDataset: { file, horizon: 3 },
    createForecastFromObject: {
      ...forecast,
      freq: 'D',
      quantile_levels: '0.1,0.9',
      metadata: { a: 1 },
      explainability: { enabled: true },
      feature_engineering: { lags: [1, 7] }
    },
    createBatch: {
      requests: [{ ...forecast, custom_id: 'one' }, { ...forecast, presets: `ft:${modelId}` }],
      defaults: { freq: 'D' }
    },
    createFineTuneFromObject: { object_id: objectId, name: 'a model', base_preset: 'fast', prediction_length: 3 },
    createClassificationFromObject: { object_id: objectId, label_column: 'item_id', problem_type: 'auto' },
    createRegressionFromObject: { object_id: objectId, label_column: 'target' },
    estimateRuntime: forecast,
    estimateCost: { num_items: 10, total_rows: 1000, num_covariates: 2, presets: 'balanced' },
    createConnection: connection,
    changeConnection: { name: 'another name' },
    rotateConnectionCredentials: { credentials: storage.credentials },
    validateConnection: {},
    createForecastFromConnection: { prediction_length: 3, output: { key_template: 'out/{job_id}.csv' } },
    presignUpload: { filename: 'data.csv', content_type: 'text/csv', file_size: 100 },
    createKey: { tenant: 'gamma', scopes: ['forecast'], expires: '90d' }
  }
}
