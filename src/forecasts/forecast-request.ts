import { Type, type Static, type TObject } from 'typebox'
import { explainability } from './blocks/explainability.ts'
import { externalCovariates } from './blocks/external-covariates.ts'
import { featureEngineering } from './blocks/feature-engineering.ts'
import { reconciliation } from './blocks/reconciliation.ts'
import { defaultPreset, presetNames } from './presets.ts'

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()], { description }))
const columnName = (name: string, description: string) =>
  Type.String({ minLength: 1, maxLength: 200, default: name, description })

/** What every way of asking for a forecast has in common; the bound on the horizon is the deployment's. */
export function forecastOptions (maxHorizon: number) {
  return {
    prediction_length: Type.Integer({ minimum: 1, maximum: maxHorizon, default: 24, description: 'Steps to forecast.' }),
    presets: Type.String({ minLength: 1, maxLength: 128, default: defaultPreset, description: `One of ${presetNames.join(', ')}.` }),
    item_id_column: columnName('item_id', 'Column that names the series.'),
    timestamp_column: columnName('timestamp', 'Column of the time stamps.'),
    target_column: columnName('target', 'Column of the values.'),
    freq: text(20, 'Frequency as a pandas alias (h, 30min, D, W-MON, MS, QE, ...); null: inferred.'),
    quantile_levels: text(200, 'Levels between 0 and 1 as a comma list or a JSON array, as many as fit into the text (50 of two digits, as in .05,.1); null: 0.1 to 0.9.'),
    timestamp_format: Type.Optional(Type.Union([Type.Enum(['pandas', 'iso8601']), Type.Null()], { description: 'null: pandas.' })),
    quantile_column_style: Type.Optional(Type.Union([Type.Enum(['raw', 'prefixed']), Type.Null()], { description: 'null: raw.' })),
    covariates: text(500, 'Not available yet.'),
    latitude: Type.Optional(Type.Union([Type.Number({ minimum: -90, maximum: 90 }), Type.Null()])),
    longitude: Type.Optional(Type.Union([Type.Number({ minimum: -180, maximum: 180 }), Type.Null()])),
    feature_engineering: Type.Optional(Type.Union([featureEngineering, Type.Null()])),
    external_covariates: Type.Optional(Type.Union([externalCovariates, Type.Null()])),
    explainability: Type.Optional(Type.Union([explainability, Type.Null()])),
    reconciliation: Type.Optional(Type.Union([reconciliation, Type.Null()])),
    callback_url: text(2048, 'Not available yet.'),
    name: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], { description: 'Shown on the job.' })),
    metadata: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { description: 'JSON object of at most 2 KiB, shown on the job.' }))
  }
}

export type ForecastRequest = Static<TObject<ReturnType<typeof forecastOptions>>>

/** Fields of a form that hold JSON text. */
export const jsonFields: ReadonlySet<string> = new Set([
  'feature_engineering', 'external_covariates', 'explainability', 'reconciliation', 'metadata'
])
