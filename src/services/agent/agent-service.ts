import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import type { ForecastSpec } from '../../domain/forecast-spec.ts'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import type { CovariateDesk } from '../../sources/covariates/covariate-desk.ts'
import type { KnownSources } from '../../sources/covariates/resolve-external-covariates.ts'
import type { EstimateService } from '../estimates/estimate-service.ts'
import { acceptForecast } from '../forecasts/accept-forecast.ts'
import type { ForecastRequest } from '../forecasts/forecast-request.ts'
import { resolveForecast } from '../forecasts/resolve-forecast.ts'
import type { Checked } from '../jobs/check-content.ts'
import type { JobService, SpooledFile, StagedUpload } from '../jobs/job-service.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'
import { rowChecker } from './check-rows.ts'
import { suggestCovariates, type CovariateSuggestion } from './covariate-suggestions.ts'
import { type DatasetProfile, toDatasetProfile } from './dataset-profile.ts'
import { askModel, type LanguageModel } from './language-model/language-model.ts'
import { obstaclesOf, refuseObstacles, type ObstacleInput } from './obstacles.ts'
import { readDataset, type DatasetReading } from './read-dataset.ts'
import { acceptedForecast, type AcceptedForecast } from '../recommendations/accepted-forecast.ts'
import { combinedSteps } from '../recommendations/combined-steps.ts'
import type { RecommendationInput, RecommendedConfig } from '../recommendations/recommendation.ts'
import { stepsWanted } from '../recommendations/steps-ahead.ts'
import { settleIntent, type GivenFields } from './settle-intent.ts'
import { validateIntent, type PartialIntent } from './validate-intent.ts'
import { wishErrors, wishRefusal, type WishSource } from './wish-refusal.ts'

export const maxPromptBytes = 64 * 1024
/** Prompts of more characters are read by rules alone. */
const maxModelPrompt = 4 * 1024

export interface AgentDeps {
  config: Config
  queue: ApiQueue
  jobs: JobService
  budgets: Pick<CpuBudgets, 'spend'>
  estimates: EstimateService
  covariates: CovariateDesk
  /** The operator's language model; null: only rules read prompts. */
  model: LanguageModel | null
}

export interface AgentAnswer {
  intent: ForecastIntent
  columns: string[]
  /** undefined: the target, the timestamps or the series were not found. */
  profile: DatasetProfile | undefined
  generatedBy: 'rules' | 'model'
  suggestions: CovariateSuggestion[]
  /**
   * Why the target, the timestamps or the series were not found, and why the language model was not used; one sentence
   * each.
   */
  warnings: string[]
}

export interface Analysis extends Omit<AcceptedForecast, 'refusal'> {
  suggestions: CovariateSuggestion[]
  /**
   * `plan` would refuse the prompt, or every forecast route would refuse the configuration. The first warnings say why.
   */
  requiresReview: boolean
  data: DataProfile
  profile: DatasetProfile
  estimate: { p50: number, p90: number, units: number }
}

/** A request for a forecast, by a prompt or an intent. Fields of the form settle a part of it. */
export interface AgentRequest {
  prompt: string
  /** The intent takes precedence over the prompt. */
  intent: PartialIntent | null
  given: GivenFields
}

/** A job that is ready to be submitted. */
export interface PlannedForecast {
  staged: StagedUpload
  spec: ForecastSpec
  /** undefined: there was no time to check all rows. */
  checked: Checked | undefined
  /** Notes for the caller, one sentence each. */
  notes: string[]
}

interface Understood extends DatasetReading {
  /** Why the language model was not used; one sentence each. */
  warnings: string[]
}

/** Turns a file and a prompt into a forecast: what to forecast, whether that is possible, and how. */
export class AgentService {
  readonly #deps: AgentDeps

  constructor (deps: AgentDeps) {
    this.#deps = deps
  }

