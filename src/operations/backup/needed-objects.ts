import type { MetadataStore } from '../../platform/metadata/metadata-store.ts'
import { covariatesKey, jobPrefix, modelFileName, outputKey } from '../../platform/store/keys.ts'
import { isTerminal, storedInput, type JobRecord } from '../../services/jobs/job-record.ts'
import type { ModelRecord } from '../../services/models/model-record.ts'
import type { StoredObject } from '../../services/objects/object-record.ts'

export interface NeededObject {
  key: string
  /** null: not recorded. */
  bytes: number | null
  sha256: string | null
  of: string
  /** Losing it does no harm: it is made again, or it never arrived. */
  isOptional?: true
}

/**
 * The objects that the records need: inputs and models of jobs that have not ended, results of jobs that have, stored
 * files and fine-tuned models. A key may come twice.
 */
export function* neededObjects (metadata: MetadataStore): Generator<NeededObject, void, undefined> {
  for (const { value } of metadata.table<JobRecord>('jobs').range()) yield* ofJob(value)
  for (const { value: { key, status, fileSize, tenant, objectId } } of metadata.table<StoredObject>('objects')
    .range()) {
    const stored: NeededObject = { key, bytes: fileSize, sha256: null, of: `object ${tenant}/${objectId}` }
    if (status === 'uploaded') yield stored
    else if (status === 'presigned') yield { ...stored, isOptional: true }
  }
  for (const { value: { tenant, modelId, file } } of metadata.table<ModelRecord>('models').range()) {
    yield { key: file.key, bytes: file.bytes, sha256: file.sha256, of: `model ${tenant}/${modelId}` }
  }
}

function* ofJob (job: JobRecord): Generator<NeededObject, void, undefined> {
  const { tenant, jobId, winner, files, model } = job
  const of = `job ${tenant}/${jobId}`
  const prefix = jobPrefix(tenant, jobId)
  if (isTerminal(job)) {
    if (winner === null) return
    for (const { name, bytes, sha256 } of files) {
      // A trained model belongs to its own record and is deleted with that.
      if (name !== modelFileName) yield { key: outputKey(prefix, winner, name), bytes, sha256, of }
    }
    return
  }
  const input = storedInput(job)
  if (input !== undefined) yield { key: input.key, bytes: input.bytes, sha256: input.sha256, of }
  if (model !== undefined) yield { key: model.key, bytes: model.bytes, sha256: model.sha256, of }
  yield { key: covariatesKey(prefix), bytes: null, sha256: null, of, isOptional: true }
}
