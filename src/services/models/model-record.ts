import type { ModelFile } from '../../domain/files.ts'
import type { ForecastSpec } from '../../domain/forecast-spec.ts'
import type { TrainedModel } from '../../domain/job-result.ts'
import { isTabular } from '../../domain/job.ts'
import { jobPrefix, modelFileName, outputKey } from '../../platform/store/keys.ts'
import type { JobRecord } from '../jobs/job-record.ts'

/**
 * The record of one fine-tuned model, in LMDB under [tenant, modelId]. The end of the training job creates it, and it
 * never changes. Times are milliseconds since 1970, UTC.
 */
export interface ModelRecord {
  v: 1
  modelId: string
  tenant: string
  /** The id of the API key that requested the training. */
  keyId: string
  name: string | null
  createdAtMs: number
  /** null: it is kept until it is deleted. */
  expiresAtMs: number | null
  /** The request of the training. */
  spec: ForecastSpec
  trained: TrainedModel
  /** The number of series in the dataset. */
  numItems: number | null
  datasetHash: string | null
  file: ModelFile
}

/** Callers send ids too, and LMDB refuses keys that it cannot store, such as a NUL. */
export function isModelId (text: string): boolean {
  return /^ft_[0-9A-HJKMNP-TV-Z]{26}$/.test(text)
}

/** A job trains at most one model, however often it runs, so the model's id follows from the job's. */
export function modelIdOf (jobId: string): string {
  return jobId.replace(/^job_/, 'ft_')
}

/** The model of a completed job; undefined when the job trained none. */
export function trainedModel (job: JobRecord, ttlMs: number): ModelRecord | undefined {
  const { tenant, jobId, keyId, name, spec, trained, numItems, datasetHash, winner, files } = job
  const file = files.find((one) => one.name === modelFileName)
  if (job.status !== 'completed' || trained === undefined || isTabular(spec) || file === undefined || winner === null) {
    return undefined
  }
  const modelId = modelIdOf(jobId)
  const createdAtMs = job.completedAtMs ?? job.createdAtMs
  const key = outputKey(jobPrefix(tenant, jobId), winner, modelFileName)
  return {
    v: 1,
    modelId,
    tenant,
    keyId,
    name,
    createdAtMs,
    expiresAtMs: ttlMs === 0 ? null : createdAtMs + ttlMs,
    spec,
    trained,
    numItems,
    datasetHash,
    file: { modelId, key, bytes: file.bytes, sha256: file.sha256, features: trained.features.length }
  }
}
