import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { survey, type EngineTask } from '../engine/index.ts'
import type { CovariateSurvey } from '../queue/messages.ts'
import { prepareInput } from './prepared-input.ts'
import { keepSurveyed } from './surveyed-input.ts'
import type { SurveyTask } from './slot-messages.ts'

/** Runs in the slot process: for which places and steps of a dataset, as it will be forecast, covariates from outside are needed. */
export async function runSurvey ({ kind: _kind, outputFolder, limits: { maxCsvBytes: _csv, ...limits }, budgetSeconds: _budget, ...task }: SurveyTask, engineTask: EngineTask): Promise<CovariateSurvey> {
  const path = join(outputFolder, 'surveyed.parquet')
  const { prepared, kept } = keepSurveyed(outputFolder, await prepareInput({ ...task, limits }, path, engineTask))
  const found = await survey(prepared.options, kept, engineTask)
  await rm(path, { force: true })
  return found
}
