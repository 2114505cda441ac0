import type { Reading } from '../reading.ts'

/** Words between what is taken back and what stands for it. */
const maxWords = 14

/** Whether words between two names say that the second stands for the first: `visits - sorry, I meant signups`. */
export function isCorrected (reading: Reading, from: number, to: number): boolean {
  return has(reading, 'takeback', from, to)
}

/** The same of two lengths, which are said again in other words as well: `4 weeks, better 6`. */
export function isLengthCorrected (reading: Reading, from: number, to: number): boolean {
  return isCorrected(reading, from, to) || has(reading, 'takebacklength', from, to)
}

function has (reading: Reading, name: string, from: number, to: number): boolean {
  if (to - from > maxWords) return false
  return Array.from({ length: Math.max(0, to - from) }, (_, offset) => reading.behind(name, from + offset))
    .some((end) => end !== undefined && end <= to)
}