  /** Reads what the prompt asks for. The file is deleted afterwards. */
  async extract (tenant: string, upload: SpooledFile, prompt: string): Promise<AgentAnswer> {
    const { profile, intent, generatedBy, warnings } = await this.#once(tenant, upload, prompt,
      (staged) => this.#understand(tenant, staged, prompt, {}))
    const suggestions = await this.#suggest(columnNames(profile), profile.series?.freq ?? null,
      profile.series?.maxLength ?? 0, intent.user_constraints)
    return {
      intent,
      columns: columnNames(profile),
      profile: toDatasetProfile(profile),
      generatedBy,
      suggestions,
      warnings: [...profile.unreadable === null ? [] : [profile.unreadable], ...warnings]
    }
  }

  /** Checks whether an intent can be run, only from what the client tells about its data. */
  async validate (intent: PartialIntent, columns: string[], profile: DatasetProfile | undefined): Promise<AgentAnswer> {
    const validated = validateIntent(intent, columns, profile)
    const suggestions = await this.#suggest(columns, profile?.inferred_freq_str ?? null, profile?.max_length ?? 0,
      validated.user_constraints)
    return { intent: validated, columns, profile, generatedBy: 'rules', suggestions, warnings: [] }
  }

  /** Recommends how to forecast the file, and estimates the cost. The file is deleted afterwards. */
  async analyze (tenant: string, upload: SpooledFile,
    { prompt, given }: Omit<AgentRequest, 'intent'>): Promise<Analysis> {
    return await this.#once(tenant, upload, prompt, async (staged) => {
      const { profile: data, intent, warnings } = await this.#understand(tenant, staged, prompt, given.columns)
      const profile = toDatasetProfile(data)
      const asked = intent.clarification_questions.find(({ field }) => field === 'forecast_target')
      const settled = settleIntent({
        ...intent,
        forecast_target: intent.forecast_target ?? asked?.suggestions[0] ?? data.roles.target,
        time_column: intent.time_column ?? data.roles.timestamp
      }, given)
      if (profile === undefined || settled.forecast_target === null || settled.time_column === null) {
        throw unreadable(data)
      }
      const { check } = rowChecker(this.#deps.jobs, tenant, staged,
        (config) => resolved(config, {}, this.#deps.covariates))
      const { refusal, ...recommendation } = await acceptedForecast(this.#input(settled, data, given, true), check)
      const { seconds: { p50, p90 }, cost: { units } } = this.#estimate(recommendation.config, recommendation.counts)
      const refused = refusal === null ? [] : [`A forecast of these data is refused: ${refusal.message}`]
      const obstacles = obstaclesOf(this.#obstacleInput(settled, data, given, 'prompt'))
      const suggestions = await this.#suggest(columnNames(data), data.series?.freq ?? null, data.series?.maxLength ?? 0,
        settled.user_constraints)
      return {
        ...recommendation,
        suggestions,
        requiresReview: refusal !== null || obstacles.length > 0,
        warnings: [...obstacles.map(({ sentence }) => sentence), ...refused, ...warnings, ...recommendation.warnings],
        data,
        profile,
        estimate: { p50, p90, units }
      }
    })
  }

  /**
   * Stores the file and plans its forecast. Throws validation_error, and removes the file, if the forecast would be
   * based on a guess. `options` are fields of a forecast request that the caller sets itself.
   */
  async plan (tenant: string, upload: SpooledFile, request: AgentRequest,
    options: Partial<ForecastRequest>): Promise<PlannedForecast> {
    const { jobs } = this.#deps
    const { prompt, intent: wanted, given } = request
    checkPrompt(prompt)
    const staged = await jobs.stage(tenant, upload)
    try {
      const columns = wanted === null ? given.columns : { ...columnsOf(wanted), ...given.columns }
      const reading = await this.#understand(tenant, staged, wanted === null ? prompt : '', columns)
      const data = reading.profile
      if (data.series === null) throw unreadable(data)
      const source = wanted === null ? 'prompt' : 'intent'
      const intent = wanted === null ? settleIntent(reading.intent, given) : confirmedIntent(wanted, data, given)
      refuseObstacles(this.#obstacleInput(intent, data, given, source))
      if (intent.forecast_target === null || intent.time_column === null) throw unreadable(data)
      if (wanted !== null && stepsWanted(intent, data, combinedSteps(intent, data)) === undefined) {
        throw noHorizon(intent)
      }
      return {
        staged,
        ...await this.#planned(tenant, staged, this.#input(intent, data, given, wanted === null), options, source,
          reading.warnings)
      }
    } catch (error) {
      await jobs.unstage(tenant, staged)
      throw error
    }
  }

  /**
   * Plans the forecast with what the rows allow. Throws a refusal of the rows as an error about the wish that causes
   * it.
   */
  async #planned (tenant: string, staged: StagedUpload, input: RecommendationInput, options: Partial<ForecastRequest>,
    source: WishSource, warnings: string[]): Promise<Omit<PlannedForecast, 'staged'>> {
    const rows = rowChecker(this.#deps.jobs, tenant, staged,
      (config) => resolved(config, options, this.#deps.covariates))
    try {
      const { config, refusal, warnings: own } = await acceptedForecast(input, rows.check)
      if (refusal !== null) throw wishRefusal(refusal, input.intent, source)
      return {
        spec: await acceptForecast(tenant, forecastRequest(config, options), () => undefined, this.#deps.covariates),
        checked: rows.last(),
        notes: [...warnings, ...own]
      }
    } catch (error) {
      throw wishErrors(error, input.intent, source)
    }
  }

  /** Stages the file only while `work` runs. */
  async #once<T> (tenant: string, upload: SpooledFile, prompt: string,
    work: (staged: StagedUpload) => Promise<T>): Promise<T> {
    const { jobs } = this.#deps
    checkPrompt(prompt)
    const staged = await jobs.stage(tenant, upload)
    try {
      return await work(staged)
    } finally {
      await jobs.unstage(tenant, staged)
    }
  }

  /**
   * Reads the prompt by rules and, if there is one, with the operator's language model. A worker reads the prompt both
   * before and after the model's answer. If the model fails, the intent is that of the rules.
   */
  async #understand (tenant: string, staged: StagedUpload, prompt: string,
    columns: GivenFields['columns']): Promise<Understood> {
    const { model } = this.#deps
    const asksModel = model !== null && prompt !== '' && prompt.length <= maxModelPrompt
    const reading = await readDataset(this.#deps, tenant, staged, {
      prompt,
      columns,
      ...(asksModel ? { asksModel } : {})
    })
    if (model === null || reading.question === null) return { ...reading, warnings: [] }
    const { answer, warnings } = await askModel(model, tenant, reading.question)
    const filled = answer === null
      ? reading
      : await readDataset(this.#deps, tenant, staged, { prompt, columns, answer })
    return { ...filled, warnings: warnings.map(({ message }) => message) }
  }

  async #suggest (columns: string[], freq: string | null, length: number,
    constraints: readonly string[]): Promise<CovariateSuggestion[]> {
    const { covariates } = this.#deps
    // If covariates cannot be listed, none are suggested; the rest of the answer does not need them.
    await covariates.refresh().catch((error: unknown) => {
      if (!(error instanceof TabcastError)) throw error
    })
    return suggestCovariates({
      columns,
      freq,
      length,
      constraints,
      isAvailable: (kind) => covariates.isAvailable(kind)
    })
  }

  #input (intent: ForecastIntent, data: DataProfile, { horizon }: GivenFields,
    addsCovariates: boolean): RecommendationInput {
    const p90Seconds: RecommendationInput['p90Seconds'] = (config, presets, counts) =>
      this.#estimate({ ...config, presets }, counts).seconds.p90
    return { intent, data, horizon, maxHorizon: this.#deps.config.MAX_HORIZON, addsCovariates, p90Seconds }
  }

  #obstacleInput (intent: ForecastIntent, data: DataProfile, { horizon }: GivenFields,
    source: WishSource): ObstacleInput {
    return { intent, data, horizon, maxHorizon: this.#deps.config.MAX_HORIZON, source }
  }

  #estimate (config: RecommendedConfig, counts: AcceptedForecast['counts']): ReturnType<EstimateService['forecast']> {
    return this.#deps.estimates.forecast(resolved(config, {}, this.#deps.covariates), counts)
  }
}

