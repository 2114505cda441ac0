import type { DataProfile, SeriesProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import { aliasOf, granularityOf } from './time/frequency.ts'
import { coherenceWish } from './coherence.ts'
import type { RecommendationInput, RecommendedConfig, Refusal, RowCheck } from './recommendation.ts'

/** A changed recommendation in place of a refused one. */
export interface Remedy {
  /** The name of the remedy. Each is tried only once. */
  name: string
  input: RecommendationInput
  /** Notes for the caller, one sentence each. */
  notes: string[]
}

/** Refusals because filtered or grouped rows have another step than the file. */
const otherSteps = new Set(['frequency_conflict', 'frequency_not_inferred', 'off_grid_series', 'step_too_fine',
  'timestamps_too_fine'])
/** Refusals because the chosen step is too long for so few rows. */
const tooFewSteps = new Set(['too_few_observations', 'no_complete_period', 'all_null_target'])
/** How many lengths are tried in one direction. */
const maxFiner = 3
const notCoherent = new Set(['separator_in_hierarchy', 'missing_hierarchy_value', 'total_label_taken',
  'invalid_hierarchy', 'hierarchy_depth', 'too_many_levels', 'ambiguous_item_id', 'too_many_nodes'])

/**
 * Finds a change of the recommendation that may help; undefined: nothing that the agent chose by itself can be changed,
 * or no change helps.
 */
export async function remedyFor (refusal: Refusal, input: RecommendationInput, config: RecommendedConfig,
  check: RowCheck): Promise<Remedy | undefined> {
  const { code, column, message } = refusal
  const { intent, data } = input
  if (code === 'partial_future_covariate' && column !== null) {
    return {
      name: `${code} ${column}`,
      input: { ...input, data: notKnownAhead(data, column) },
      notes: [`${column}: is not used, because it is not known for every step of all series that are forecast.`]
    }
  }
  if (code === 'gap_too_long' && intent.missing_data_handling !== 'none') {
    return {
      name: code,
      input: { ...input, intent: { ...intent, missing_data_handling: 'none' } },
      notes: [`Gaps are left as they are: ${message}`]
    }
  }
  if (notCoherent.has(code) && coherenceWish(intent) !== undefined) {
    return {
      name: 'incoherent',
      input: { ...input, intent: incoherent(intent) },
      notes: [`The forecasts do not add up: ${message}`]
    }
  }
  if (tooFewSteps.has(code)) return otherLength(input, config, 1)
  if (otherSteps.has(code)) {
    return await stepsOfRows(input, config, check) ??
      (code === 'step_too_fine' ? otherLength(input, config, -1) : undefined)
  }
  return undefined
}

/** Another step length for rows without a regular step, if the prompt asks for none. */
function otherLength (input: RecommendationInput, { preparation }: RecommendedConfig, by: number): Remedy | undefined {
  const { intent: { granularity }, data: { series } } = input
  const finer = (input.finer ?? 0) + by
  const isOurs = series?.freq === null && preparation?.step != null &&
    (granularity === null || preparation.step !== aliasOf(granularity))
  return isOurs && Math.abs(finer) <= maxFiner
    ? { name: `finer ${finer}`, input: { ...input, finer }, notes: [] }
    : undefined
}

/** Uses the step of the rows to forecast if they have one; else rows are combined into the step of the file. */
async function stepsOfRows (input: RecommendationInput, config: RecommendedConfig,
  check: RowCheck): Promise<Remedy | undefined> {
  const { intent, data: { series } } = input
  if (series === null) return undefined
  const { preparation } = config
  const asTheyAre = preparation === null
    ? null
    : { ...preparation, step: null, missing: 'none' as const, anomalies: 'none' as const }
  const found = await check({ ...config, freq: null, covariates: null, reconciliation: null, preparation: asTheyAre })
  if (found === undefined) return undefined
  if ('freq' in found && found.freq !== series.freq) {
    const { freq } = found
    const isAsData = intent.granularity === granularityOf(series.freq)
    const wanted = {
      ...intent,
      ...(isAsData ? { granularity: granularityOf(freq) } : {}),
      horizon: intent.horizon_unit === 'steps' ? intent.horizon : null
    }
    const note = `The rows that are forecast have steps of ${freq}${
      series.freq === null ? '' : `, those of the file of ${series.freq}`
    }: that is what the horizon is counted in.`
    return {
      name: `steps ${freq}`,
      input: { ...input, intent: wanted, data: withSeries(input.data, { freq }) },
      notes: [note]
    }
  }
  return series.freq === null ? undefined : { name: 'combined', input: { ...input, isIrregular: true }, notes: [] }
}

function withSeries (data: DataProfile, changes: Partial<SeriesProfile>): DataProfile {
  return { ...data, series: data.series === null ? null : { ...data.series, ...changes } }
}

function notKnownAhead (data: DataProfile, name: string): DataProfile {
  return {
    ...data,
    columns: data.columns.map((column) => (column.name === name ? { ...column, isKnownAhead: false } : column))
  }
}

function incoherent (intent: ForecastIntent): ForecastIntent {
  return {
    ...intent,
    user_constraints: intent.user_constraints.filter((constraint) =>
      coherenceWish({ user_constraints: [constraint] }) === undefined
    )
  }
}
