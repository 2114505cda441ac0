import type { Bench } from '../bench.ts'
import { measureLargest } from './largest.ts'
import { measurePlanted } from './planted.ts'
import { measureReliability } from './reliability.ts'
import { measureRules } from './rules.ts'

/**
 * What the analyses of a forecast cost, whether they find what was planted, and whether the confidence of its
 * explanation is one.
 */
export const benchExplain: Bench = async (options) => [
  ...await measureLargest(options),
  ...await measurePlanted(options),
  ...measureRules(options),
  ...await measureReliability(options)
]
