import type { DataProfile } from './data-profile.ts'
import type { ForecastIntent } from './forecast-intent.ts'
import type { ModelQuestion } from './model-question.ts'

export type { KnownColumns } from './engine-documents.ts'

/** What is in a file, and what a prompt wants of it. */
export interface PromptReading {
  profile: DataProfile
  intent: ForecastIntent | null
  /** null, and absent of a worker of before: a language model has nothing to add. */
  question?: ModelQuestion | null
  /** At least one field of the intent is from the answer. */
  isByModel?: boolean
}
