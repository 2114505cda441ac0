/** The analyses of a result, in the order in which they are shown. */
export const analyses = [
  'forecast_plot',
  'feature_importance',
  'shap',
  'feature_target_correlations',
  'feature_feature_correlations',
  'rolling_regression'
] as const
export type Analysis = typeof analyses[number]

/** Which analyses of a result to make, and how much of it they cover. */
export interface ExplainabilitySpec {
  /** In the order of `analyses`. */
  analyses: Analysis[]
  /** Steps of the history that plots show; null: min(2 * prediction length, 120). */
  trailingHistorySteps: number | null
  /** The most rows that an analysis reads. */
  maxRows: number
  maxFeatures: number
  /** How many features pages and previews show. */
  topKFeatures: number
  /** How many rows get their Shapley values reported. */
  shapSampleSize: number
}

/** A file of an analysis; the files of one analysis are next to each other. */
export interface AnalysisArtifact {
  /** Its name among the files of the job, which is also its id. */
  name: string
  analysis: Analysis
  label: string
  format: 'csv' | 'html' | 'svg' | 'json'
  description: string
  /** Whether it is made, and small enough, to be shown beside the result. */
  renderInline: boolean
  /** The first rows as a table; empty if there is nothing to preview. */
  previewMarkdown: string
  highlights: string[]
  isPrimaryVisual: boolean
  isThumbnail: boolean
}

/** The outcome of the analyses that were asked for. */
export interface ExplainabilityOutcome {
  overviewMarkdown: string
  completed: Analysis[]
  /** The reason for each analysis that was skipped. */
  skipped: Partial<Record<Analysis, string>>
  warnings: string[]
  artifacts: AnalysisArtifact[]
}

/** The explanation of a forecast; `generatedBy` says whether rules or a language model wrote it. */
export interface JobExplanation {
  headline: string
  narrative: string
  dataFindings: string[]
  forecastSummary: string[]
  operationalImplications: string[]
  caveats: string[]
  /** From 0 to 1. */
  confidence: number
  generatedBy: 'rules' | 'model'
}
