import { keepDataset, type KeptDataset } from '../engine/index.ts'
import type { PreparedInput } from './prepared-input.ts'

/**
 * Data that the survey of a run keeps in the memory of its slot, so that the forecast of the run need not read the
 * dataset again.
 */
export interface SurveyedInput {
  prepared: PreparedInput
  kept: KeptDataset
}

let last: { run: string, input: SurveyedInput } | undefined

/** `run`: the folder of the run. Drops what an earlier run left. */
export function keepSurveyed (run: string, prepared: PreparedInput): SurveyedInput {
  const input = { prepared, kept: keepDataset() }
  last = { run, input }
  return input
}

/** Undefined if the input was not surveyed, or was surveyed in another process. */
export function takeSurveyed (run: string): SurveyedInput | undefined {
  const taken = last?.run === run ? last.input : undefined
  last = undefined
  return taken
}
