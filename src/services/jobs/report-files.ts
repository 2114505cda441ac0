import { explainabilityFolder } from '../../platform/store/keys.ts'
import { artifactFiles } from '../../report/analyses/artifact-files.ts'
import type { JobRecord, RecordedJobType } from './job-record.ts'

/** Files that explain a result to people and programs, and are read by name. */
export const reportArtifacts = ['report.html', 'metrics.json'] as const
export type ReportArtifact = typeof reportArtifacts[number]

/** The reports of a completed job by type. A training has none. */
const ofType: Record<RecordedJobType, readonly ReportArtifact[]> = {
  forecast: ['report.html'],
  sandbox_forecast: ['report.html'],
  fine_tune: [],
  classification: reportArtifacts,
  sandbox_classification: reportArtifacts,
  regression: reportArtifacts,
  sandbox_regression: reportArtifacts
}

export function reportsOf (jobType: RecordedJobType): readonly ReportArtifact[] {
  return ofType[jobType]
}

/** Files that explain a result and are not part of it. */
export const reportNames: ReadonlySet<string> = new Set(['report.json', ...reportArtifacts])

/** The files of requested analyses. The job lists all but the summary. */
export const summaryName = 'summary.json'
const analysisNames: ReadonlySet<string> = new Set([...artifactFiles.map(({ name }) => name), summaryName])

/**
 * The file of a job that a name refers to; undefined when no job has such a file. Names of reports and of analyses are
 * distinct.
 */
export function fileOfArtifact (name: string): { file: string, isAnalysis: boolean } | undefined {
  if ((reportArtifacts as readonly string[]).includes(name)) return { file: name, isAnalysis: false }
  return analysisNames.has(name) ? { file: `${explainabilityFolder}/${name}`, isAnalysis: true } : undefined
}

/**
 * A path, never a signed address, so that records and logs contain nothing that opens a file. null when the job does
 * not have the file, or not yet.
 */
export function artifactUrl ({ jobId, status, files }: Pick<JobRecord, 'jobId' | 'status' | 'files'>, name: string):
  | string
  | null {
  const found = fileOfArtifact(name)
  return status === 'completed' && files.some((one) => one.name === found?.file)
    ? `/jobs/${jobId}/artifacts/${name}`
    : null
}
