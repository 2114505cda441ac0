import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ResultFile } from '../domain/files.ts'
import type { PreparationReport, PreparationSpec } from '../domain/preparation-spec.ts'
import { engineVersion, forecast, type EngineTask } from '../engine/index.ts'
import { explainabilityFolder } from '../platform/store/keys.ts'
import type { CombinedFacts } from '../report/forecast/combined-text.ts'
import type { ForecastReport } from '../report/forecast/forecast-report.ts'
import { withoutErrors } from '../report/explanation/without-errors.ts'
import { renderForecastReport } from '../report/forecast/render-forecast-report.ts'
import { readValuesDocument } from '../sources/covariates/gather/values-file.ts'
import { analyseForecast } from './analyse-forecast.ts'
import { checkModel } from './check-model.ts'
import { csvSize } from './csv-size.ts'
import { csvType, describeFile, htmlType, jsonType, parquetType } from './describe-file.ts'
import { explainForecast, type ExplainedForecast } from './explain-forecast.ts'
import { prepareInput, removePrepared } from './prepared-input.ts'
import { readAnalyses } from './publish-analyses.ts'
import type { ForecastTask, PipelineResult } from './slot-messages.ts'
import { takeSurveyed } from './surveyed-input.ts'
import { defined } from '../platform/defined.ts'

/** What a forecast writes. */
function pathsIn (folder: string) {
  return {
    table: join(folder, 'forecast.parquet'),
    csv: join(folder, 'forecast.csv'),
    report: join(folder, 'report.json'),
    page: join(folder, 'report.html'),
    findings: join(folder, 'findings.json'),
    analyses: join(folder, explainabilityFolder),
    prepared: join(folder, 'prepared.parquet')
  }
}
type Paths = ReturnType<typeof pathsIn>

/**
 * Runs in the slot process. One engine call prepares the rows if the job asks for it, one forecasts. Then the
 * explanation, the analyses, the report pages and the description of the files are made.
 */
export async function runForecast (task: ForecastTask, engineTask: EngineTask): Promise<PipelineResult> {
  const { model, spec: { explainability, columns: { target } }, valuesPath } = task
  const paths = pathsIn(task.outputFolder)
  if (model !== undefined) await checkModel(model)
  if (explainability !== undefined) await mkdir(paths.analyses)
  const { prepared, summary } = await forecastRows(task, paths, engineTask)
  const { numItems, datasetHash, freq, reconciliation } = summary
  const startedMs = performance.now()
  const found = explainability === undefined
    ? undefined
    : await readAnalyses({ folder: paths.analyses, spec: explainability, of: { target, freq } })
  const { explanation, keys, meanError, warning } = await explainForecast(paths.findings,
    defined({ reconciliation, analyses: found?.document }))
  const analysed = found === undefined ? undefined : await analyseForecast(found, keys)
  const timings = {
    ...summary.timings,
    ...(prepared.preparation === undefined ? {} : { prepare: prepared.seconds }),
    explain: (summary.timings.explain ?? 0) + (performance.now() - startedMs) / 1000
  }
  const external = valuesPath === undefined ? undefined : await readValuesDocument(valuesPath)
  // Warnings about covariates from outside come before the engine's warnings about the data.
  const warnings = [...external?.warnings ?? [], ...prepared.warnings, ...summary.warnings,
    ...(warning === undefined ? [] : [warning])]
  const result = {
    ...{ numItems, datasetHash, timings, warnings },
    ...defined({
      preparation: prepared.preparation,
      externalCovariates: external?.report,
      reconciliation,
      explainability: analysed?.outcome,
      explanation
    })
  }
  await writePage(task, paths, result, defined({ keys, meanError }))
  return { files: [...await describeFiles(paths, summary), ...analysed?.files ?? []], ...result }
}

async function forecastRows (task: ForecastTask, paths: Paths, engineTask: EngineTask) {
  const { inputPaths, format, compression, spec, limits: { maxCsvBytes, ...limits }, threads, budgetSeconds } = task
  const surveyed = takeSurveyed(task.outputFolder)
  const prepared = surveyed?.prepared ??
    await prepareInput({ inputPaths, format, compression, spec, limits, threads }, paths.prepared, engineTask)
  const summary = await forecast({
    ...prepared.options,
    ...{ parquetPath: paths.table, csvPath: paths.csv, reportPath: paths.report, findingsPath: paths.findings },
    ...{ maxCsvBytes, budgetSeconds },
    ...defined({ modelPath: task.model?.path, valuesPath: task.valuesPath, kept: surveyed?.kept }),
    ...(spec.explainability === undefined
      ? {}
      : { analyses: { folder: paths.analyses, rollingRegressionAllowed: task.rollingRegressionAllowed } })
  }, engineTask)
  if (prepared.preparation !== undefined) await removePrepared(paths.prepared)
  return { prepared, summary }
}

async function writePage (task: ForecastTask, paths: Paths,
  result: Omit<PipelineResult, 'files'> & { numItems: number },
  { keys, meanError }: Pick<ExplainedForecast, 'keys' | 'meanError'>): Promise<void> {
  const { spec, configHash = null, modelVersion = null } = task
  const { numItems, warnings, timings, datasetHash, preparation, externalCovariates } = result
  const report = JSON.parse(readFileSync(paths.report, 'utf8')) as ForecastReport
  const { explanation } = result
  writeFileSync(paths.page, renderForecastReport(report, {
    ...{ series: numItems, quantileLevels: spec.quantileLevels, warnings, timings, datasetHash },
    ...{ configHash, modelVersion, engineVersion: engineVersion() },
    ...defined({
      reconciliation: result.reconciliation,
      combined: spec.preparation && preparation && combinedFacts(spec.preparation, preparation),
      externalSources: externalCovariates?.sources,
      meanError,
      explanation: explanation && keys && { ...explanation, ...withoutErrors(explanation, keys) }
    })
  }))
}

async function describeFiles (paths: Paths, { csvWritten }: { csvWritten: boolean }): Promise<ResultFile[]> {
  const table = await describeFile(paths.table, parquetType)
  const files = [
    csvWritten ? table : { ...table, csvBytes: await csvSize(paths.table) },
    await describeFile(paths.report, jsonType),
    await describeFile(paths.page, htmlType)
  ]
  if (csvWritten) files.push(await describeFile(paths.csv, csvType))
  return files
}

function combinedFacts ({ step, aggregate, across = aggregate }: PreparationSpec,
  { rowsCombinedAcross = 0 }: PreparationReport): CombinedFacts {
  return { overSeries: rowsCombinedAcross > 0, step, across, aggregate }
}
