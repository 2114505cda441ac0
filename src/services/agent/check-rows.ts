import { explainContentError } from '../../domain/content-error.ts'
import type { ForecastSpec } from '../../domain/forecast-spec.ts'
import type { Checked } from '../jobs/check-content.ts'
import { ContentRefusal } from '../jobs/content-refusal.ts'
import type { JobService, StagedUpload } from '../jobs/job-service.ts'
import type { RecommendedConfig, RowCheck } from '../recommendations/recommendation.ts'

/** These codes are about the limits of a check, not about the file. */
const unfinished = new Set(['check_time_exceeded', 'check_memory_exceeded'])

export interface RowChecker {
  check: RowCheck
  /** The findings of the last check; undefined if it refused the rows, or had no time. */
  last: () => Checked | undefined
}

/** Has a worker check all rows of a file as the job of a configuration would. */
export function rowChecker (jobs: JobService, tenant: string, { key, bytes, format }: StagedUpload,
  specOf: (config: RecommendedConfig) => ForecastSpec): RowChecker {
  let last: Checked | undefined
  const check: RowCheck = async (config) => {
    last = undefined
    try {
      last = await jobs.check(tenant, { key, bytes, format }, specOf(config), {
        data: ['body', 'file'],
        options: ['body']
      })
      return last.profile === null || !('freq' in last.profile) ? undefined : { freq: last.profile.freq }
    } catch (error) {
      if (!(error instanceof ContentRefusal)) throw error
      const { content } = error
      return unfinished.has(content.code)
        ? undefined
        : { code: content.code, message: explainContentError(content), column: content.column, error }
    }
  }
  return { check, last: () => last }
}
