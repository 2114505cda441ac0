import type { Place, Reading } from '../reading.ts'

/** The maximum number of words between a withdrawn text and its replacement. */
const maxWords = 14

/** Whether the words between two names replace the first by the second: `visits - sorry, I meant signups`. */
export function isCorrected (reading: Reading, from: number, to: number): boolean {
  return has(reading, 'takeback', from, to)
}

/** Of what such words stand between only the later ones. */
export function withoutTakenBack<T extends Place> (findings: readonly T[], reading: Reading): readonly T[] {
  const last = findings.findLastIndex(({ from }, index) =>
    index > 0 && isCorrected(reading, (findings[index - 1] as T).to, from)
  )
  return last > 0 ? findings.slice(last) : findings
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
