import type { ContentError } from './content-error.ts'
import type { ErrorCode } from './error-codes.ts'

/** A task of a slot that ended in an error; the slot lives on. */
export interface TaskFailure {
  code: ErrorCode
  message: string
  /** Set if the dataset is at fault. */
  content: ContentError | null
  /** What to do about it, if the code does not say. */
  suggestion?: string
}
