import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { survey, type EngineTask } from '../engine/index.ts'
import { checkSpan } from '../sources/covariates/covariate-spans.ts'
import { gatherCovariates } from '../sources/covariates/gather/gather-covariates.ts'
import { AnswerCache } from '../sources/covariates/http/answer-cache.ts'
import { RelayedSource, type Relay } from '../sources/covariates/http/relayed-source.ts'
import { openRegistry } from '../sources/covariates/provider-registry.ts'
import { prepareInput } from './prepared-input.ts'
import type { GatherTask } from './slot-messages.ts'
import { keepSurveyed } from './surveyed-input.ts'

const MiB = 1024 * 1024
/** Caches the mounted catalogue for the jobs that this process computes one after the other. */
const columns = new AnswerCache(64 * MiB)
const answerBytes = 64 * MiB

/**
 * Runs in the slot process: finds out which locations and periods of a dataset need covariates from outside, and
 * collects the values. The worker makes the requests. Work that grows with the answers or the dataset is done here.
 */
export async function runGather (
  {
    kind: _kind,
    outputFolder,
    limits: { maxCsvBytes: _csv, ...limits },
    budgetSeconds: _budget,
    covariates,
    spans,
    valuesPath,
    patienceMs,
    ...task
  }: GatherTask,
  engineTask: EngineTask,
  relay: Relay,
  signal: AbortSignal
): Promise<null> {
  const endMs = performance.now() + patienceMs
  const path = join(outputFolder, 'surveyed.parquet')
  const { prepared, kept } = keepSurveyed(outputFolder, await prepareInput({ ...task, limits }, path, engineTask))
  const found = await survey(prepared.options, kept, engineTask)
  await rm(path, { force: true })
  checkSpan(found, spans)
  const cache = new AnswerCache(answerBytes)
  const registry = openRegistry({
    ...covariates,
    columns,
    sourceAt: (id, baseUrl) => new RelayedSource({ id, baseUrl, relay, cache })
  })
  const { externalCovariates: specs = [] } = task.spec
  await gatherCovariates({
    specs,
    survey: found,
    registry,
    path: valuesPath,
    signal,
    patienceMs: Math.max(1, Math.floor(endMs - performance.now()))
  })
  return null
}
