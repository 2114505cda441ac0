import * as native from '#native'
import type { CovariateSurvey } from '../domain/external-covariates-spec.ts'
import { call } from './call.ts'
import { datasetOptions, type CheckOptions } from './dataset-options.ts'
import { createTask, type EngineTask } from './engine-task.ts'

/** Keeps the rows of one dataset between its survey and its forecast. */
export type KeptDataset = native.KeptDataset

export function keepDataset (): KeptDataset {
  return new native.KeptDataset()
}

/**
 * Reads a dataset, finds the locations and periods that need covariates from outside, and keeps the rows in `kept`.
 * Throws `EngineError`.
 */
export async function survey (options: CheckOptions, kept: KeptDataset,
  task: EngineTask = createTask()): Promise<CovariateSurvey> {
  return await call('survey', datasetOptions(options), task, kept)
}
