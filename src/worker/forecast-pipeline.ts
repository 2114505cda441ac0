import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PreparationReport, PreparationSpec } from '../domain/preparation-spec.ts'
import { engineVersion, forecast, type EngineTask } from '../engine/index.ts'
import { explainabilityFolder } from '../platform/store/keys.ts'
import type { CombinedFacts } from '../report/forecast/combined-text.ts'
import type { ForecastReport } from '../report/forecast/forecast-report.ts'
import { renderForecastReport } from '../report/forecast/render-forecast-report.ts'
import { readValuesDocument } from '../sources/covariates/gather/values-file.ts'
import { analyseForecast } from './analyse-forecast.ts'
import { checkModel } from './check-model.ts'
import { csvSize } from './csv-size.ts'
import { csvType, describeFile, htmlType, jsonType, parquetType } from './describe-file.ts'
import { explainForecast } from './explain-forecast.ts'
import { prepareInput, removePrepared } from './prepared-input.ts'
import { readAnalyses } from './publish-analyses.ts'
import type { ForecastTask, PipelineResult } from './slot-messages.ts'
import { takeSurveyed } from './surveyed-input.ts'
import { defined } from '../platform/defined.ts'

/**
 * Runs in the slot process. One engine call prepares the rows if the job asks for it, one forecasts. Then the
 * explanation, the analyses, the report pages and the description of the files are made.
 */
export async function runForecast (task: ForecastTask, engineTask: EngineTask): Promise<PipelineResult> {
  const {
    inputPaths,
    format,
    compression,
    spec,
    limits: { maxCsvBytes, ...limits },
    threads,
    outputFolder,
    budgetSeconds,
    model,
    valuesPath,
    configHash = null,
    modelVersion = null
  } = task
  const { explainability, columns: { target } } = spec
  const parquetPath = join(outputFolder, 'forecast.parquet')
  const csvPath = join(outputFolder, 'forecast.csv')
  const [reportPath, pagePath] = [join(outputFolder, 'report.json'), join(outputFolder, 'report.html')]
  const [findingsPath, folder] = [join(outputFolder, 'findings.json'), join(outputFolder, explainabilityFolder)]
  if (model !== undefined) await checkModel(model)
  if (explainability !== undefined) await mkdir(folder, { mode: 0o700 })
  const preparedPath = join(outputFolder, 'prepared.parquet')
  const surveyed = takeSurveyed(outputFolder)
  const prepared = surveyed?.prepared ??
    await prepareInput({ inputPaths, format, compression, spec, limits, threads }, preparedPath, engineTask)
  const summary = await forecast({
    ...prepared.options,
    ...{ parquetPath, csvPath, maxCsvBytes, reportPath, budgetSeconds, findingsPath },
    ...(model === undefined ? {} : { modelPath: model.path }),
    ...defined({ valuesPath }),
    ...(surveyed === undefined ? {} : { kept: surveyed.kept }),
    ...(explainability === undefined
      ? {}
      : { analyses: { folder, rollingRegressionAllowed: task.rollingRegressionAllowed } })
  }, engineTask)
  await removePrepared(preparedPath)
  const reconciliation = defined({ reconciliation: summary.reconciliation })
  const startedMs = performance.now()
  const found = explainability === undefined
    ? undefined
    : await readAnalyses({ folder, spec: explainability, of: { target, freq: summary.freq } })
  const { explanation, keys, warning } = await explainForecast(findingsPath, {
    ...reconciliation,
    ...(found === undefined ? {} : { analyses: found.document })
  })
  const analysed = found === undefined ? undefined : await analyseForecast(found, keys)
  const { numItems, datasetHash } = summary
  const timings = {
    ...summary.timings,
    ...(prepared.preparation === undefined ? {} : { prepare: prepared.seconds }),
    explain: (summary.timings.explain ?? 0) + (performance.now() - startedMs) / 1000
  }
  const external = valuesPath === undefined ? undefined : await readValuesDocument(valuesPath)
  // Warnings about covariates from outside come before the engine's warnings about the data.
  const warnings = [...external?.warnings ?? [], ...prepared.warnings, ...summary.warnings,
    ...(warning === undefined ? [] : [warning])]
  const report = JSON.parse(await readFile(reportPath, 'utf8')) as ForecastReport
  await writeFile(pagePath, renderForecastReport(report, {
    ...{
      series: numItems,
      quantileLevels: spec.quantileLevels,
      warnings,
      timings,
      datasetHash,
      configHash,
      modelVersion,
      engineVersion: engineVersion()
    },
    ...reconciliation,
    ...(spec.preparation === undefined || prepared.preparation === undefined
      ? {}
      : { combined: combinedFacts(spec.preparation, prepared.preparation) }),
    ...(external === undefined ? {} : { externalSources: external.report.sources }),
    ...defined({ explanation })
  }))
  const table = await describeFile(parquetPath, parquetType)
  const files = [
    summary.csvWritten ? table : { ...table, csvBytes: await csvSize(parquetPath) },
    await describeFile(reportPath, jsonType),
    await describeFile(pagePath, htmlType)
  ]
  if (summary.csvWritten) files.push(await describeFile(csvPath, csvType))
  return {
    ...{ files: [...files, ...analysed?.files ?? []], numItems, datasetHash, timings, warnings },
    ...defined({ preparation: prepared.preparation }),
    ...(external === undefined ? {} : { externalCovariates: external.report }),
    ...reconciliation,
    ...(analysed === undefined ? {} : { explainability: analysed.outcome }),
    ...defined({ explanation })
  }
}

function combinedFacts ({ step, aggregate, across = aggregate }: PreparationSpec,
  { rowsCombinedAcross = 0 }: PreparationReport): CombinedFacts {
  return { overSeries: rowsCombinedAcross > 0, step, across, aggregate }
}
