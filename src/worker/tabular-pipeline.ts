import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tabular, type EngineTask } from '../engine/index.ts'
import { explainabilityFolder } from '../platform/store/keys.ts'
import { renderTabularReport } from '../report/render-tabular-report.ts'
import type { TabularReport } from '../report/tabular-report.ts'
import { csvType, describeFile, htmlType, jsonType, parquetType } from './describe-file.ts'
import { OutputTooLarge } from './output-too-large.ts'
import { publishAnalyses, readAnalyses } from './publish-analyses.ts'
import type { PipelineResult, TabularTask } from './slot-messages.ts'

/**
 * Runs in the slot process: one engine call reads a table and writes predictions, metrics and a report, and analyses if
 * the job asks for them. Then the report page is made.
 */
export async function runTabular (task: TabularTask, engineTask: EngineTask): Promise<PipelineResult> {
  const { inputPaths, format, compression, spec, limits, threads, outputFolder, budgetSeconds } = task
  const { explainability } = spec
  const [parquetPath, csvPath] = [join(outputFolder, 'predictions.parquet'), join(outputFolder, 'predictions.csv')]
  const [metricsPath, reportPath, pagePath] = [join(outputFolder, 'metrics.json'), join(outputFolder, 'report.json'),
    join(outputFolder, 'report.html')]
  const folder = join(outputFolder, explainabilityFolder)
  if (explainability !== undefined) await mkdir(folder)
  // The CSV is always made here, never at the first download: it has no more rows than a table that was held in memory.
  const maxCsvBytes = limits.maxOutputBytes
  const output = {
    parquetPath,
    csvPath,
    maxCsvBytes,
    metricsPath,
    reportPath,
    budgetSeconds,
    ...(explainability === undefined ? {} : { analysesFolder: folder })
  }
  const { outcome, datasetHash, timings, warnings, csvWritten } = await tabular({
    inputPaths,
    format,
    compression,
    spec,
    limits,
    threads,
    ...output
  }, engineTask)
  if (!csvWritten) {
    throw new OutputTooLarge(
      `The predictions have more than ${maxCsvBytes} bytes as CSV. Send fewer rows, or shorter labels.`
    )
  }
  const report = JSON.parse(await readFile(reportPath, 'utf8')) as TabularReport
  await writeFile(pagePath, renderTabularReport(report))
  const files = [
    await describeFile(parquetPath, parquetType),
    await describeFile(csvPath, csvType),
    await describeFile(metricsPath, jsonType),
    await describeFile(reportPath, jsonType),
    await describeFile(pagePath, htmlType)
  ]
  const result = { files, numItems: null, datasetHash, timings, warnings, tabular: outcome }
  if (explainability === undefined) return result
  const startedMs = performance.now()
  const analysed = await publishAnalyses(
    await readAnalyses({ folder, spec: explainability, of: { subject: 'table', target: spec.labelColumn } })
  )
  return {
    ...result,
    files: [...files, ...analysed.files],
    timings: { ...timings, explain: (timings.explain ?? 0) + (performance.now() - startedMs) / 1000 },
    explainability: analysed.outcome
  }
}
