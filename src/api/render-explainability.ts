import type { Static } from 'typebox'
import type { AnalysisArtifact, ExplainabilitySpec, JobExplanation } from '../domain/explainability-spec.ts'
import type { JobRecord } from '../services/jobs/job-record.ts'
import { artifactUrl, fileOfArtifact, summaryName } from '../services/jobs/report-files.ts'
import type { artifact, explainabilityConfig, explainabilityStatus,
  explanation } from './schemas/explainability-status.ts'

/** The step between positions of artifacts, so that new ones fit in between. */
const orderStep = 10

/** The requested analyses, and their results once the job has completed. */
export function renderExplainability (record: JobRecord,
  spec: ExplainabilitySpec): Static<typeof explainabilityStatus> {
  const { explainability: outcome } = record
  return {
    enabled: true,
    overview_markdown: outcome?.overviewMarkdown ?? '',
    selected_analyses: spec.analyses,
    completed_analyses: outcome?.completed ?? [],
    skipped_analyses: outcome?.skipped ?? {},
    warnings: outcome?.warnings ?? [],
    artifacts: (outcome?.artifacts ?? []).map((one, index) => renderArtifact(record, one, (index + 1) * orderStep)),
    ...(artifactUrl(record, summaryName) === null ? {} : { summary_path: pathOf(summaryName) })
  }
}

function renderArtifact (record: JobRecord, { name, format, ...rest }: AnalysisArtifact,
  order: number): Static<typeof artifact> {
  const url = artifactUrl(record, name) ?? ''
  return {
    artifact_id: name,
    analysis: rest.analysis,
    label: rest.label,
    format,
    output_path: pathOf(name),
    download_url: url,
    ...(format === 'html' || format === 'svg' ? { embed_url: url } : {}),
    description: rest.description,
    render_inline: rest.renderInline,
    preview_markdown: rest.previewMarkdown,
    highlights: rest.highlights,
    display_order: order,
    is_primary_visual: rest.isPrimaryVisual,
    is_thumbnail: rest.isThumbnail
  }
}

/** The path in the zip of the result. */
function pathOf (name: string): string {
  return fileOfArtifact(name)?.file ?? name
}

/** The specification in the form of a request's block. */
export function renderExplainabilityConfig (spec: ExplainabilitySpec): Static<typeof explainabilityConfig> {
  const isAsked = (name: ExplainabilitySpec['analyses'][number]) => spec.analyses.includes(name)
  return {
    enabled: true,
    feature_importance: isAsked('feature_importance'),
    shap: isAsked('shap'),
    feature_feature_correlations: isAsked('feature_feature_correlations'),
    feature_target_correlations: isAsked('feature_target_correlations'),
    forecast_plot: isAsked('forecast_plot'),
    rolling_regression: isAsked('rolling_regression'),
    trailing_history_steps: spec.trailingHistorySteps,
    max_rows: spec.maxRows,
    max_features: spec.maxFeatures,
    top_k_features: spec.topKFeatures,
    shap_sample_size: spec.shapSampleSize
  }
}

export function renderExplanation (words: JobExplanation): Static<typeof explanation> {
  return {
    headline: words.headline,
    narrative: words.narrative,
    data_findings: words.dataFindings,
    forecast_summary: words.forecastSummary,
    operational_implications: words.operationalImplications,
    caveats: words.caveats,
    confidence: words.confidence,
    generated_by: words.generatedBy
  }
}
