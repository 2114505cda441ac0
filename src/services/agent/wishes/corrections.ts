import type { Reading } from '../reading.ts'

/** The maximum number of words between a withdrawn text and its replacement. */
const maxWords = 14

/** Whether the words between two names replace the first by the second: `visits - sorry, I meant signups`. */
export function isCorrected (reading: Reading, from: number, to: number): boolean {
  return has(reading, 'takeback', from, to)
}

/**
 * Whether the words between two lengths replace the first by the second. Lengths are also replaced in other words: `4
 * weeks, better 6`.
 */
export function isLengthCorrected (reading: Reading, from: number, to: number): boolean {
  return isCorrected(reading, from, to) || has(reading, 'takebacklength', from, to)
}

function has (reading: Reading, name: string, from: number, to: number): boolean {
  if (to - from > maxWords) return false
  return Array.from({ length: Math.max(0, to - from) }, (_, offset) => reading.behind(name, from + offset))
    .some((end) => end !== undefined && end <= to)
}
