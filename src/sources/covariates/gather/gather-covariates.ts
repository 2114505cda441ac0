import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { externalColumnCount, type CovariateGrid, type CovariateSourceReport, type CovariateSurvey,
  type ExternalCovariatesReport, type ExternalCovariatesSpec } from '../../../domain/external-covariates-spec.ts'
import type { JobWarning } from '../../../domain/job-result.ts'
import { align } from '../alignment/align.ts'
import { instantText } from '../alignment/instant-text.ts'
import type { Periods } from '../alignment/periods.ts'
import { prepareColumn } from '../alignment/prepare-column.ts'
import { asOf } from '../as-of.ts'
import { CovariateInputError } from '../covariate-input-error.ts'
import type { KeyOf, Kind } from '../covariate-key.ts'
import { heldBackText } from '../held-back.ts'
import { ProviderError } from '../provider-error.ts'
import type { ProviderRegistry } from '../provider-registry.ts'
import type { CovariateAnswer, ProvidedObservations } from '../provider.ts'
import { aggregateOf, columnName } from '../variables.ts'
import { fetchFrom, keyFor, type FetchRange, type KindQuestion } from './fetch-kind.ts'
import { KindReport } from './kind-report.ts'
import { lastObservation, latestObservation } from './last-observation.ts'
import { PeriodAxes } from './period-axes.ts'
import { ValuesWriter } from './values-file.ts'

export interface GatherOptions {
  specs: readonly ExternalCovariatesSpec[]
  survey: CovariateSurvey
  registry: ProviderRegistry
  /** The file of values to write. */
  path: string
  signal: AbortSignal
  /** Providers that have not answered after this time are given up. */
  patienceMs: number
  now?: () => number
}

/**
 * How long before the first step values of rates and macro figures are fetched, because such a value holds until the
 * next.
 */
const leadMs = 400 * 86_400_000
const staleMs = 7 * 86_400_000

/**
 * Asks the providers for everything that the specification wants on the survey's grids, and writes it to the file. If a
 * provider fails to give something, that is left out and reported. Rejects with CovariateInputError for faults that the
 * sender can correct, such as gaps if coverage is required, or with the signal's reason.
 */
export async function gatherCovariates (
  { specs, survey, registry, path, signal, patienceMs, now = Date.now }: GatherOptions
): Promise<void> {
  checkSize(specs, survey)
  // If a kind asks for something mounted, the registry says why it is missing.
  await registry.refresh().catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error
  })
  const patience = AbortSignal.timeout(patienceMs)
  const gathering = specs.map((spec) => new KindGathering(spec, survey, registry, AbortSignal.any([signal, patience])))
  const writer = await ValuesWriter.open(path)
  try {
    for (const grid of survey.grids) {
      for (const kind of gathering) for (const values of await kind.columns(grid)) await writer.write(values)
      // A grid takes milliseconds of work, so leases and cancels are handled in between.
      await yieldToOthers()
      signal.throwIfAborted()
    }
    const sources = gathering.map(({ report }) => report.finish())
    const cutoffMs = latestObservation(survey, survey.grids)
    const columns = gathering.flatMap(({ spec: { kind }, report }) =>
      report.columns().map(({ variable, ...use }) => ({ name: columnName(kind, variable), ...use }))
    )
    const report = {
      cutoff: instantText(cutoffMs),
      columnsAdded: columns.filter(({ used, ahead }) => used && ahead).map(({ name }) => name),
      warnings: sentences(specs, sources, now() - cutoffMs),
      sources
    }
    await writer.end({
      columns,
      steps: survey.grids.map(({ history, ahead }) => history + ahead),
      report,
      warnings: warningsOf(report)
    })
  } finally {
    await writer.close()
  }
}

/** One kind over all grids. */
class KindGathering {
  readonly spec: ExternalCovariatesSpec
  readonly report: KindReport
  readonly #survey: CovariateSurvey
  readonly #registry: ProviderRegistry
  readonly #signal: AbortSignal
  readonly #axes: PeriodAxes
  readonly #ofPlace: Map<string, CovariateGrid[]>
  /** The question for the last location; the grids of one location follow each other. */
  #asked: { place: string, question: KindQuestion } | undefined
  #answer: { of: KindQuestion, cutoffMs: number | null, answer: CovariateAnswer } | undefined

