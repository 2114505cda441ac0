import type { AnalysesDocument, AnalysisName } from './analyses-document.ts'

/** The field that has the results of each analysis; the plot has a file of its own. */
export const resultParts = {
  feature_importance: 'importance',
  shap: 'shap',
  feature_target_correlations: 'feature_target',
  feature_feature_correlations: 'feature_feature',
  rolling_regression: 'rolling'
} as const satisfies Partial<Record<AnalysisName, keyof AnalysesDocument>>

/**
 * Returns the document, if its parts fit together.
 * @throws Error if it has another version, an analysis is completed without a result, or an index or a list does not
 * fit
 */
export function checkAnalyses (document: AnalysesDocument): AnalysesDocument {
  if (document.version !== 1) throw new Error(`analyses of version ${document.version}; 1 is known`)
  for (const [analysis, part] of Object.entries(resultParts)) {
    if (document.completed.includes(analysis as AnalysisName) && document[part] === null) {
      throw new Error(`${analysis} is completed, but ${part} is null`)
    }
  }
  const { shap, feature_feature: pairs, rolling } = document
  for (const { values, positions } of shap?.points ?? []) {
    fits(values.length === positions.length, `${values.length} points of a feature have ${positions.length} positions`)
  }
  if (pairs !== null) {
    const count = pairs.features.length
    fits(pairs.order.length === count && new Set(pairs.order).size === count && pairs.order.every(isPlace),
      'the order of the features is not one of all features')
    fits(pairs.pairs.every(({ a, b }) => isPlace(a) && isPlace(b) && a !== b), 'a pair has a feature that is not there')

    function isPlace (place: number): boolean {
      return Number.isInteger(place) && place >= 0 && place < count
    }
  }
  for (const { features } of rolling?.series ?? []) {
    fits(features.every(({ feature }) => rolling?.features[feature] !== undefined),
      'a regression has a feature that is not there')
  }
  return document
}

function fits (holds: boolean, what: string): void {
  if (!holds) throw new Error(`analyses do not fit together: ${what}`)
}
