import { Type, type Static, type TObject } from 'typebox'
import type { TabularTask } from '../../domain/tabular-spec.ts'
import { explainability } from '../forecasts/blocks/explainability.ts'
import { labelFields } from '../forecasts/label-fields.ts'

/** The problem types of each task; `auto` decides from the labels. */
export const problemTypes = {
  classification: ['auto', 'binary', 'multiclass'],
  regression: ['auto', 'regression', 'quantile']
} as const satisfies Record<TabularTask, readonly string[]>

/** `predict_unlabeled` is an alias of `train_predict`. */
export const inferenceModes = ['auto', 'train_evaluate', 'train_predict', 'predict_unlabeled'] as const

const problems: Record<TabularTask, string> = {
  classification: 'auto, binary or multiclass. auto: binary for two classes, multiclass for more.',
  regression: 'auto, regression or quantile. auto: regression.'
}

/** The fields that the upload and the stored-object route share. */
export function tabularOptions (task: TabularTask) {
  const rows = task === 'classification' ? 'drawn so that each class keeps its share' : 'drawn by chance'
  return {
    label_column: Type.String({
      minLength: 1,
      maxLength: 200,
      default: 'target',
      description: 'The column to predict. Rows in which it is empty have no label.'
    }),
    problem_type: Type.String({ minLength: 1, maxLength: 20, default: 'auto', description: problems[task] }),
    train_split_ratio: Type.Number({
      minimum: 0.5,
      maximum: 0.95,
      default: 0.8,
      description:
        `With train_evaluate: the share of the rows with a label that the model learns from, ${rows}. It is measured ` +
        'on the others.'
    }),
    inference_mode: Type.String({
      minLength: 1,
      maxLength: 20,
      default: 'train_evaluate',
      description:
        'train_evaluate: the result has the rows with a label that the model did not learn from. train_predict (or ' +
        'predict_unlabeled): the model learns from all rows with a label, and the result has the others. auto: ' +
        'train_predict if there are rows without a label.'
    }),
    validation_holdout_ratio: Type.Number({
      minimum: 0.05,
      maximum: 0.5,
      default: 0.2,
      description:
        'Share of the rows that each fold holds back. Models are compared and weighted on these rows. 0.2 means five ' +
        'folds, so that each row is held back once. From 50,000 rows on, only one part of this size is held back.'
    }),
    time_column: Type.Optional(
      Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
        description:
          'A column of dates. The model learns from the earlier rows and is measured on the later ones. null or left ' +
          'out: rows have no order.'
      })
    ),
    sheet_name: Type.Optional(
      Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
        description: 'The sheet of a spreadsheet (.xls, .xlsx) to read; null or left out: the first sheet. ' +
          'Refused with other files.'
      })
    ),
    explainability: Type.Optional(Type.Union([explainability, Type.Null()], {
      description:
        'Explains the predictions with the importance and contributions of columns, and correlations. They are files ' +
        'of the result, and fields of the job. forecast_plot and rolling_regression are skipped, because a table has ' +
        'no series. A JSON object, in a form as text; `{"enabled": true}` makes all of them; null or left out: none.'
    })),
    ...labelFields
  }
}

/** Body of the routes that read a stored object. */
export function storedTabular (task: TabularTask) {
  return {
    object_id: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Id of a stored object whose upload is complete.'
    }),
    ...tabularOptions(task)
  }
}

export type TabularRequest = Static<TObject<ReturnType<typeof tabularOptions>>>
