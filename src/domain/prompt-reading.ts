import type { DataProfile } from './data-profile.ts'
import type { ForecastIntent } from './forecast-intent.ts'
import type { ModelQuestion } from './model-question.ts'

export type { KnownColumns } from './engine-documents.ts'

/** The profile of a file, and the intent of a prompt about it. */
export interface PromptReading {
  profile: DataProfile
  intent: ForecastIntent | null
  /** null if a language model has nothing to add; absent from a worker of an earlier release. */
  question?: ModelQuestion | null
  /** True if at least one field of the intent comes from the answer. */
  isByModel?: boolean
}
