import type { Granularity } from '../../domain/intent-values.ts'

const lengths: Record<Exclude<Granularity, 'irregular'>, [number, string][]> = {
  minutely: [[60, '1 hour'], [360, '6 hours'], [1440, '1 day'], [10, '10 minutes']],
  five_minutely: [[12, '1 hour'], [72, '6 hours'], [288, '1 day'], [2016, '1 week']],
  quarter_hourly: [[96, '1 day'], [192, '2 days'], [672, '1 week'], [4, '1 hour']],
  half_hourly: [[48, '1 day'], [96, '2 days'], [336, '1 week'], [672, '2 weeks']],
  hourly: [[24, '1 day'], [48, '2 days'], [168, '1 week'], [336, '2 weeks']],
  daily: [[7, '7 days'], [14, '14 days'], [28, '4 weeks'], [90, '90 days']],
  business_daily: [[5, '1 week'], [10, '2 weeks'], [20, '4 weeks'], [65, '3 months']],
  weekly: [[4, '4 weeks'], [8, '8 weeks'], [13, '13 weeks'], [26, '26 weeks']],
  monthly: [[3, '3 months'], [6, '6 months'], [12, '12 months'], [24, '24 months']],
  quarterly: [[2, '2 quarters'], [4, '4 quarters'], [8, '8 quarters']],
  yearly: [[1, '1 year'], [2, '2 years'], [3, '3 years']]
}

/**
 * Suggests horizons that suit the granularity and are short enough for this many steps of history. The shortest is
 * always suggested.
 */
export function suggestHorizons (granularity: Granularity | null, history: number): string[] {
  const known = lengths[granularity === null || granularity === 'irregular' ? 'daily' : granularity]
  const short = Math.min(...known.map(([steps]) => steps))
  return known.filter(([steps]) => steps === short || steps <= history / 4).sort(([left], [right]) => left - right).map(
    ([, text]) => text
  )
}
