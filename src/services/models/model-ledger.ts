import type { ModelFile } from '../../domain/files.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import { UsedBytes } from '../../platform/store/used-bytes.ts'
import { noSuchPreset } from '../forecasts/presets.ts'
import type { JobFollower } from '../jobs/job-ledger.ts'
import type { JobRecord } from '../jobs/job-record.ts'
import { modelIdOf, trainedModel, type ModelRecord } from './model-record.ts'
import type { ModelExpiry, ModelSweep, ModelUse, TrainingEntry } from './tables.ts'

export interface ModelLedgerOptions {
  /** 0: models never expire. */
  ttlMs: number
  /** Limit for each tenant; models in training count. */
  maxModels: number
  /** Wall clock, in milliseconds. */
  now?: () => number
}

/**
 * The records of all fine-tuned models. Each method is one transaction and resolves once it is on disk. Changes that
 * follow a job are part of the job's transaction. Nothing else writes the tables of this folder.
 */
export class ModelLedger {
  readonly #metadata: MetadataStore
  readonly #options: ModelLedgerOptions
  readonly #now: () => number
  readonly #models: Table<ModelRecord>
  readonly #trainings: Table<TrainingEntry>
  readonly #expiry: Table<ModelExpiry>
  readonly bytes: UsedBytes<ModelUse, ModelSweep>

  constructor (metadata: MetadataStore, options: ModelLedgerOptions) {
    this.#metadata = metadata
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#models = metadata.table('models')
    this.#trainings = metadata.table('modelTrainings')
    this.#expiry = metadata.table('modelExpiry')
    this.bytes = new UsedBytes({
      metadata,
      uses: 'modelUses',
      sweeps: 'modelSweeps',
      sweepOf: (modelId) => ({ modelId }),
      idOf: ({ modelId }) => modelId,
      now: this.#now
    })
  }

  /** An expired model is gone, even before it is swept. */
  get (tenant: string, modelId: string): ModelRecord | undefined {
    const record = this.#models.get([tenant, modelId])?.value
    return record !== undefined && this.#isAlive(record) ? record : undefined
  }

  /** Newest training first; `next` is the `before` of the next page. */
  list (tenant: string, limit: number, before: string | null): { models: ModelRecord[], next: string | null } {
    const range = before === null
      ? { prefix: [tenant], reverse: true }
      : { start: [tenant], end: [tenant, before], reverse: true }
    const models: ModelRecord[] = []
    for (const { value } of this.#models.range(range)) {
      if (models.length === limit) return { models, next: models.at(-1)?.modelId ?? null }
      if (this.#isAlive(value)) models.push(value)
    }
    return { models, next: null }
  }

  /** Throws when the tenant is at its limit of models. */
  assertRoom (tenant: string): void {
    this.#assertRoom([...this.#models.range({ prefix: [tenant] })].map(({ value }) => value),
      this.#trainings.count({ prefix: [tenant] }))
  }

  /**
   * False when there is no such model. Once it resolves, no new forecast can use the model; accepted ones still run.
   */
  async delete (tenant: string, modelId: string, within?: (tx: Transaction) => void): Promise<boolean> {
    return await this.#metadata.transact((tx) => {
      const record = tx.get(this.#models, [tenant, modelId])?.value
      if (record === undefined || !this.#isAlive(record)) return false
      this.#remove(tx, record)
      within?.(tx)
      return true
    }, tenant)
  }

  /** Removes up to `limit` expired models and returns how many. */
  async expire (limit: number): Promise<number> {
    const due = [...this.#expiry.range({ end: [this.#now() + 1], limit })]
    if (due.length === 0) return 0
    return await this.#metadata.transact((tx) => {
      for (const { key, value } of due) {
        tx.delete(this.#expiry, key)
        const record = tx.get(this.#models, [value.tenant, String(key[1])])?.value
        if (record !== undefined) this.#remove(tx, record)
      }
      return due.length
    })
  }

  /** The key of the model that a job trained, which lies among the job's objects and outlives them. */
  keptKey (tenant: string, jobId: string): string | undefined {
    const modelId = modelIdOf(jobId)
    const [use] = this.bytes.uses.range({ prefix: [modelId], limit: 1 })
    return use?.value.key ?? this.#models.get([tenant, modelId])?.value.file.key
  }

  file (tenant: string, modelId: string): ModelFile | undefined {
    return this.get(tenant, modelId)?.file
  }

  /**
   * A completed training creates its model. A job that uses a model is only recorded while the model exists, and keeps
   * the model's bytes until it ends.
   */
  readonly follower: JobFollower = {
    created: (tx, { tenant, jobId, jobType, model }) => {
      if (jobType === 'fine_tune') {
        this.#assertRoom(tx.range(this.#models, { prefix: [tenant] }).map(({ value }) => value),
          tx.range(this.#trainings, { prefix: [tenant] }).length)
        tx.put(this.#trainings, [tenant, jobId], {})
      }
      if (model === undefined) return
      const record = tx.get(this.#models, [tenant, model.modelId])?.value
      if (record === undefined || !this.#isAlive(record)) throw noSuchPreset()
      tx.put(this.bytes.uses, [model.modelId, jobId], { key: model.key })
    },
    ended: (tx, job) => {
      this.#release(tx, job)
      const record = tx.delete(this.#trainings, [job.tenant, job.jobId])
        ? trainedModel(job, this.#options.ttlMs)
        : undefined
      if (record === undefined) return job
      tx.put(this.#models, [record.tenant, record.modelId], record)
      if (record.expiresAtMs !== null) {
        tx.put(this.#expiry, [record.expiresAtMs, record.modelId], { tenant: record.tenant })
      }
      return { ...job, modelVersion: record.modelId }
    },
    buried: (tx, job) => {
      this.#release(tx, job)
      tx.delete(this.#trainings, [job.tenant, job.jobId])
    }
  }

  #remove (tx: Transaction, { tenant, modelId, expiresAtMs, file }: ModelRecord): void {
    tx.delete(this.#models, [tenant, modelId])
    if (expiresAtMs !== null) tx.delete(this.#expiry, [expiresAtMs, modelId])
    this.bytes.schedule(tx, this.#now(), file.key, modelId)
  }

  #release (tx: Transaction, { tenant, jobId, model }: JobRecord): void {
    if (model === undefined) return
    const { modelId: id, key } = model
    this.bytes.release(tx, { id, jobId, key }, () => tx.get(this.#models, [tenant, id]) !== undefined)
  }

  #isAlive ({ expiresAtMs }: ModelRecord): boolean {
    return expiresAtMs === null || expiresAtMs > this.#now()
  }

  #assertRoom (models: readonly ModelRecord[], inTraining: number): void {
    const { maxModels } = this.#options
    if (models.filter((record) => this.#isAlive(record)).length + inTraining < maxModels) return
    throw new TabcastError('validation_error',
      `A tenant has at most ${maxModels} fine-tuned models, those in training included.`, {
      status: 400,
      suggestion: 'Delete a model that is not used any more: DELETE /fine-tune/models/{model_id}.'
    })
  }
}
