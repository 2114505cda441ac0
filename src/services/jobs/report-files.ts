import { explainabilityFolder } from '../../platform/store/keys.ts'
import { artifactFiles } from '../../report/analyses/artifact-files.ts'
import type { JobRecord, RecordedJobType } from './job-record.ts'

/** What explains a result to people and programs, and is read by its name. */
export const reportArtifacts = ['report.html', 'metrics.json'] as const
export type ReportArtifact = typeof reportArtifacts[number]

/** What a completed job of a type has; a training has nothing of the kind. */
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

/** Files that explain a result without being one. */
export const reportNames: ReadonlySet<string> = new Set(['report.json', ...reportArtifacts])

/** What analyses leave, where they were asked for; all but the last stand on the job. */
export const summaryName = 'summary.json'
const analysisNames: ReadonlySet<string> = new Set([...artifactFiles.map(({ name }) => name), summaryName])

/**
 * Which of the files of a job a name stands for; undefined: no job has such a file. The names of reports and of
 * analyses do not meet.
 */
export function fileOfArtifact (name: string): { file: string, isAnalysis: boolean } | undefined {
  if ((reportArtifacts as readonly string[]).includes(name)) return { file: name, isAnalysis: false }
  return analysisNames.has(name) ? { file: `${explainabilityFolder}/${name}`, isAnalysis: true } : undefined
}

/**
 * A path, never a signed address: records and logs hold nothing that opens a file. null: the job has no such file, or
 * not yet.
 */
export function artifactUrl ({ jobId, status, files }: Pick<JobRecord, 'jobId' | 'status' | 'files'>, name: string):
  | string
  | null {
  const found = fileOfArtifact(name)
  return status === 'completed' && files.some((one) => one.name === found?.file)
    ? `/jobs/${jobId}/artifacts/${name}`
    : null
}
