import type { JobType } from '../queue/messages.ts'
import type { JobRecord } from './job-record.ts'

/** What explains a result to people and programs, and is read by its name. */
export const artifactNames = ['report.html', 'metrics.json'] as const
export type ArtifactName = typeof artifactNames[number]

/** What a completed job of a type has; a training has nothing of the kind. */
const ofType: Record<JobType, readonly ArtifactName[]> = { forecast: ['report.html'], fine_tune: [], classification: artifactNames, regression: artifactNames }

export function artifactsOf (jobType: JobType): readonly ArtifactName[] {
  return ofType[jobType]
}

/** Files that explain a result without being one. */
export const reportNames: ReadonlySet<string> = new Set(['report.json', ...artifactNames])

/** A path, never a signed address: records and logs hold nothing that opens a file. null: the job has no such file, or not yet. */
export function artifactUrl ({ jobId, status, files }: Pick<JobRecord, 'jobId' | 'status' | 'files'>, name: ArtifactName): string | null {
  return status === 'completed' && files.some((file) => file.name === name) ? `/jobs/${jobId}/artifacts/${name}` : null
}
