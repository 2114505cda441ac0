import { Type, type Static } from 'typebox'
import { explainabilityConfig } from './explainability-status.ts'
import { acceptedAs, jobLife, tabularJobTypes, text, type WithErrorCode } from './job-life.ts'
import { nullable } from './nullable.ts'

const problemTypes = ['binary', 'multiclass', 'regression', 'quantile'] as const
const modes = ['train_evaluate', 'train_predict'] as const

const score = (description: string) => nullable(Type.Number(), description)

const metrics = Type.Object({
  accuracy: score('Share of rows with the right predicted class.'),
  balanced_accuracy: score(
    'Share of rows with the right predicted class, computed per class, then averaged over the classes.'
  ),
  log_loss: score('Mean of -ln of the probability predicted for the true class.'),
  roc_auc: score('Area under the ROC curve. With more than two classes, the mean of each class against the rest.'),
  r2: score('1 minus the unexplained share of the variance.'),
  rmse: score('Root of the mean squared error.'),
  mae: score('Mean absolute error.')
}, { description: 'null: belongs to the other task, or is not defined for these rows.' })

const effectiveConfig = Type.Object({
  label_column: Type.String(),
  problem_type: Type.String(),
  inference_mode: Type.String(),
  train_split_ratio: Type.Number(),
  validation_holdout_ratio: Type.Number(),
  time_column: nullable(Type.String(), 'null: rows have no order.'),
  sheet_name: nullable(Type.String(), 'null: the first sheet of a spreadsheet, or no spreadsheet.'),
  explainability: nullable(explainabilityConfig, 'null: not requested.')
})

const rows = (description: string) => nullable(Type.Integer(), description)

/** A classification or regression of a table. Every field is always there; unknown values are null. */
export const tabularJobSchema = Type.Object({
  ...jobLife(tabularJobTypes),
  num_samples: rows('Rows of the table, including those without a label.'),
  problem_type: nullable(Type.Enum(problemTypes), 'null: the labels decide.'),
  accuracy: nullable(Type.Number({ minimum: 0, maximum: 1 }),
    'Accuracy on rows that the model did not learn from; null for a regression.'),
  feature_importance: nullable(Type.Object({}, { additionalProperties: Type.Number() }),
    'How much each column contributes to the differences between predictions. The shares sum to 1: the 50 largest, ' +
      'and the rest as __other__. null: not known.'),
  inference_mode: nullable(Type.Enum(modes), 'null: the labels decide.'),
  labeled_row_count: rows('Rows with a label.'),
  unlabeled_row_count: rows('Rows without a label.'),
  predicted_row_count: rows('Rows of the result.'),
  model_name: text(),
  metrics: nullable(metrics, 'Metrics on rows that the model did not learn from.'),
  effective_config: nullable(effectiveConfig, 'The request with all defaults filled in.')
}, { $id: 'TabularJob' })

export type TabularJobResponse = WithErrorCode<Static<typeof tabularJobSchema>>

/** For every route that creates one of these jobs. */
export const acceptedTabularJob = acceptedAs('TabularJob')
