import { Type, type Static } from 'typebox'
import { explainabilityConfig } from './explainability-status.ts'
import { acceptedAs, jobLife, tabularJobTypes, text, type WithErrorCode } from './job-life.ts'
import { nullable } from './nullable.ts'

const problemTypes = ['binary', 'multiclass', 'regression', 'quantile'] as const
const modes = ['train_evaluate', 'train_predict'] as const

const score = (description: string) => nullable(Type.Number(), description)

const metrics = Type.Object({
  accuracy: score('Share of rows whose class was predicted.'),
  balanced_accuracy: score('Mean over the classes of the share of their rows that were predicted.'),
  log_loss: score('Mean of -ln of the probability that the true class was given.'),
  roc_auc: score('Area under the ROC curve; of more than two classes the mean of each against the rest.'),
  r2: score('1 less the share of the variance that is left.'),
  rmse: score('Root of the mean squared error.'),
  mae: score('Mean absolute error.')
}, { description: 'null: of the other task, or not defined for these rows.' })

const effectiveConfig = Type.Object({
  label_column: Type.String(),
  problem_type: Type.String(),
  inference_mode: Type.String(),
  train_split_ratio: Type.Number(),
  validation_holdout_ratio: Type.Number(),
  time_column: nullable(Type.String(), 'null: rows have no order.'),
  sheet_name: nullable(Type.String(), 'null: the first sheet of a spreadsheet, or no spreadsheet.'),
  explainability: nullable(explainabilityConfig, 'null: not asked for.')
})

const rows = (description: string) => nullable(Type.Integer(), description)

/** A classification or regression of a table. Every field is always there; unknown values are null. */
export const tabularJobSchema = Type.Object({
  ...jobLife(tabularJobTypes),
  num_samples: rows('Rows of the table, those without a label included.'),
  problem_type: nullable(Type.Enum(problemTypes), 'null: to be decided by the labels.'),
  accuracy: nullable(Type.Number({ minimum: 0, maximum: 1 }),
    'On rows that the model did not learn from; null for a regression.'),
  feature_importance: nullable(Type.Object({}, { additionalProperties: Type.Number() }),
    'Share of each column in what sets the predictions apart; they sum to 1. The 50 greatest, and the rest as ' +
      '__other__; null where they are not known.'),
  inference_mode: nullable(Type.Enum(modes), 'null: to be decided by the labels.'),
  labeled_row_count: rows('Rows with a label.'),
  unlabeled_row_count: rows('Rows without one.'),
  predicted_row_count: rows('Rows of the result.'),
  model_name: text(),
  metrics: nullable(metrics, 'On rows that the model did not learn from.'),
  effective_config: nullable(effectiveConfig, 'The request with every default resolved.')
}, { $id: 'TabularJob' })

export type TabularJobResponse = WithErrorCode<Static<typeof tabularJobSchema>>

/** For every route that creates one of these jobs. */
export const acceptedTabularJob = acceptedAs('TabularJob')
