import { standAloneSvg } from '../chart/stand-alone-svg.ts'
import { html } from '../html.ts'
import { renderReportPage } from '../report-page.ts'
import { named, shownText } from '../shown-text.ts'
import { analysisNames, type AnalysesDocument, type AnalysisName } from './analyses-document.ts'
import { analysesSummary, warningText } from './analyses-summary.ts'
import { artifactFilesOf } from './artifact-files.ts'
import { checkAnalyses } from './check-analyses.ts'
import { inQuotes } from './quotes.ts'
import type { AnalysesOutcome, AnalysisFile, AnalysisView } from './outcome.ts'
import { overviewMarkdown } from './overview.ts'
import { subjectOf, type Subject } from './subject.ts'
import { featureFeatureView } from './views/feature-feature-view.ts'
import { featureTargetView } from './views/feature-target-view.ts'
import { importanceView } from './views/importance-view.ts'
import { rollingView } from './views/rolling-view.ts'
import { detailedPreview, shapView } from './views/shap-view.ts'

/** Larger pages are not shown beside a result. */
const mostInlineBytes = 300_000

export interface AnalysesInput {
  document: AnalysesDocument
  /** Sizes of the files that exist already, by name: the engine's, and the page and drawing of the forecast plot. */
  files: Readonly<Record<string, number>>
  /** How many features drawings and the overview show, at least 1; tables have all. */
  topFeatures?: number
  /** Keys of the sentences of the explanation, for `summary.json`. */
  explanationKeys?: unknown
}

export interface RenderedAnalyses {
  outcome: AnalysesOutcome
  /** Texts of the new files, by name: a page and a drawing per analysis, and `summary.json`. */
  files: Record<string, string>
}

/**
 * The pages, drawings and records of the analyses of a forecast or a table. Equal documents give equal bytes. No files
 * are listed for an analysis that was not completed, nor files that do not exist.
 * @throws Error if the parts of the document do not fit together
 */
export function renderAnalyses (
  { document: given, files: present, topFeatures = 15, explanationKeys }: AnalysesInput
): RenderedAnalyses {
  const document = checkAnalyses(given)
  const subject = subjectOf(document)
  const artifactFiles = artifactFilesOf(subject)
  const completed = analysisNames.filter((name) => document.completed.includes(name))
  const files: Record<string, string> = {}
  const views = new Map<AnalysisName, AnalysisView>()
  for (const analysis of completed) {
    const view = viewOf(document, analysis, subject, topFeatures)
    if (view === null) continue
    views.set(analysis, view)
    for (const { name, format } of artifactFiles.filter((file) => file.analysis === analysis)) {
      if (format === 'html') files[name] = pageOf(view, subject)
      if (format === 'svg') files[name] = standAloneSvg({ ...view.drawing, title: `${view.title}: ${subject.target}` })
    }
  }
  const sizeOf = (name: string) => files[name] === undefined ? present[name] : Buffer.byteLength(files[name])
  const artifacts = artifactFiles.filter(
    ({ name, analysis }) => completed.includes(analysis) && sizeOf(name) !== undefined
  ).map((file): AnalysisFile => ({
    ...file,
    renderInline: file.format === 'svg' || (file.format === 'html' && (sizeOf(file.name) ?? 0) < mostInlineBytes),
    previewMarkdown: previewOf(file.name, document, subject, views.get(file.analysis)),
    highlights: views.get(file.analysis)?.highlights ?? [
      `The forecast of ${inQuotes(document.target)} is drawn beside its recent history.`
    ],
    isPrimaryVisual: false,
    isThumbnail: false
  }))
  const primary = firstOf(artifacts, 'html')
  const thumbnail = firstOf(artifacts, 'svg')
  if (primary !== undefined) primary.isPrimaryVisual = true
  if (thumbnail !== undefined) thumbnail.isThumbnail = true
  files['summary.json'] = `${JSON.stringify(analysesSummary(document, topFeatures, explanationKeys), null, 2)}\n`
  return {
    outcome: {
      overviewMarkdown: overviewMarkdown(document, topFeatures),
      completed,
      skipped: Object.fromEntries(
        analysisNames.flatMap((name) => document.skipped[name] === undefined ? [] : [[name, document.skipped[name]]])
      ),
      warnings: document.warnings.map(warningText),
      artifacts
    },
    files
  }
}

/** The plot comes first if it was completed, then the importance: files are in the order in which they are shown. */
function firstOf (artifacts: readonly AnalysisFile[], format: AnalysisFile['format']): AnalysisFile | undefined {
  return artifacts.find((file) => file.format === format)
}

/** Null: the page is made elsewhere. */
function viewOf (
  document: AnalysesDocument,
  analysis: AnalysisName,
  subject: Subject,
  topFeatures: number
): AnalysisView | null {
  const { importance, shap, feature_target: target, feature_feature: pairs, rolling } = document
  if (analysis === 'feature_importance' && importance !== null) return importanceView(importance, subject, topFeatures)
  if (analysis === 'shap' && shap !== null) return shapView(shap, importance, subject, topFeatures)
  if (analysis === 'feature_target_correlations' && target !== null) {
    return featureTargetView(target.rows, subject, topFeatures)
  }
  if (analysis === 'feature_feature_correlations' && pairs !== null) return featureFeatureView(pairs)
  if (analysis === 'rolling_regression' && rolling !== null) return rollingView(rolling)
  return null
}

/** The page of one analysis: its findings, its charts with their numbers, and how to read them. */
function pageOf ({ title, highlights, sections }: AnalysisView, subject: Subject): string {
  return renderReportPage({
    title: `${title}: ${shownText(subject.target)}`,
    heading: html`${title}<small>${subject.title} of ${named(subject.target)}</small>`,
    lead: html`<div class="verdict">${highlights.map((sentence) => html`<p>${sentence}</p>`)}</div>
`,
    sections,
    footer: 'Made by tabcast. This page loads nothing and runs no script. ' +
      'The CSV files of the analysis have every figure in full.'
  })
}

function previewOf (
  name: string,
  { shap }: AnalysesDocument,
  subject: Subject,
  view: AnalysisView | undefined
): string {
  if (name === 'shap_values.csv' && shap !== null) return detailedPreview(shap, subject)
  return view?.preview ?? ''
}
