import type { Bench } from '../bench.ts'
import { preparePython } from '../peers/python.ts'
import { measureManySeries } from './many-series.ts'
import { measureModelSpeed } from './model-speed.ts'
import { measurePresetCost } from './preset-cost.ts'
import { measureSingleSeries } from './single-series.ts'

/**
 * The engine without the service around it: models and presets against statsforecast, the smallest job, the largest.
 */
export const benchEngine: Bench = async (options) => {
  const python = preparePython(options.log)
  return [
    await measureSingleSeries(options),
    ...await measurePresetCost(options, python),
    ...await measureManySeries(options, python),
    ...await measureModelSpeed(options, python)
  ]
}
