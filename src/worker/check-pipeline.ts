import type { DatasetProfile } from '../domain/dataset-profile.ts'
import type { ForecastSpec } from '../domain/forecast-spec.ts'
import { isTabular } from '../domain/job.ts'
import { check, checkHeader, checkPreparation, checkTabular, EngineError, type EngineTask } from '../engine/index.ts'
import { CovariateInputError } from '../sources/covariates/covariate-input-error.ts'
import { checkLength, type CovariateSpans } from '../sources/covariates/covariate-spans.ts'
import { checkModel } from './check-model.ts'
import { prepareInput } from './prepared-input.ts'
import type { CheckOutcome, CheckTask } from './slot-messages.ts'

/**
 * Runs in a quick slot: describes a dataset as it would be forecast, or says what is wrong with it. The table of a
 * classification or regression is always read whole, because its header says nothing about its rows.
 */
export async function runCheck ({ kind, depth, spec, spans, preparedPath, model, ...task }: CheckTask,
  engineTask: EngineTask): Promise<CheckOutcome> {
  if (model !== undefined) await checkModel(model)
  const options = { ...task, ...(model === undefined ? {} : { modelPath: model.path }) }
  if (isTabular(spec)) return await checkTabular({ ...options, spec }, engineTask)
  if (depth === 'full') {
    const prepared = await prepareInput({ ...options, spec }, preparedPath, engineTask)
    const { profile, warnings } = await check(prepared.options, engineTask)
    if (spec.externalCovariates !== undefined) checkCovariateSpan(profile, spec, spans)
    return { profile, warnings: [...prepared.warnings, ...warnings] }
  }
  if (spec.preparation === undefined) await checkHeader({ ...options, spec }, engineTask)
  else await checkPreparation({ ...options, spec, preparation: spec.preparation }, engineTask)
  return { profile: null, warnings: [] }
}

/** Fails early: the job itself would fail with the same error once it has read all series. */
function checkCovariateSpan ({ freq, maxLength }: DatasetProfile, { predictionLength }: ForecastSpec,
  spans: CovariateSpans): void {
  try {
    checkLength(freq, maxLength + predictionLength, spans)
  } catch (error) {
    if (!(error instanceof CovariateInputError)) throw error
    const { text: message } = error
    throw new EngineError('content', 'validation_error', message, {
      code: 'covariate_span_exceeded',
      status: 422,
      message,
      column: null,
      row: null,
      item: null,
      count: null,
      suggestion: null
    })
  }
}
