import { mkdirSync } from 'node:fs'
import { analyses, type ExplainabilitySpec } from '../../src/domain/explainability-spec.ts'
import { createTask } from '../../src/engine/index.ts'
import { runForecast } from '../../src/worker/forecast-pipeline.ts'
import type { PipelineResult } from '../../src/worker/slot-messages.ts'

export interface BenchJob {
  inputPath: string
  outputFolder: string
  horizon: number
  covariates?: string[]
  freq?: string
  threads: number
  /** Without it the forecast is explained in words alone. */
  isAnalysed: boolean
}

const explainability: ExplainabilitySpec = {
  analyses: [...analyses],
  trailingHistorySteps: null,
  maxRows: 5000,
  maxFeatures: 25,
  topKFeatures: 15,
  shapSampleSize: 512
}

/** What a worker does for a job of the preset `balanced`, in this process. */
export async function runJob (
  { inputPath, outputFolder, horizon, covariates = [], freq, threads, isAnalysed }: BenchJob
): Promise<PipelineResult> {
  mkdirSync(outputFolder, { recursive: true })
  return await runForecast({
    kind: 'forecast',
    ...{
      inputPaths: [inputPath],
      format: 'csv',
      compression: null,
      threads,
      outputFolder,
      budgetSeconds: 600,
      rollingRegressionAllowed: true
    },
    spec: {
      ...{ predictionLength: horizon, preset: 'balanced', freq: freq ?? null },
      columns: { itemId: 'item_id', timestamp: 'timestamp', target: 'target', covariates },
      ...{
        quantileLevels: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
        timestampFormat: 'pandas',
        quantileColumnStyle: 'raw'
      },
      ...(isAnalysed ? { explainability } : {})
    },
    limits: {
      maxRows: 1e8,
      maxColumns: 1000,
      maxCellChars: 65_536,
      maxSeries: 1e7,
      maxForecastPoints: 1e8,
      maxOutputBytes: 2 ** 34,
      maxCsvBytes: 2 ** 31
    }
  }, createTask())
}
