import type { Bench } from '../bench.ts'
import { preparePython, treePeers } from '../peers/python.ts'
import { measureBoosting } from './boosting.ts'
import { measureDefinition } from './definition.ts'
import { measureShap } from './shap.ts'
import { measureTables } from './tables.ts'

/**
 * Explanations and training of trees: how exact and how fast, against LightGBM, shap and XGBoost on identical trees and
 * equal work.
 */
export const benchTrees: Bench = async (options) => {
  const python = preparePython(options.log, treePeers)
  return [
    ...await measureShap(options, python),
    await measureDefinition(options),
    ...await measureBoosting(options, python),
    ...await measureTables(options, python)
  ]
}
