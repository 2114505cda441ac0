import type { ForecastSummary, JoinOptions, Planned, ShardOptions, ShardSummary } from '../domain/engine-documents.ts'
import { call } from './call.ts'
import { createTask, type EngineTask } from './engine-task.ts'
import { forecastRequest, type AnalysesOptions, type ForecastOptions } from './engine.ts'

export interface PlanOptions extends ForecastOptions {
  /** An empty folder for `plan.bin`, `explained.bin` and `series-0.bin`, `series-1.bin` and so on. */
  planFolder: string
}

/** The parts, and where the joined files go. */
export interface JoinShardsOptions
  extends Pick<JoinOptions, 'planPath' | 'explainedPath' | 'parts' | 'threads' | 'budgetSeconds'>,
    Pick<ForecastOptions, 'parquetPath' | 'csvPath' | 'maxCsvBytes' | 'reportPath' | 'findingsPath' | 'modelPath'> {
  /** Needed for a plan with analyses: an existing folder, as for `forecast`. */
  analyses?: Pick<AnalysesOptions, 'folder'>
}

/**
 * Like `forecast`, but leaves a plan and the rows of its shards if there is more than one shard. Throws `EngineError`.
 */
export async function planShards (options: PlanOptions, task: EngineTask = createTask()): Promise<Planned> {
  const { planFolder: folder, kept } = options
  return await call('planShards', { ...forecastRequest(options), folder }, task, kept)
}

/** Forecasts one shard of a plan, and writes its part of the table. Throws `EngineError`. */
export async function forecastShard (options: ShardOptions, task: EngineTask = createTask()): Promise<ShardSummary> {
  const { planPath, seriesPath, folder, maxCsvBytes, modelPath, threads, budgetSeconds } = options
  return await call('forecastShard', {
    ...{ planPath, seriesPath, folder, maxCsvBytes, modelPath, threads, budgetSeconds }
  }, task)
}

/** Puts the parts of all shards together; the files are those of `forecast`. Throws `EngineError`. */
export async function joinShards (options: JoinShardsOptions,
  task: EngineTask = createTask()): Promise<ForecastSummary> {
  const { planPath, explainedPath, parts, threads, budgetSeconds, modelPath = null } = options
  const { parquetPath, csvPath, maxCsvBytes, reportPath, findingsPath = null, analyses } = options
  const analysesDir = analyses?.folder ?? null
  return await call('joinShards', {
    options: { planPath, explainedPath, parts, modelPath, threads, budgetSeconds },
    output: { parquetPath, csvPath, maxCsvBytes, reportPath, findingsPath, analysesDir }
  }, task)
}