/** `options` are fields of a forecast request that the caller sets itself. */
function resolved (config: RecommendedConfig, options: Partial<ForecastRequest>, sources: KnownSources): ForecastSpec {
  return resolveForecast(forecastRequest(config, options), () => undefined, sources)
}

function forecastRequest (config: RecommendedConfig, options: Partial<ForecastRequest>): ForecastRequest {
  const { preparation, ...fields } = config
  const isNamed = options.reconciliation?.enabled === true && options.reconciliation.hierarchy_columns.length > 0
  // The columns of the hierarchy name the series already.
  const rows = preparation === null || !isNamed ? preparation : { ...preparation, series_columns: null }
  return { ...fields, preparation: rows, name: null, metadata: null, callback_url: null, ...options }
}

function confirmedIntent (wanted: PartialIntent, data: DataProfile, given: GivenFields): ForecastIntent {
  if (wanted.review_status === 'rejected') {
    const error = 'a rejected intent is not run'
    throw new TabcastError('validation_error', undefined, {
      fields: [{
        loc: ['body', 'intent', 'review_status'],
        msg: error,
        type: 'value_error',
        input: 'rejected',
        ctx: { error }
      }]
    })
  }
  return settleIntent(validateIntent(wanted, columnNames(data), toDatasetProfile(data)), given)
}

