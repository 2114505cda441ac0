import type { ForecastSpec } from '../../domain/forecast-spec.ts'
import { isTabular, type JobSpec } from '../../domain/job.ts'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { CovariateDesk } from '../../sources/covariates/covariate-desk.ts'
import { checkSheetName } from '../forecasts/input-format.ts'
import type { FindModel } from '../forecasts/use-model.ts'
import { covariateCount } from '../jobs/job-cost.ts'
import type { JobService } from '../jobs/job-service.ts'
import type { ObjectService } from '../objects/object-service.ts'
import { costOf, type Cost } from './cost.ts'
import { resolveEstimate, type EstimateRequest } from './estimate-request.ts'
import { estimateSeconds, type SecondsEstimate } from './estimate-seconds.ts'
import { peakMemoryBytes } from './peak-memory.ts'
import type { TimingLedger } from './timing-ledger.ts'
import { forecastWorkload, tableWorkload, type ForecastCounts, type TableCounts, type Workload } from './workload.ts'

export interface RuntimeEstimate {
  seconds: SecondsEstimate
  queueWaitSeconds: number
  withinTimeBudget: boolean
  peakMemoryBytes: number
}

/** Drops stages that similar jobs had and this job will not have. */
function ownStages (spec: JobSpec, stages: Record<string, number>): Record<string, number> {
  const isAbsent = (stage: string): boolean =>
    !isTabular(spec) &&
    ((stage === 'covariates' && spec.externalCovariates === undefined) ||
      (stage === 'reconcile' && spec.reconciliation === undefined))
  return Object.fromEntries(Object.entries(stages).filter(([stage]) => !isAbsent(stage)))
}

interface EstimateDeps {
  config: Config
  ledger: TimingLedger
  jobs: JobService
  objects: ObjectService
  covariates: CovariateDesk
}

interface Sized {
  spec: JobSpec
  workload: Workload
  counts: ForecastCounts | TableCounts
}

/** Estimates what a job will take, from similar jobs that ran here. */
export class EstimateService {
  readonly #deps: EstimateDeps

  constructor (deps: EstimateDeps) {
    this.#deps = deps
  }

  async runtime (tenant: string, request: EstimateRequest, findModel: FindModel): Promise<RuntimeEstimate> {
    const { ledger, config } = this.#deps
    const { spec, workload } = await this.#size(tenant, request, findModel)
    const seconds = estimateSeconds(workload, ledger.samples(workload.kind))
    return {
      seconds: { ...seconds, stages: ownStages(spec, seconds.stages) },
      queueWaitSeconds: this.#queueWait(seconds.p50),
      withinTimeBudget: seconds.p90 <= config.JOB_BUDGET_SECONDS,
      peakMemoryBytes: peakMemoryBytes(workload)
    }
  }

  /** For a forecast whose data are known. */
  forecast (spec: ForecastSpec, counts: ForecastCounts): { seconds: SecondsEstimate, cost: Cost } {
    const workload = forecastWorkload(counts, spec)
    const seconds = estimateSeconds(workload, this.#deps.ledger.samples(workload.kind))
    return { seconds, cost: this.#price(spec, counts, seconds) }
  }

  async cost (tenant: string, request: EstimateRequest, findModel: FindModel): Promise<Cost> {
    const { spec, workload, counts } = await this.#size(tenant, request, findModel)
    return this.#price(spec, counts, estimateSeconds(workload, this.#deps.ledger.samples(workload.kind)))
  }

  #price (spec: JobSpec, counts: ForecastCounts | TableCounts, { p50 }: SecondsEstimate): Cost {
    const { config } = this.#deps
    const { RATE_CARD_VERSION: version, CPU_SECOND_PRICE: price, CURRENCY: currency } = config
    const perCpuSecond = price === '' ? null : Number(price)
    return costOf(spec, counts, p50 * config.SLOT_THREADS, {
      version,
      perCpuSecond,
      currency: currency === '' ? null : currency
    })
  }

  async #size (tenant: string, request: EstimateRequest, findModel: FindModel): Promise<Sized> {
    const { spec, data } = resolveEstimate(request, findModel, this.#deps.covariates)
    if ('table' in data && isTabular(spec)) {
      return {
        spec,
        workload: tableWorkload(data.table, spec.task, spec.explainability !== undefined),
        counts: data.table
      }
    }
    if ('counts' in data && !isTabular(spec)) {
      return { spec, workload: forecastWorkload(data.counts, spec), counts: data.counts }
    }
    if (!('objectId' in data)) throw new Error('the counts are not those of this job')
    const { jobs, objects, config } = this.#deps
    const object = await objects.asInput(tenant, data.objectId)
    checkSheetName(object.format, spec)
    if (object.bytes > config.SYNC_CHECK_MAX_BYTES) {
      throw new TabcastError('file_too_large',
        `An object of more than ${config.SYNC_CHECK_MAX_BYTES} bytes is not read for an estimate.`, {
        suggestion: isTabular(spec)
          ? 'Give rows and columns instead of object_id.'
          : 'Give num_items and total_rows instead of object_id.'
      })
    }
    const { profile } = await jobs.check(tenant, object, spec)
    if (profile === null) throw new Error('a full check came back without a profile')
    if (isTabular(spec) && 'columns' in profile) {
      return { spec, workload: tableWorkload(profile, spec.task, spec.explainability !== undefined), counts: profile }
    }
    if (isTabular(spec) || !('series' in profile)) throw new Error('the profile is not that of this job')
    const counts = { ...profile, covariates: covariateCount(spec) }
    return { spec, workload: forecastWorkload(counts, spec), counts }
  }

  /** Waiting jobs share all slots. Without a free slot, one has to become free first. */
  #queueWait (ownSeconds: number): number {
    const { jobs, ledger } = this.#deps
    const { waiting, slots, freeSlots } = jobs.state()
    if (waiting === 0 && freeSlots > 0) return 0
    const mean = ledger.meanSeconds() ?? ownSeconds
    return (waiting + 0.5) * mean / Math.max(1, slots)
  }
}
