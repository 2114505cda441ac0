import { join } from 'node:path'
import { forecast, type EngineTask } from '../engine/index.ts'
import { csvType, describeFile, jsonType, parquetType } from './describe-file.ts'
import type { ForecastTask, PipelineResult } from './slot-messages.ts'

/** Runs in the slot process: one call that reads a file and writes files, and a description of what it wrote. */
export async function runForecast (task: ForecastTask, engineTask: EngineTask): Promise<PipelineResult> {
  const { inputPaths, format, compression, spec, limits: { maxCsvBytes, ...limits }, threads, outputFolder, budgetSeconds, modelPath } = task
  const parquetPath = join(outputFolder, 'forecast.parquet')
  const csvPath = join(outputFolder, 'forecast.csv')
  const reportPath = join(outputFolder, 'report.json')
  const summary = await forecast({
    ...{ inputPaths, format, compression, spec, limits, threads, parquetPath, csvPath, maxCsvBytes, reportPath, budgetSeconds },
    ...(modelPath === undefined ? {} : { modelPath })
  }, engineTask)
  const files = [await describeFile(parquetPath, parquetType), await describeFile(reportPath, jsonType)]
  if (summary.csvWritten) files.push(await describeFile(csvPath, csvType))
  const { numItems, datasetHash, timings, warnings, reconciliation } = summary
  return { files, numItems, datasetHash, timings, warnings, ...(reconciliation === undefined ? {} : { reconciliation }) }
}
