import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { engineVersion, forecast, type EngineTask } from '../engine/index.ts'
import type { ForecastReport } from '../report/forecast/forecast-report.ts'
import { renderForecastReport } from '../report/forecast/render-forecast-report.ts'
import { csvType, describeFile, htmlType, jsonType, parquetType } from './describe-file.ts'
import type { ForecastTask, PipelineResult } from './slot-messages.ts'

/** Runs in the slot process: one call that reads a file and writes files, the report once more as a page, and a description of what was written. */
export async function runForecast (task: ForecastTask, engineTask: EngineTask): Promise<PipelineResult> {
  const { inputPaths, format, compression, spec, limits: { maxCsvBytes, ...limits }, threads, outputFolder, budgetSeconds, modelPath, configHash = null, modelVersion = null } = task
  const parquetPath = join(outputFolder, 'forecast.parquet')
  const csvPath = join(outputFolder, 'forecast.csv')
  const [reportPath, pagePath] = [join(outputFolder, 'report.json'), join(outputFolder, 'report.html')]
  const summary = await forecast({
    ...{ inputPaths, format, compression, spec, limits, threads, parquetPath, csvPath, maxCsvBytes, reportPath, budgetSeconds },
    ...(modelPath === undefined ? {} : { modelPath })
  }, engineTask)
  const { numItems, datasetHash, timings, warnings } = summary
  const reconciliation = summary.reconciliation === undefined ? {} : { reconciliation: summary.reconciliation }
  const report = JSON.parse(await readFile(reportPath, 'utf8')) as ForecastReport
  await writeFile(pagePath, renderForecastReport(report, {
    ...{ series: numItems, quantileLevels: spec.quantileLevels, warnings, timings, datasetHash, configHash, modelVersion, engineVersion: engineVersion() },
    ...reconciliation
  }))
  const files = [await describeFile(parquetPath, parquetType), await describeFile(reportPath, jsonType), await describeFile(pagePath, htmlType)]
  if (summary.csvWritten) files.push(await describeFile(csvPath, csvType))
  return { files, numItems, datasetHash, timings, warnings, ...reconciliation }
}
