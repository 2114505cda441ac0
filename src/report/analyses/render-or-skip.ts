import { causeText } from '../cause-text.ts'
import { analysisNames, type AnalysesDocument, type AnalysisName } from './analyses-document.ts'
import { analysisTitle, notApplicable, seriesAnalyses } from './analysis-words.ts'
import { resultParts } from './check-analyses.ts'
import { renderAnalyses, type AnalysesInput, type RenderedAnalyses } from './render-analyses.ts'

const noResults = { importance: null, shap: null, feature_target: null, feature_feature: null, rolling: null }

/** The document without an analysis that cannot be shown because of this error. */
export function withFailed (document: AnalysesDocument, analysis: AnalysisName, cause: unknown): AnalysesDocument {
  return {
    ...document,
    ...(analysis === 'forecast_plot' ? {} : { [resultParts[analysis]]: null }),
    completed: document.completed.filter((name) => name !== analysis),
    skipped: { ...document.skipped, [analysis]: 'failed' },
    warnings: [...document.warnings,
      `${analysisTitle(analysis, document)}: this analysis failed and is left out (${causeText(cause)}).`]
  }
}

/** The forecast or table that is analysed. */
export type AnalysesOf = Pick<AnalysesDocument, 'subject' | 'target' | 'freq'>

/** A document in which all analyses have failed with this error, except those that do not apply. */
export function failedDocument (of: AnalysesOf, analyses: readonly AnalysisName[], cause: unknown): AnalysesDocument {
  const outside = of.subject === 'table' ? analyses.filter((name) => seriesAnalyses.includes(name)) : []
  const skipped = Object.fromEntries(outside.map((name) => [name, notApplicable]))
  return analyses.filter((name) => !outside.includes(name)).reduce<AnalysesDocument>(
    (document, name) => withFailed(document, name, cause),
    { version: 1, ...of, completed: [], skipped, warnings: [], ...noResults }
  )
}

/**
 * Like `renderAnalyses`, but an analysis that cannot be shown is skipped as `failed`, with a warning, and the others
 * are shown.
 */
export function renderOrSkip (input: AnalysesInput): RenderedAnalyses {
  const { document } = input
  const rendered = (changed: AnalysesDocument): { pages: RenderedAnalyses } | { cause: unknown } => {
    try {
      return { pages: renderAnalyses({ ...input, document: changed }) }
    } catch (cause) {
      return { cause }
    }
  }
  const alone = (name: AnalysisName): AnalysesDocument => {
    const part = name === 'forecast_plot' ? {} : { [resultParts[name]]: document[resultParts[name]] }
    return { ...document, completed: [name], ...noResults, ...part }
  }
  const whole = rendered(document)
  if ('pages' in whole) return whole.pages
  const completed = analysisNames.filter((name) => document.completed.includes(name))
  const others = rendered(completed.reduce((left, name) => {
    const one = rendered(alone(name))
    return 'pages' in one ? left : withFailed(left, name, one.cause)
  }, document))
  if ('pages' in others) return others.pages
  // If no single analysis causes the error, none is shown.
  const none = completed.reduce<AnalysesDocument>((left, name) => withFailed(left, name, whole.cause), {
    ...document,
    version: 1,
    ...noResults
  })
  return renderAnalyses({ ...input, document: none })
}