  constructor (spec: ExternalCovariatesSpec, survey: CovariateSurvey, registry: ProviderRegistry, signal: AbortSignal) {
    this.spec = spec
    this.report = new KindReport(spec)
    this.#survey = survey
    this.#registry = registry
    this.#signal = signal
    this.#axes = new PeriodAxes(survey)
    this.#ofPlace = byPlace(survey.grids)
  }

  /** The values of each variable on the grid; only NaN once the kind has failed. */
  async columns (grid: CovariateGrid): Promise<Float64Array[]> {
    const { variables } = this.spec
    const nothing = () => new Float64Array(grid.history + grid.ahead).fill(NaN)
    if (this.report.hasFailed) return variables.map(nothing)
    try {
      const question = await this.#question(grid)
      if (question === undefined) return variables.map(nothing)
      const { observations, missing } = await this.#fetch(question, grid)
      for (const { variable, reason } of missing) {
        this.#missing(variable, `${reason}${await this.#elsewhere(question, variable)}`)
      }
      const periods = this.#axes.of(grid, question.zone)
      return variables.map((variable) => {
        const found = observations.find((one) => one.variable === variable)
        if (found === undefined) {
          this.#missing(variable, 'the provider has no values')
          return nothing()
        }
        return this.#column(found, question, grid, periods)
      })
    } catch (error) {
      const failure = this.#signal.aborted && isTimeout(error)
        ? new ProviderError(this.#asked?.question.provider.id ?? this.spec.kind, 'TIMEOUT')
        : error
      if (!(failure instanceof ProviderError)) throw failure
      if (this.spec.requireCoverage) {
        throw new CovariateInputError(`${this.spec.kind}.require_coverage`, `${failure.message} All of it is required`)
      }
      this.report.fail('failed', failure.message)
      return variables.map(nothing)
    }
  }

  /** undefined: no provider can be asked. */
  async #question (grid: CovariateGrid): Promise<KindQuestion | undefined> {
    const { kind, source, variables, requireCoverage } = this.spec
    const place = this.spec.where.type === 'columns' ? placeOf(grid) : ''
    if (this.#asked?.place === place) return this.#asked.question
    const { key, zone } = await keyFor(this.spec, grid.place, this.#registry, this.#signal)
    const { provider, reason } = await this.#registry.choose(kind, source, key, variables)
    if (provider === null) {
      if (requireCoverage) {
        throw new CovariateInputError(`${kind}.require_coverage`, `${reason}, and all of it is required`)
      }
      this.report.fail('skipped',
        place === '' ? reason : `for the series at ${place}: ${reason}; the kind is used where every place has it`)
      return undefined
    }
    const question = { key, zone, provider }
    this.#asked = { place, question }
    return question
  }

  /**
   * A mounted or built-in provider is asked once for all cutoffs of a location, because it keeps the times of
   * publication.
   */
  async #fetch (question: KindQuestion, grid: CovariateGrid): Promise<CovariateAnswer> {
    const isForAll = question.provider.transport !== 'http' || !this.spec.pointInTime
    const cutoffMs = isForAll ? null : lastObservation(this.#survey, grid)
    if (this.#answer?.of === question && this.#answer.cutoffMs === cutoffMs) return this.#answer.answer
    const answer = await fetchFrom(this.spec, question,
      this.#range(question, isForAll ? this.#ofSamePlace(grid) : [grid]), this.#signal)
    this.#answer = { of: question, cutoffMs, answer }
    this.report.fetched(question.provider, this.#asked?.place ?? '')
    return answer
  }

  #ofSamePlace (grid: CovariateGrid): CovariateGrid[] {
    return this.spec.where.type === 'columns' ? this.#ofPlace.get(placeOf(grid)) ?? [grid] : this.#survey.grids
  }

  #range ({ zone }: KindQuestion, grids: readonly CovariateGrid[]): FetchRange {
    const periods = grids.map((grid) => this.#axes.of(grid, zone))
    const holds = this.spec.kind === 'rates' || this.spec.kind === 'macro'
    return {
      startMs: periods.reduce((least, { startsMs }) => Math.min(least, startsMs[0] as number), Infinity) -
        (holds ? leadMs : 0),
      endMs: periods.reduce((most, { endsMs }) => Math.max(most, endsMs.at(-1) as number), -Infinity),
      cutoffMs: latestObservation(this.#survey, grids)
    }
  }

  #column (found: ProvidedObservations, { provider }: KindQuestion, grid: CovariateGrid,
    periods: Periods): Float64Array {
    const { kind, pointInTime, requirePublished, requireCoverage, futureStrategy } = this.spec
    const { variable } = found
    const rules = {
      cutoffMs: lastObservation(this.#survey, grid),
      pointInTime,
      requirePublished,
      lag: found.lag ?? provider.lagOf(variable)
    }
    const known = asOf(found, rules)
    const column = prepareColumn(align(known, periods, aggregateOf(kind, variable)), {
      field: `${kind}.require_coverage`,
      variable,
      historySteps: grid.history,
      startsMs: periods.startsMs,
      requireCoverage,
      futureStrategy,
      seasonSteps: this.#survey.season,
      heldBack: () =>
        heldBackText(found, known, {
          ...rules,
          startMs: periods.startsMs[0] as number,
          endMs: periods.endsMs.at(-1) as number,
          provider
        })
    })
    this.report.add(variable, column, known)
    return column.values
  }

  /** One provider answers for all variables of a kind; for weather, the request can name another one. */
  async #elsewhere ({ key, provider }: KindQuestion, variable: string): Promise<string> {
    const { kind } = this.spec
    const others = kind === 'weather'
      ? await this.#registry.others(kind, key as KeyOf['weather'], variable, provider.id)
      : []
    return others.length === 0
      ? ''
      : `; one source answers for all variables of a kind, and ${others.join(', ')} can be asked instead: "source": "${
        others[0] ?? ''
      }"`
  }

  #missing (variable: string, reason: string): void {
    if (this.spec.requireCoverage) {
      throw new CovariateInputError(`${this.spec.kind}.require_coverage`,
        `${variable}: ${reason}, and all of it is required`)
    }
    this.report.missing(variable, reason)
  }
}

function byPlace (grids: readonly CovariateGrid[]): Map<string, CovariateGrid[]> {
  const groups = new Map<string, CovariateGrid[]>()
  for (const grid of grids) {
    const group = groups.get(placeOf(grid))
    if (group === undefined) groups.set(placeOf(grid), [grid])
    else group.push(grid)
  }
  return groups
}

function placeOf ({ place }: CovariateGrid): string {
  return place === null ? '' : `${place.latitude},${place.longitude}`
}

/** Whether the error comes from `AbortSignal.timeout`. */
function isTimeout (error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

/** The most numbers in the file: 800 MB. */
const mostValues = 100_000_000

function checkSize (specs: readonly ExternalCovariatesSpec[], { grids }: CovariateSurvey): void {
  const values = externalColumnCount(specs) * grids.reduce((sum, { history, ahead }) => sum + history + ahead, 0)
  if (values > mostValues) {
    throw new CovariateInputError('',
      `${values} values would be needed for all places, steps and variables; at most ${mostValues} are found for one ` +
        'job')
  }
}

/** Warnings for the sender, besides the state of each kind. */
function sentences (specs: readonly ExternalCovariatesSpec[],
  sources: ReadonlyArray<CovariateSourceReport & { kind: Kind }>, ageMs: number): string[] {
  const notes = specs.flatMap(({ where }) => where.type === 'place' && where.note !== null ? [where.note] : [])
  const late = ageMs <= staleMs
    ? []
    : sources.filter((source) => !source.pointInTime && source.variablesUsed.length > 0).map(({ kind }) =>
      `${kind} has values that were published after the last observation, because point_in_time is false; a forecast ` +
      'of the time itself would not have known them.'
    )
  return [...notes, ...late]
}

function warningsOf ({ warnings, sources }: ExternalCovariatesReport): JobWarning[] {
  const incomplete = sources.filter(({ status }) => status !== 'used')
  return [
    ...incomplete.map(({ kind, status, reason, variablesRequested, variablesUsed }) => ({
      code: `external_covariates_${status}`,
      message: `External covariates, ${kind}: ${reason ?? status}`,
      count: variablesRequested.length - variablesUsed.length
    })),
    ...warnings.map((message) => ({ code: 'external_covariates_note', message, count: 1 }))
  ]
}