function noHorizon ({ horizon_quantity: quantity, horizon_unit: unit }: ForecastIntent): TabcastError {
  const error = `${quantity} ${unit} are no number of steps that can be forecast`
  return new TabcastError('validation_error', undefined, {
    fields: [{
      loc: ['body', 'intent', 'horizon_quantity'],
      msg: error,
      type: 'value_error',
      input: quantity,
      ctx: { error }
    }]
  })
}

function columnsOf (
  { forecast_target: target, time_column: timestamp, entity_columns: entities }: PartialIntent
): GivenFields['columns'] {
  const [itemId, ...others] = entities ?? []
  return {
    ...(target === undefined || target === null ? {} : { target }),
    ...(timestamp === undefined || timestamp === null ? {} : { timestamp }),
    ...(itemId === undefined || others.length > 0 ? {} : { itemId })
  }
}

function columnNames ({ columns }: DataProfile): string[] {
  return columns.map(({ name }) => name)
}

function checkPrompt (prompt: string): void {
  if (Buffer.byteLength(prompt) <= maxPromptBytes) return
  throw new TabcastError('validation_error', `The prompt has more than ${maxPromptBytes} bytes.`, {
    status: 413,
    suggestion: 'Say in a few sentences what to forecast, and how far.'
  })
}

function unreadable ({ roles, unreadable: reason, columns }: DataProfile): TabcastError {
  const field = roles.timestamp === null ? 'timestamp_column' : roles.target === null ? 'target_column' : 'file'
  const names = columns.slice(0, 20).map(({ name }) => name).join(', ')
  const what = reason ?? 'No series could be found in the file.'
  return new TabcastError('validation_error', undefined, {
    fields: [{
      loc: ['body', field],
      msg: `${what}${what.endsWith('.') ? '' : '.'} The file has the columns ${names}${
        field === 'file' ? '' : `; name the right one in ${field}`
      }.`,
      type: 'undetected_column'
    }]
  })
}
