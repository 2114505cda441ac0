/** What a result may be explained by, in the order in which it is shown. */
export const analyses = [
  'forecast_plot',
  'feature_importance',
  'shap',
  'feature_target_correlations',
  'feature_feature_correlations',
  'rolling_regression'
] as const
export type Analysis = typeof analyses[number]

/** Which analyses of a result are made, and how much of it they look at. */
export interface ExplainabilitySpec {
  /** In the order of `analyses`. */
  analyses: Analysis[]
  /** Steps of the history that plots show; null: min(2 * prediction length, 120). */
  trailingHistorySteps: number | null
  /** Rows that an analysis looks at, at most. */
  maxRows: number
  maxFeatures: number
  /** Features that pages and previews show. */
  topKFeatures: number
  /** Rows whose Shapley values are told. */
  shapSampleSize: number
}

/** A file of an analysis; the files of one analysis follow each other. */
export interface AnalysisArtifact {
  /** Its name among the files of the job, which is its id. */
  name: string
  analysis: Analysis
  label: string
  format: 'csv' | 'html' | 'svg' | 'json'
  description: string
  /** Small enough, and made, to be shown beside the result. */
  renderInline: boolean
  /** The first rows as a table; empty: there is nothing to show in brief. */
  previewMarkdown: string
  highlights: string[]
  isPrimaryVisual: boolean
  isThumbnail: boolean
}

/** What came of the analyses that were asked for. */
export interface ExplainabilityOutcome {
  overviewMarkdown: string
  completed: Analysis[]
  /** Reasons by analysis. */
  skipped: Partial<Record<Analysis, string>>
  warnings: string[]
  artifacts: AnalysisArtifact[]
}

/** A forecast in words; `generatedBy` says by what they were chosen. */
export interface JobExplanation {
  headline: string
  narrative: string
  dataFindings: string[]
  forecastSummary: string[]
  operationalImplications: string[]
  caveats: string[]
  /** 0 to 1. */
  confidence: number
  generatedBy: 'rules' | 'model'
}
