export const defaultQuantileLevels: readonly number[] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
export const maxLevels = 99

/** The message says in one sentence what is wrong with the text. */
export class QuantileLevelsError extends Error {
  override name = 'QuantileLevelsError'
}

/** Parses a comma list (`0.1,0.5`) or a JSON array into ascending levels without duplicates. */
export function parseQuantileLevels (text: string): number[] {
  const levels = new Set<number>()
  for (const entry of entries(text.trim())) {
    const level = typeof entry === 'string' && /^\+?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(entry)
      ? Number(entry)
      : entry
    if (typeof level !== 'number' || Number.isNaN(level)) {
      throw new QuantileLevelsError(`${JSON.stringify(entry)} is not a number`)
    }
    if (!(level > 0 && level < 1)) throw new QuantileLevelsError(`${level} does not lie strictly between 0 and 1`)
    levels.add(level)
  }
  if (levels.size === 0) throw new QuantileLevelsError('at least one level is needed')
  if (levels.size > maxLevels) throw new QuantileLevelsError(`at most ${maxLevels} levels are taken`)
  return [...levels].sort((a, b) => a - b)
}

function entries (text: string): unknown[] {
  if (!text.startsWith('[')) return text.split(',').map((part) => part.trim())
  try {
    return JSON.parse(text) as unknown[]
  } catch {
    throw new QuantileLevelsError('not a comma list or a JSON array of numbers')
  }
}
