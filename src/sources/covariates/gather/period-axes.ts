import type { CovariateGrid, CovariateSurvey } from '../../../domain/external-covariates-spec.ts'
import { periodsOf, type Periods } from '../alignment/periods.ts'
import { CovariateInputError } from '../covariate-input-error.ts'
import { isFinerThanDays } from '../covariate-spans.ts'

const dayMs = 86_400_000
/** A few centuries of days on several axes; each date costs a time zone calculation. */
const mostDates = 200_000

/**
 * The periods behind the labels of the axes. Labels of days and longer steps are dates at the location of the values.
 * Finer labels are instants in UTC, to which the dataset's times were converted. So are days that do not begin at
 * midnight, because their times had an offset.
 */
export class PeriodAxes {
  readonly #survey: CovariateSurvey
  readonly #byZone = new Map<string, Periods[]>()
  readonly #hasDates: boolean

  constructor (survey: CovariateSurvey) {
    this.#survey = survey
    this.#hasDates = !isFinerThanDays(survey.freq) && survey.axes.every(([label = 0]) => label % dayMs === 0)
    const labels = this.#hasDates ? survey.axes.reduce((count, { length }) => count + length, 0) : 0
    if (labels > mostDates) {
      throw new CovariateInputError('',
        `the series span ${labels} steps of days or longer; covariates are found for at most ${mostDates}`)
    }
  }

  /** The steps of a grid; `zone`: the zone of the values, null: UTC. */
  of ({ axis, first, history, ahead }: CovariateGrid, zone: string | null): Periods {
    const { startsMs, endsMs } = this.#axes(this.#hasDates && zone !== null ? zone : 'UTC')[axis] as Periods
    const end = first + history + ahead
    return { startsMs: startsMs.subarray(first, end), endsMs: endsMs.subarray(first, end) }
  }

  #axes (timeZone: string): Periods[] {
    const known = this.#byZone.get(timeZone)
    if (known !== undefined) return known
    const { axes, freq } = this.#survey
    const periods = axes.map((labelsMs) => periodsOf({ labelsMs, frequency: freq, timeZone }))
    this.#byZone.set(timeZone, periods)
    return periods
  }
}
