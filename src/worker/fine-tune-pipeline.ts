import { join } from 'node:path'
import { fineTune, type EngineTask } from '../engine/index.ts'
import { modelFileName } from '../platform/store/keys.ts'
import { describeFile, modelType } from './describe-file.ts'
import { prepareInput, removePrepared } from './prepared-input.ts'
import type { FineTuneTask, PipelineResult } from './slot-messages.ts'
import { defined } from '../platform/defined.ts'

/** Runs in the slot process: one engine call reads a dataset and writes a model and its description. */
export async function runFineTune (task: FineTuneTask, engineTask: EngineTask): Promise<PipelineResult> {
  const {
    inputPaths,
    format,
    compression,
    spec,
    limits: { maxCsvBytes: _csv, ...limits },
    threads,
    outputFolder,
    budgetSeconds
  } = task
  if (spec.training === undefined) throw new Error('the job does not say how to train')
  const modelPath = join(outputFolder, modelFileName)
  const { loss, validationWindows } = spec.training
  const preparedPath = join(outputFolder, 'prepared.parquet')
  const prepared = await prepareInput({ inputPaths, format, compression, spec, limits, threads }, preparedPath,
    engineTask)
  const summary = await fineTune({ ...prepared.options, loss, validationWindows, modelPath, budgetSeconds }, engineTask)
  await removePrepared(preparedPath)
  const { numItems, datasetHash, freq, covariates, features, candidate, baseline } = summary
  return {
    files: [await describeFile(modelPath, modelType)],
    numItems,
    datasetHash,
    timings: { ...summary.timings, ...(prepared.preparation === undefined ? {} : { prepare: prepared.seconds }) },
    warnings: [...prepared.warnings, ...summary.warnings],
    ...defined({ preparation: prepared.preparation }),
    trained: { freq, covariates, features, metrics: { candidate, baseline } }
  }
}
