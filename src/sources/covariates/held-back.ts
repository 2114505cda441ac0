import { covariateKinds, type CovariateKind } from '../../domain/external-covariates-spec.ts'
import { instantText } from './alignment/instant-text.ts'
import type { AsOfRules } from './as-of.ts'
import type { Observations } from './observations.ts'
import type { Provider } from './provider.ts'
import type { PublicationLag } from './publication-lag.ts'

/** Kinds whose block has `point_in_time`. */
const withPointInTime: ReadonlySet<CovariateKind> = new Set(
  covariateKinds.filter((kind) => kind !== 'holidays' && kind !== 'macro')
)

export interface HeldBackOptions extends AsOfRules {
  /** The range of the steps, milliseconds UTC: from the beginning of the first to the end of the last. */
  startMs: number
  endMs: number
  provider: Pick<Provider, 'kind' | 'transport'>
}

/**
 * Says why values that the provider has for the steps were not used, and what to do about it. null: no values were left
 * out. `known`: the values that were used, as `asOf` returns them.
 */
export function heldBackText (found: Observations, known: Observations,
  { cutoffMs, pointInTime, requirePublished, lag, startMs, endMs, provider }: HeldBackOptions): string | null {
  const counts = { later: 0, undated: 0 }
  let earliestMs = Infinity
  let at = 0
  for (let row = 0; row < found.values.length; row++) {
    const time = found.validTimeMs[row] as number
    if (time < startMs || Number.isNaN(found.values[row])) continue
    if (time >= endMs) break
    while (at < known.validTimeMs.length && (known.validTimeMs[at] as number) < time) at++
    if (known.validTimeMs[at] === time) continue
    if (Number.isNaN(found.publishedAtMs[row])) counts.undated++
    else {
      counts.later++
      earliestMs = Math.min(earliestMs, found.publishedAtMs[row] as number)
    }
  }
  if (counts.undated === 0) {
    return counts.later === 0
      ? null
      : `${values(counts.later)} published after the last observation, which is the begin of the last step (${
        instantText(cutoffMs)
      }; the first of them at ${instantText(earliestMs)})`
  }
  if (requirePublished) {
    return `${
      values(counts.undated)
    } left out, because require_published takes only those with a time of publication of their own`
  }
  const ways = [
    ...provider.transport === 'catalog'
      ? [`give published_at${lag?.after_issue_hours === undefined ? '' : ' or issued_at'} in the catalogue`]
      : [],
    ...pointInTime && withPointInTime.has(provider.kind) ? ['set point_in_time to false'] : []
  ]
  return `${values(counts.undated)} held back, because values without published_at ${lagText(lag)}${
    ways.length === 0 ? '' : `; ${ways.join(', or ')}`
  }`
}

function values (count: number): string {
  return count === 1 ? '1 value was' : `${count} values were`
}

/** In the order in which the rules for a value without an issue apply. */
function lagText (lag: PublicationLag | null): string {
  if (lag?.day_before !== undefined) {
    return `count as known from ${lag.day_before.time} (${lag.day_before.timezone}) of the day before`
  }
  const hours = lag?.after_period_hours
  if (hours === undefined) return 'do not count as known at any time'
  return `count as known ${
    hours % 24 === 0 && hours > 0 ? `${hours / 24} ${hours === 24 ? 'day' : 'days'}` : `${hours} hours`
  } after the end of their interval`
}
