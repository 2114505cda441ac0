import type { Bench } from '../bench.ts'
import { measureRestart } from './restart.ts'
import { measureSizing } from './sizing.ts'

/** What an operator plans with: what a core and a slot do, and how long a restart takes. */
export const benchOperations: Bench = async (
  options
) => [...await measureSizing(options), ...await measureRestart(options)]
