import type { Logger } from 'pino'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { Transaction } from '../../platform/metadata/metadata-store.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import { repeatSweep } from '../../platform/time/repeat-sweep.ts'
import type { FindModel } from '../forecasts/use-model.ts'
import type { ModelLedger } from './model-ledger.ts'
import { isModelId, type ModelRecord } from './model-record.ts'
import { ModelSweeper } from './model-sweeper.ts'
import { defined } from '../../platform/defined.ts'

interface FineTuningDeps {
  config: Config
  ledger: ModelLedger
  store: ObjectStore
  log: Logger
}

/**
 * Lists, deletes and finds the models that a tenant trained; jobs create them. An unknown model and one of another
 * tenant give the same error.
 */
export class FineTuningService {
  readonly #ledger: ModelLedger
  readonly #sweeper: ModelSweeper
  readonly #sweeps: { stop: () => Promise<void> }
  readonly #isEnabled: boolean
  readonly #log: Logger

  constructor ({ config, ledger, store, log }: FineTuningDeps) {
    this.#ledger = ledger
    this.#isEnabled = config.FINE_TUNE_ENABLED
    this.#log = log
    this.#sweeper = new ModelSweeper({ ledger, store, log })
    this.#sweeps = repeatSweep('model sweep', config.SWEEP_MS, log, () => this.#sweeper.run())
  }

  /** Throws fine_tune_disabled. */
  assertEnabled (): void {
    if (!this.#isEnabled) throw new TabcastError('fine_tune_disabled')
  }

  /** Throws validation_error when the tenant is at its limit of models. */
  assertRoom (tenant: string): void {
    this.#ledger.assertRoom(tenant)
  }

  get (tenant: string, modelId: string): ModelRecord {
    const record = this.#find(tenant, modelId)
    if (record === undefined) throw noSuchModel()
    return record
  }

  /** Newest training first. `next` is the `before` of the next page; null when there is none. */
  list (tenant: string, limit: number, before: string | null): { models: ModelRecord[], next: string | null } {
    return this.#ledger.list(tenant, limit, before)
  }

  /** Once it resolves, no new forecast can use the model. Its bytes stay for jobs that have not ended. */
  async delete (tenant: string, modelId: string, within?: (tx: Transaction) => void): Promise<void> {
    if (!isModelId(modelId) || !await this.#ledger.delete(tenant, modelId, within)) throw noSuchModel()
    try {
      await this.#sweeper.sweepBytes()
    } catch (error) {
      this.#log.warn({ modelId, err: error }, 'model deleted; its bytes are removed later')
    }
  }

  /** Finds the tenant's models for forecasts that name them. */
  finder (tenant: string): FindModel {
    return (modelId) => {
      const record = this.#find(tenant, modelId)
      if (record === undefined) return undefined
      const { spec, trained } = record
      const { preset: basePreset, predictionLength, columns, featureEngineering } = spec
      return {
        modelId,
        basePreset,
        predictionLength,
        freq: trained.freq,
        columns,
        covariates: trained.covariates,
        ...defined({ featureEngineering })
      }
    }
  }

  /** Removes expired models and due bytes. Also runs periodically. */
  async sweep (): Promise<void> {
    await this.#sweeper.run()
  }

  async stop (): Promise<void> {
    await this.#sweeps.stop()
  }

  #find (tenant: string, modelId: string): ModelRecord | undefined {
    return isModelId(modelId) ? this.#ledger.get(tenant, modelId) : undefined
  }
}

function noSuchModel (): TabcastError {
  return new TabcastError('not_found', 'No such model for this key.')
}
