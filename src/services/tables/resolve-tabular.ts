import type { FieldError } from '../../domain/error-codes.ts'
import type { TabularSpec, TabularTask } from '../../domain/tabular-spec.ts'
import { TabcastError } from '../../platform/errors.ts'
import { labelErrors } from '../forecasts/label-fields.ts'
import { resolveExplainability } from '../forecasts/resolve-explainability.ts'
import { inferenceModes, problemTypes, type TabularRequest } from './tabular-request.ts'

/**
 * Turns a valid request into the specification that is hashed and dispatched. Throws validation_error (422) with all
 * wrong fields at once.
 */
export function resolveTabular (task: TabularTask, request: TabularRequest): TabularSpec {
  const { label_column: labelColumn, time_column: timeColumn, sheet_name: sheetName } = request
  const fields = labelErrors(request)
  const problemType = oneOf<TabularSpec['problemType']>('problem_type', request.problem_type, problemTypes[task],
    fields)
  const inferenceMode = oneOf('inference_mode', request.inference_mode, inferenceModes, fields)
  // The engine trims a name that matches no column, so two names that differ only in blanks are one column.
  if (isGiven(timeColumn) && timeColumn.trim() === labelColumn.trim()) {
    fields.push(valueError('time_column', timeColumn, 'the label and the time need a column each'))
  }
  const explainability = resolveExplainability(request.explainability)
  if (fields.length > 0) throw new TabcastError('validation_error', undefined, { fields })
  return {
    task,
    labelColumn,
    problemType,
    inferenceMode: inferenceMode === 'predict_unlabeled' ? 'train_predict' : inferenceMode,
    trainSplitRatio: request.train_split_ratio,
    validationHoldoutRatio: request.validation_holdout_ratio,
    // Absent rather than null, because the specification is hashed as it is.
    ...(isGiven(timeColumn) ? { timeColumn } : {}),
    ...(isGiven(sheetName) ? { sheetName } : {}),
    // Tables have no history to draw, so the field must not change the hash.
    ...(explainability === undefined ? {} : { explainability: { ...explainability, trailingHistorySteps: null } })
  }
}

/** An unknown value is added to `fields`, and the first known one stands in for it. */
function oneOf<T extends string> (field: string, text: string, known: readonly [T, ...T[]], fields: FieldError[]): T {
  const found = known.find((one) => one === text)
  if (found === undefined) fields.push(valueError(field, text, `one of ${known.join(', ')} is wanted here`))
  return found ?? known[0]
}

function valueError (field: string, input: string, error: string): FieldError {
  return { loc: ['body', field], msg: error, type: 'value_error', input, ctx: { error } }
}

function isGiven (text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text !== ''
}
