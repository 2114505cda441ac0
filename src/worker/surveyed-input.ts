import { keepDataset, type KeptDataset } from '../engine/index.ts'
import type { PreparedInput } from './prepared-input.ts'

/**
 * What the survey of a run leaves in the memory of its slot, so that the forecast of the run need not read the dataset
 * again.
 */
export interface SurveyedInput {
  prepared: PreparedInput
  kept: KeptDataset
}

let last: { run: string, input: SurveyedInput } | undefined

/** `run`: the folder of the run. Of an earlier run nothing is kept any more. */
export function keepSurveyed (run: string, prepared: PreparedInput): SurveyedInput {
  const input = { prepared, kept: keepDataset() }
  last = { run, input }
  return input
}

/** undefined: another process has surveyed it, or it was not surveyed. */
export function takeSurveyed (run: string): SurveyedInput | undefined {
  const taken = last?.run === run ? last.input : undefined
  last = undefined
  return taken
}
