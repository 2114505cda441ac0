import { join } from 'node:path'
import { fineTune, type EngineTask } from '../engine/index.ts'
import { modelFileName } from '../store/keys.ts'
import { describeFile, modelType } from './describe-file.ts'
import type { FineTuneTask, PipelineResult } from './slot-messages.ts'

/** Runs in the slot process: one call that reads a dataset and writes a model, and a description of it. */
export async function runFineTune (task: FineTuneTask, engineTask: EngineTask): Promise<PipelineResult> {
  const { inputPaths, format, compression, spec, limits: { maxCsvBytes: _csv, ...limits }, threads, outputFolder, budgetSeconds } = task
  if (spec.training === undefined) throw new Error('the job does not say how to train')
  const modelPath = join(outputFolder, modelFileName)
  const { loss, validationWindows } = spec.training
  const summary = await fineTune({ inputPaths, format, compression, spec, loss, validationWindows, limits, threads, modelPath, budgetSeconds }, engineTask)
  const { numItems, datasetHash, timings, warnings, freq, covariates, features, metrics } = summary
  return {
    files: [await describeFile(modelPath, modelType)], numItems, datasetHash, timings, warnings, trained: { freq, covariates, features, metrics }
  }
}
