import type { Bench } from '../bench.ts'
import { preparePython } from '../peers/python.ts'
import { measureAccuracy } from './accuracy.ts'
import { measureBuilding } from './building.ts'
import { measureDenseEquality } from './dense-equality.ts'
import { measureLargeTree } from './large-tree.ts'
import { measureTreeSpeed } from './tree-speed.ts'

/**
 * Forecasts that add up: how fast they are made so, whether they are the exact solution, and how good they are, against
 * hierarchicalforecast.
 */
export const benchReconciliation: Bench = async (options) => {
  const python = preparePython(options.log)
  return [
    ...await measureTreeSpeed(options, python),
    ...await measureBuilding(options, python),
    ...await measureLargeTree(options),
    await measureDenseEquality(options),
    ...await measureAccuracy(options, python)
  ]
}
