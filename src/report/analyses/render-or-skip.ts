import { analysisNames, type AnalysesDocument, type AnalysisName } from './analyses-document.ts'
import { analysisTitle, notApplicable, seriesAnalyses } from './analysis-words.ts'
import { resultParts } from './check-analyses.ts'
import { renderAnalyses, type AnalysesInput, type RenderedAnalyses } from './render-analyses.ts'

const noResults = { importance: null, shap: null, feature_target: null, feature_feature: null, rolling: null }

/** What is left of a document when one of its analyses cannot be shown. */
export function withFailed (document: AnalysesDocument, analysis: AnalysisName): AnalysesDocument {
  return {
    ...document,
    ...(analysis === 'forecast_plot' ? {} : { [resultParts[analysis]]: null }),
    completed: document.completed.filter((name) => name !== analysis),
    skipped: { ...document.skipped, [analysis]: 'failed' },
    warnings: [...document.warnings, `${analysisTitle(analysis, document)}: this analysis failed and is left out.`]
  }
}

/** Whose analyses they are. */
export type AnalysesOf = Pick<AnalysesDocument, 'subject' | 'target' | 'freq'>

/** The document of analyses that all failed, but for those that do not apply. */
export function failedDocument (of: AnalysesOf, analyses: readonly AnalysisName[]): AnalysesDocument {
  const outside = of.subject === 'table' ? analyses.filter((name) => seriesAnalyses.includes(name)) : []
  const skipped = Object.fromEntries(outside.map((name) => [name, notApplicable]))
  return analyses.filter((name) => !outside.includes(name)).reduce(withFailed, { version: 1, ...of, completed: [], skipped, warnings: [], ...noResults })
}

/** As `renderAnalyses`, but an analysis that cannot be shown is skipped as `failed`, with a warning, and the others are shown. */
export function renderOrSkip (input: AnalysesInput): RenderedAnalyses {
  const { document } = input
  const rendered = (changed: AnalysesDocument): RenderedAnalyses | undefined => {
    try {
      return renderAnalyses({ ...input, document: changed })
    } catch {
      return undefined
    }
  }
  const alone = (name: AnalysisName): AnalysesDocument => {
    const part = name === 'forecast_plot' ? {} : { [resultParts[name]]: document[resultParts[name]] }
    return { ...document, completed: [name], ...noResults, ...part }
  }
  const whole = rendered(document)
  if (whole !== undefined) return whole
  const completed = analysisNames.filter((name) => document.completed.includes(name))
  const failed = completed.filter((name) => rendered(alone(name)) === undefined)
  // Where it lies in no single one, none is shown.
  return rendered(failed.reduce(withFailed, document)) ?? renderAnalyses({ ...input, document: completed.reduce(withFailed, { ...document, version: 1, ...noResults }) })
}
