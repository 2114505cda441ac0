import { Type, type Static } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import { civilOf, utcOf } from './alignment/civil-time.ts'
import { periodEnd, type Frequency } from './observations.ts'

const hours = () => Type.Optional(Type.Number({ minimum: 0, maximum: 24 * 400 }))
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * How to compute a publication time that the provider does not give. The first rule that applies counts: after the
 * issue, if that is known; at a time of the day before; after the end of the value's interval; always known.
 */
export const publicationLag = closedObject({
  after_issue_hours: hours(),
  day_before: Type.Optional(closedObject({
    time: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
    timezone: Type.String({ minLength: 1, maxLength: 60 })
  })),
  after_period_hours: hours(),
  always: Type.Optional(Type.Boolean())
})
export type PublicationLag = Static<typeof publicationLag>

/**
 * Publication times by that rule, as a function of the beginning of a value's interval and its issue (NaN: not known),
 * all in milliseconds UTC. -Infinity: always known; NaN: unknown.
 */
export function declaredPublications (lag: PublicationLag | null,
  frequency: Frequency): (validTimeMs: number, issuedAtMs: number) => number {
  if (lag === null) return () => NaN
  const withoutIssue = rulesWithoutIssue(lag, frequency)
  const { after_issue_hours: hours } = lag
  if (hours === undefined) return withoutIssue
  return (validTimeMs, issuedAtMs) => Number.isNaN(issuedAtMs) ? withoutIssue(validTimeMs) : issuedAtMs + hours * hourMs
}

function rulesWithoutIssue ({ day_before: dayBefore, after_period_hours: hours, always }: PublicationLag,
  frequency: Frequency): (validTimeMs: number) => number {
  if (dayBefore !== undefined) {
    const { time, timezone } = dayBefore
    const [hour = 0, minute = 0] = time.split(':').map(Number)
    // A mean over several days is not known before the last of them.
    const isOfDays = periodEnd(0, frequency) > dayMs
    // All values of a day share one publication time.
    let [day, at] = [NaN, NaN]
    return (validTimeMs) => {
      const midnight =
        Math.floor(civilOf(isOfDays ? periodEnd(validTimeMs, frequency) - 1 : validTimeMs, timezone) / dayMs) * dayMs
      if (midnight !== day) [day, at] = [midnight, utcOf(midnight - dayMs + hour * hourMs + minute * 60_000, timezone)]
      return at
    }
  }
  if (hours !== undefined) return (validTimeMs) => periodEnd(validTimeMs, frequency) + hours * hourMs
  return always === true ? () => -Infinity : () => NaN
}
