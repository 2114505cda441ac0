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
  classification: 'auto, binary or multiclass; auto: binary for two labels, multiclass for more.',
  regression: 'auto, regression or quantile; auto: regression.'
}

/** The fields that the upload and the stored-object route share. */
export function tabularOptions (task: TabularTask) {
  const rows = task === 'classification' ? 'drawn so that each class keeps its share' : 'drawn by chance'
  return {
    label_column: Type.String({
      minLength: 1,
      maxLength: 200,
      default: 'target',
      description: 'Column of what is to be predicted; rows in which it is empty are unlabelled.'
    }),
    problem_type: Type.String({ minLength: 1, maxLength: 20, default: 'auto', description: problems[task] }),
    train_split_ratio: Type.Number({
      minimum: 0.5,
      maximum: 0.95,
      default: 0.8,
      description:
        `With train_evaluate: the share of the labelled rows that the model learns from, ${rows}; it is measured on ` +
        'the others.'
    }),
    inference_mode: Type.String({
      minLength: 1,
      maxLength: 20,
      default: 'train_evaluate',
      description:
        'train_evaluate: the table has the labelled rows that the model did not learn from. train_predict (or ' +
        'predict_unlabeled): it learns from all labelled rows, and the table has the unlabelled ones. auto: ' +
        'train_predict where there are unlabelled rows.'
    }),
    validation_holdout_ratio: Type.Number({
      minimum: 0.05,
      maximum: 0.5,
      default: 0.2,
      description:
        'Share of the rows that each fold holds back, on which models are compared and weighed: 0.2 is five folds, ' +
        'each row held back once. From 50,000 rows on one part of that size.'
    }),
    time_column: Type.Optional(
      Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
        description:
          'Column of dates: the model learns from the earlier rows and is measured on the later ones; null or left ' +
          'out: rows have no order.'
      })
    ),
    sheet_name: Type.Optional(
      Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
        description:
          'Which sheet of a spreadsheet (.xls, .xlsx) to read; null or left out: the first. Not taken with other files.'
      })
    ),
    explainability: Type.Optional(Type.Union([explainability, Type.Null()], {
      description:
        'Explains the predictions: importance and contributions of columns, correlations, as files and on the job; ' +
        'forecast_plot and rolling_regression are skipped, as a table has no series. A JSON object, in a form as ' +
        'text; `{"enabled": true}` makes all of them; null or left out: none.'
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
      description: 'A stored object that is uploaded, as for a forecast.'
    }),
    ...tabularOptions(task)
  }
}

export type TabularRequest = Static<TObject<ReturnType<typeof tabularOptions>>>
