import { neutralText } from '../explanation/neutral-text.ts'
import { shownText } from '../shown-text.ts'
import { analysisNames, type AnalysesDocument, type AnalysisName, type FeatureImportance } from './analyses-document.ts'
import { defined } from '../../platform/defined.ts'

/** A warning code in words. */
export function warningText (warning: string): string {
  return neutralText(shownText(warning, 400))
}

/** The analyses that were asked for. */
export function selectedAnalyses ({ completed, skipped }: AnalysesDocument): AnalysisName[] {
  return analysisNames.filter((name) => completed.includes(name) || skipped[name] !== undefined)
}

/**
 * The content of `summary.json`: figures as the engine gave them, names as the customer has them, and nothing of the
 * job. `explanationKeys`: the keys of the sentences of its explanation; null: there is none.
 */
export function analysesSummary (document: AnalysesDocument, topFeatures: number, explanationKeys: unknown) {
  const { importance, shap } = document
  const bases = new Set(shap?.detailed.map(({ base }) => base))
  const top = (all: readonly FeatureImportance[] = []) =>
    all.slice(0, topFeatures).map(({ feature, share, importance, direction, rank }) => ({
      feature,
      share,
      importance,
      direction,
      rank
    }))
  return {
    version: 1,
    ...defined({ subject: document.subject }),
    target: document.target,
    ...defined({ class: document.class }),
    freq: document.freq,
    model: importance === null
      ? null
      : {
        name: importance.method.startsWith('surrogate') ? 'surrogate' : 'model',
        method: neutralText(importance.method)
      },
    rows: importance?.rows ?? null,
    explained_rows: importance?.explained_rows ?? null,
    // A surrogate of scaled series has a base per series, so no single figure applies to all.
    base: bases.size === 1 ? [...bases][0] : null,
    fidelity: importance?.fidelity ?? null,
    max_additivity_error: importance?.max_additivity_error ?? null,
    selected: selectedAnalyses(document),
    completed: analysisNames.filter((name) => document.completed.includes(name)),
    skipped: Object.fromEntries(
      analysisNames.flatMap((name) => document.skipped[name] === undefined ? [] : [[name, document.skipped[name]]])
    ),
    warnings: document.warnings.map(warningText),
    top_features: top(importance?.features),
    top_groups: top(importance?.groups),
    left_out: importance?.left_out ?? [],
    explanation_keys: explanationKeys ?? null
  }
}
