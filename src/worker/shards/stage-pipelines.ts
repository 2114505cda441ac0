import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ResultFile } from '../../domain/files.ts'
import { forecastShard, joinShards, planShards, type EngineTask } from '../../engine/index.ts'
import { defined } from '../../platform/defined.ts'
import { planFile } from '../../platform/store/keys.ts'
import { checkModel } from '../check-model.ts'
import { describeFile, parquetType } from '../describe-file.ts'
import { scaledTimings } from './scaled-timings.ts'
import { beginForecast, concludeForecast, forecastFacts, makeAnalysesFolder,
  outputOptions } from '../forecast-pipeline.ts'
import type { JoinOutcome, JoinTask, Part, PlanOutcome, PlanTask, ShardOutcome, ShardTask } from '../slot-messages.ts'

/* The stages of a forecast in shards. They run in slot processes. */

/** Reads the input, learns, and writes the plan and the rows of its shards. */
export async function runPlan (task: PlanTask, engineTask: EngineTask): Promise<PlanOutcome> {
  const { planFolder } = task
  const { options, prepared } = await beginForecast(task, engineTask)
  const { shards, summary } = await planShards({ ...options, planFolder }, engineTask)
  const known = await forecastFacts(task, prepared)
  if (summary !== undefined) return { shards: 1, result: await concludeForecast(task, known, summary) }
  const { sha256 } = await describeFile(join(planFolder, planFile), parquetType)
  return { shards, known, sha256 }
}

/** Forecasts the series of a shard. */
export async function runShard (task: ShardTask, engineTask: EngineTask): Promise<ShardOutcome> {
  const { kind: _, model, ...options } = task
  if (model !== undefined) await checkModel(model)
  const { timings } = await forecastShard({ ...options, modelPath: model?.path ?? null }, engineTask)
  const names = await readdir(task.folder)
  return {
    files: await Promise.all(names.sort().map((name) => describeFile(join(task.folder, name), parquetType))),
    timings
  }
}

/** Puts the parts together, and does what follows every forecast. */
export async function runJoin (task: JoinTask, engineTask: EngineTask): Promise<JoinOutcome> {
  const { planPath, explainedPath, parts, partsSeconds, known, threads, model } = task
  const bad = await badParts(parts)
  if (bad.length > 0) return { bad }
  if (model !== undefined) await checkModel(model)
  await makeAnalysesFolder(task)
  const summary = await joinShards({
    ...outputOptions(task),
    ...{ planPath, explainedPath, parts: parts.map(({ folder }) => folder), threads },
    ...defined({ modelPath: model?.path })
  }, engineTask)
  const timings = scaledTimings(summary.timings, parts.map((part) => part.timings), partsSeconds)
  return { result: await concludeForecast(task, known, { ...summary, timings }) }
}

/** Parts come from a store, and the engine could only guess which one is damaged. */
async function badParts (parts: readonly Part[]): Promise<number[]> {
  const bad: number[] = []
  for (const [shard, { folder, files }] of parts.entries()) {
    for (const file of files) {
      if (await isSame(join(folder, file.name), file)) continue
      bad.push(shard)
      break
    }
  }
  return bad
}

async function isSame (path: string, { bytes, sha256 }: ResultFile): Promise<boolean> {
  const now = await describeFile(path, parquetType)
  return now.bytes === bytes && now.sha256 === sha256
}
