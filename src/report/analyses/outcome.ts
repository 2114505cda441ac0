import type { Drawing } from '../chart/layout.ts'
import type { Section } from '../section.ts'
import type { AnalysisName } from './analyses-document.ts'

/** A file of an analysis, as the record of a job keeps it. */
export interface AnalysisFile {
  /** Its name among the files of the job, which is its id. */
  name: string
  analysis: AnalysisName
  label: string
  format: 'csv' | 'html' | 'svg'
  description: string
  renderInline: boolean
  /** A table in Markdown; empty: there is nothing to show in brief. */
  previewMarkdown: string
  /** One to three plain sentences. */
  highlights: string[]
  isPrimaryVisual: boolean
  isThumbnail: boolean
}

/** What came of the analyses that were asked for. */
export interface AnalysesOutcome {
  /** At most 1,500 characters. */
  overviewMarkdown: string
  completed: AnalysisName[]
  /** Reasons by analysis. */
  skipped: Partial<Record<AnalysisName, string>>
  warnings: string[]
  /** Files of one analysis follow each other. */
  artifacts: AnalysisFile[]
}

/** What one analysis shows, and what is told of it in brief. */
export interface AnalysisView {
  title: string
  /** Plain sentences, which its page begins with. */
  highlights: string[]
  sections: ReadonlyArray<Section | null>
  /** Of the file of its own. */
  drawing: Drawing & { description: string }
  /** A table in Markdown. */
  preview: string
}
