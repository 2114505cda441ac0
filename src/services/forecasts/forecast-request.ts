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
  'Where the series are, for weather and air quality among external_covariates that name no place of their own; ' +
  'otherwise without effect.'

const fields = {
  presets: Type.String({
    minLength: 1,
    maxLength: 128,
    default: defaultPreset,
    description: `One of ${
      presetNames.join(', ')
    }, which trade time for accuracy, or ft: and the id of a fine-tuned model, which makes the forecast then.`
  }),
  item_id_column: columnName('item_id', 'Column that names the series.'),
  timestamp_column: columnName('timestamp', 'Column of the time stamps.'),
  target_column: columnName('target', 'Column of the values.'),
  freq: text(20,
    'Frequency as a pandas alias (h, 30min, D, W-MON, MS, QE, ...); null or left out: inferred, where 90 % of the ' +
      'gaps agree.'),
  quantile_levels: text(200,
    'Levels between 0 and 1 as a comma list or a JSON array, as many as fit into the text (50 of two digits, as in ' +
      '.05,.1); null or left out: 0.1, 0.2 ... 0.9.'),
  timestamp_format: optional(Type.Enum(['pandas', 'iso8601']),
    'pandas: 2026-01-31 00:00:00. iso8601: 2026-01-31T00:00:00+00:00. null or left out: pandas.'),
  quantile_column_style: optional(Type.Enum(['raw', 'prefixed']), 'raw: 0.1. prefixed: q0.1. null or left out: raw.'),
  covariates: text(500,
    'Columns that may explain the target, as a comma list or a JSON array of names, at most 50. Rows after the ' +
      'last target of a series, with an empty target, say what they will be; a column without such values is ' +
      'reported and not used.'),
  sheet_name: text(255,
    'Which sheet of a spreadsheet (.xls, .xlsx) to read; null or left out: the first. Not taken with other files.'),
  latitude: optional(Type.Number({ minimum: -90, maximum: 90 }), locationUse),
  longitude: optional(Type.Number({ minimum: -180, maximum: 180 }), locationUse),
  preparation: optional(preparation,
    'Uses some of the rows, combines them, and repairs values, before anything is forecast. A JSON object, in a ' +
      'form as text; null or left out: rows are used as they are.'),
  feature_engineering: optional(featureEngineering,
    'Makes features from the dataset and uses them in every preset: parts of the calendar, lags, rolling ' +
      'statistics, growth, event flags. A JSON object, in a form as text; `{}` is all of them with their ' +
      'defaults; null or left out: off.'),
  external_covariates: optional(externalCovariates,
    'Adds covariates from outside the dataset, such as weather and holidays, as they were known at the last ' +
      'observation. A JSON object, in a form as text; null or left out: none.'),
  explainability: optional(explainability,
    'Explains the forecast: a plot, importance and contributions of features, correlations, as files and on the ' +
      'job. A JSON object, in a form as text; `{"enabled": true}` makes all of them; null or left out: none.'),
  reconciliation: optional(reconciliation,
    'Forecasts a hierarchy so that it adds up: the parents are forecast too, and each is the sum of its ' +
      'children. A JSON object, in a form as text; `{"enabled": true, "hierarchy_columns": ["region", "store"]}` ' +
      'is enough.'),
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
