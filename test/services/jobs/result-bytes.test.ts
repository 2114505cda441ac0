import t from 'tap'
import type { DatasetProfile } from '../../../src/domain/dataset-profile.ts'
import type { ForecastSpec } from '../../../src/domain/forecast-spec.ts'
import type { TabularSpec } from '../../../src/domain/tabular-spec.ts'
import { loadConfig } from '../../../src/platform/config.ts'
import { resultBytes } from '../../../src/services/jobs/result-bytes.ts'
import { testSpec } from '../../support/job-message.ts'

const MB = 1_000_000
const config = loadConfig({ TABCAST_MAX_CSV_BYTES: String(20 * MB), TABCAST_MAX_FORECAST_POINTS: String(MB) })
const least = 128 * 1024
const profile: DatasetProfile = { rows: 40_000, series: 1_000, minLength: 40, maxLength: 40, freq: 'D' }

function reckoned (changes: Partial<ForecastSpec>, found: DatasetProfile | null, bytes: number): number {
  const input = { key: 'acme/a/input', format: 'csv' as const, bytes, sha256: null }
  return resultBytes({ spec: { ...testSpec, ...changes }, profile: found, input }, config) - least
}

t.test('a forecast is reckoned from its series, levels, steps and ids', (t) => {
  // Of three levels, a row has 40 bytes as Parquet and 97 as CSV.
  const hundred = reckoned({ predictionLength: 100 }, profile, 0)
  t.equal(hundred, 100_000 * (40 + 97))
  t.equal(reckoned({ predictionLength: 100 }, { ...profile, nodes: 2_000 }, 0), 2 * hundred, 'and from the sums')
  t.equal(reckoned({ predictionLength: 100, quantileLevels: [] }, profile, 0), 100_000 * (16 + 40))
  t.equal(reckoned({ predictionLength: 100 }, profile, 40_000), hundred + 1_000 + 100_000, 'ids repeat in each row')
  t.equal(reckoned({ predictionLength: 100 }, profile, 400 * MB), 100_000 * 40 + 10 * MB + 20 * MB,
    'a CSV above its limit is not stored')
  t.equal(reckoned({ predictionLength: 5_000 }, profile, 0), MB * 40 + 20 * MB, 'longer ones are refused by their run')
  const plot = reckoned({ predictionLength: 100, explainability: { analyses: ['forecast_plot'] } as never }, profile, 0)
  t.equal(plot - hundred, 1_000 * (120 + 800) * 19)
  const shap = (shapSampleSize: number, maxFeatures: number): number => {
    const explainability = { analyses: ['shap'], maxRows: 5_000, maxFeatures, shapSampleSize }
    return reckoned({ predictionLength: 100, explainability: explainability as never }, profile, 0) - hundred
  }
  t.equal(shap(512, 25), 512 * 25 * 60)
  t.equal(shap(512, 1_000), 512 * 40 * 60, 'no more features than there are')
  t.equal(shap(5_000_000, 1_000), 5_000 * 40 * 60)
  t.equal(reckoned({ training: {} as never }, profile, 400 * MB), 0, 'a training makes no table')
  t.end()
})

t.test('an input that was not read is reckoned from its bytes', (t) => {
  t.equal(reckoned({ predictionLength: 100 }, null, 3_200), 100 * (40 + 97) + 2 * 3_200)
  const table: TabularSpec = {
    task: 'regression',
    labelColumn: 'y',
    problemType: 'auto',
    inferenceMode: 'auto',
    trainSplitRatio: 0.8,
    validationHoldoutRatio: 0.2
  }
  const input = { key: 'acme/a/input', format: 'csv' as const, bytes: 3_200, sha256: null }
  t.equal(resultBytes({ spec: table, profile: null, input }, config) - least, 2 * (3_200 + 100 * 8 * 19))
  t.equal(resultBytes({ spec: testSpec, profile: null, input: { connectionId: 'conn_a' } }, config), least,
    'nothing is known of a store of the tenant')
  const found = { rows: 100, columns: 5, labeledRows: 90, classes: 30 }
  t.equal(resultBytes({ spec: table, profile: found, input }, config) - least, 2 * (3_200 + 100 * 38 * 19),
    'each class has a column')
  t.end()
})
