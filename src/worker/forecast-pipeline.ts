import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ForecastSummary } from '../domain/engine-documents.ts'
import type { ResultFile } from '../domain/files.ts'
import type { PreparationReport, PreparationSpec } from '../domain/preparation-spec.ts'
import { engineVersion, forecast, type EngineTask, type ForecastOptions } from '../engine/index.ts'
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
import { prepareInput, removePrepared, type PreparedInput } from './prepared-input.ts'
import { readAnalyses } from './publish-analyses.ts'
import type { ForecastFacts, ForecastTask, PipelineResult } from './slot-messages.ts'
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

/** What a forecast and its stages, where it is computed in shards, have in common. */
type AnyTask = Omit<ForecastTask, 'kind'>

/** A forecast whose rows are prepared. */
interface BegunForecast {
  options: ForecastOptions
  prepared: PreparedInput
}

/**
 * Runs in the slot process. One engine call prepares the rows if the job asks for it, one forecasts. Then the
 * explanation, the analyses, the report pages and the description of the files are made.
 */
export async function runForecast (task: ForecastTask, engineTask: EngineTask): Promise<PipelineResult> {
  const { options, prepared } = await beginForecast(task, engineTask)
  const summary = await forecast(options, engineTask)
  return await concludeForecast(task, await forecastFacts(task, prepared), summary)
}

/** Prepares the rows, and makes the folder of the analyses. */
export async function beginForecast (task: AnyTask, engineTask: EngineTask): Promise<BegunForecast> {
  const { inputPaths, format, compression, spec, limits: { maxCsvBytes: _, ...limits }, threads } = task
  const paths = pathsIn(task.outputFolder)
  if (task.model !== undefined) await checkModel(task.model)
  await makeAnalysesFolder(task)
  const surveyed = takeSurveyed(task.outputFolder)
  const prepared = surveyed?.prepared ??
    await prepareInput({ inputPaths, format, compression, spec, limits, threads }, paths.prepared, engineTask)
  return { prepared, options: { ...prepared.options, ...outputOptions(task), ...defined({ kept: surveyed?.kept }) } }
}

export async function makeAnalysesFolder ({ outputFolder, spec }: AnyTask): Promise<void> {
  if (spec.explainability !== undefined) await mkdir(pathsIn(outputFolder).analyses, { recursive: true, mode: 0o700 })
}

/** The options of the engine that do not concern the input. */
export function outputOptions (task: AnyTask): Omit<ForecastOptions, keyof PreparedInput['options']> {
  const { limits: { maxCsvBytes }, budgetSeconds, shardSeconds, rollingRegressionAllowed } = task
  const paths = pathsIn(task.outputFolder)
  return {
    ...{ parquetPath: paths.table, csvPath: paths.csv, reportPath: paths.report, findingsPath: paths.findings },
    ...{ maxCsvBytes, budgetSeconds },
    ...defined({ shardSeconds, modelPath: task.model?.path, valuesPath: task.valuesPath }),
    ...(task.spec.explainability === undefined
      ? {}
      : { analyses: { folder: paths.analyses, rollingRegressionAllowed } })
  }
}

/** Call it when the engine has read the rows. Removes them if they were prepared. */
export async function forecastFacts ({ outputFolder, valuesPath }: AnyTask,
  { preparation, warnings, seconds }: PreparedInput): Promise<ForecastFacts> {
  if (preparation !== undefined) await removePrepared(pathsIn(outputFolder).prepared)
  const external = valuesPath === undefined ? undefined : await readValuesDocument(valuesPath)
  return {
    prepared: { warnings, seconds, ...defined({ report: preparation }) },
    ...(external === undefined ? {} : { external: { report: external.report, warnings: external.warnings } })
  }
}

/** Explains the forecast, and makes pages and analyses, once the engine has written its files. */
export async function concludeForecast (task: AnyTask, { prepared, external }: ForecastFacts,
  summary: ForecastSummary): Promise<PipelineResult> {
  const { spec: { explainability, columns: { target } } } = task
  const paths = pathsIn(task.outputFolder)
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
    ...(prepared.report === undefined ? {} : { prepare: prepared.seconds }),
    explain: (summary.timings.explain ?? 0) + (performance.now() - startedMs) / 1000
  }
  // Warnings about covariates from outside come before the engine's warnings about the data.
  const warnings = [...external?.warnings ?? [], ...prepared.warnings, ...summary.warnings,
    ...(warning === undefined ? [] : [warning])]
  const result = {
    ...{ numItems, datasetHash, timings, warnings },
    ...defined({
      preparation: prepared.report,
      externalCovariates: external?.report,
      reconciliation,
      explainability: analysed?.outcome,
      explanation
    })
  }
  await writePage(task, paths, result, defined({ keys, meanError }))
  return { files: [...await describeFiles(paths, summary), ...analysed?.files ?? []], ...result }
}

async function writePage (task: AnyTask, paths: Paths, result: Omit<PipelineResult, 'files'> & { numItems: number },
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
