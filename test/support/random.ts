import { randomInt } from 'node:crypto'
import type { Test } from 'tap'

/** Uniform numbers in [0, 1) from a seed, the same on every machine (mulberry32). */
export function uniform (seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Standard normal numbers from uniform ones (Box and Muller 1958). */
export function normal (uniform: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
}

/** Uniform numbers from a seed that is printed; TEST_SEED repeats a run. */
export function seededRandom (t: Test): () => number {
  const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31))
  t.comment(`TEST_SEED=${seed}`)
  return uniform(seed)
}
