import type { Drawing } from '../chart/layout.ts'
import type { Section } from '../section.ts'
import type { AnalysisName } from './analyses-document.ts'

/** A file of an analysis, as the job's record has it. */
export interface AnalysisFile {
  /** Its name among the files of the job, which is also its id. */
  name: string
  analysis: AnalysisName
  label: string
  format: 'csv' | 'html' | 'svg'
  description: string
  renderInline: boolean
  /** A table in Markdown; empty if there is nothing to preview. */
  previewMarkdown: string
  /** One to three plain sentences. */
  highlights: string[]
  isPrimaryVisual: boolean
  isThumbnail: boolean
}

/** The outcome of the analyses that were asked for. */
export interface AnalysesOutcome {
  /** At most 1,500 characters. */
  overviewMarkdown: string
  completed: AnalysisName[]
  /** The reason for each analysis that was skipped. */
  skipped: Partial<Record<AnalysisName, string>>
  warnings: string[]
  /** Files of one analysis are next to each other. */
  artifacts: AnalysisFile[]
}

/** The content of one analysis and its summary. */
export interface AnalysisView {
  title: string
  /** Plain sentences at the beginning of its page. */
  highlights: string[]
  sections: ReadonlyArray<Section | null>
  /** The drawing for its file. */
  drawing: Drawing & { description: string }
  /** A table in Markdown. */
  preview: string
}
