import { Type, type Static, type TObject, type TSchema } from 'typebox'
import { externalCovariates } from '../../sources/covariates/external-covariates-block.ts'
import { explainability } from './blocks/explainability.ts'
import { featureEngineering } from './blocks/feature-engineering.ts'
import { preparation } from './blocks/preparation.ts'
import { reconciliation } from './blocks/reconciliation.ts'
import { labelFields } from './label-fields.ts'
import { defaultPreset, presetNames } from './presets.ts'

/** null is the same as left out. */
const optional = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }))
const text = (maxLength: number, description: string) => optional(Type.String({ maxLength }), description)
const columnName = (name: string, description: string) =>
  Type.String({ minLength: 1, maxLength: 200, default: name, description })

const locationUse =
  'Place of the series. Only used for weather and air quality in external_covariates, if they name no ' +
  'place themselves.'

const fields = {
  presets: Type.String({
    minLength: 1,
    maxLength: 128,
    default: defaultPreset,
    description: `One of ${
      presetNames.join(', ')
    } (more time for more accuracy), or ft: and the id of a fine-tuned model, which then makes the forecast.`
  }),
  item_id_column: columnName('item_id', 'Column that names the series.'),
  timestamp_column: columnName('timestamp', 'Column with the time stamps.'),
  target_column: columnName('target', 'Column with the values to forecast.'),
  freq: text(20,
    'Frequency as a pandas alias, with a multiple in front if need be (15min, h, D, W-MON, MS, QE, ...); null or ' +
      'left out: inferred from the data, if 90 % of the gaps agree.'),
  quantile_levels: text(500,
    'Levels between 0 and 1 as a comma list or a JSON array, at most 99. Each is a column of the result. 0.025 and ' +
      '0.975 are the ends of the 95 % interval. null or left out: 0.1 to 0.9 in steps of 0.1.'),
  timestamp_format: optional(Type.Enum(['pandas', 'iso8601']),
    'pandas: 2026-01-31 00:00:00. iso8601: 2026-01-31T00:00:00+00:00. null or left out: pandas.'),
  quantile_column_style: optional(Type.Enum(['raw', 'prefixed']), 'raw: 0.1. prefixed: q0.1. null or left out: raw.'),
  covariates: text(500,
    'Columns that may explain the target, as a comma list or a JSON array of names, at most 50. To give their future ' +
      'values, add rows with an empty target after the last target of a series. A column without such values is ' +
      'reported and not used; one with only some of them is refused.'),
  sheet_name: text(255,
    'The sheet of a spreadsheet (.xls, .xlsx) to read; null or left out: the first sheet. Refused with other files.'),
  latitude: optional(Type.Number({ minimum: -90, maximum: 90 }), locationUse),
  longitude: optional(Type.Number({ minimum: -180, maximum: 180 }), locationUse),
  preparation: optional(preparation,
    'Filters and combines rows, and repairs values, before the forecast. A JSON object, in a form as text; null or ' +
      'left out: rows are used as they are.'),
  feature_engineering: optional(featureEngineering,
    'Makes features from the dataset: calendar, lags, rolling statistics, growth, event flags. Every preset uses ' +
      'them. A JSON object, in a form as text; `{}` makes all of them with their defaults; null or left out: none.'),
  external_covariates: optional(externalCovariates,
    'Adds covariates from outside the dataset, such as weather and holidays. Values are those known at the last ' +
      'observation. A JSON object, in a form as text; null or left out: none.'),
  explainability: optional(explainability,
    'Explains the forecast with a plot, the importance and contributions of features, and correlations. They are ' +
      'files of the result, and fields of the job. A JSON object, in a form as text; `{"enabled": true}` makes all ' +
      'of them; null or left out: none.'),
  reconciliation: optional(reconciliation,
    'Makes the forecasts of a hierarchy add up. Every parent is forecast too, and is the sum of its children. A JSON ' +
      'object, in a form as text; `{"enabled": true, "hierarchy_columns": ["region", "store"]}` is enough.'),
  ...labelFields
}

/** The fields that all forecast routes share. The deployment limits the horizon. */
export function forecastOptions (maxHorizon: number) {
  return {
    prediction_length: Type.Integer({
      minimum: 1,
      maximum: maxHorizon,
      default: 24,
      description: `Steps to forecast, at most ${maxHorizon.toLocaleString('en-US')}.`
    }),
    ...fields
  }
}

export type ForecastRequest = Static<TObject<ReturnType<typeof forecastOptions>>>

/** Form fields that hold JSON text. */
export const jsonFields: ReadonlySet<string> = new Set([
  'feature_engineering',
  'external_covariates',
  'explainability',
  'reconciliation',
  'preparation',
  'metadata',
  'intent'
])
