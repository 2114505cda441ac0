import type { JobRecord } from '../jobs/job-record.ts'

const plain = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/

/**
 * The folder of each job in the zip of a batch, by job id: the caller's name where it is safe on every disk, else its
 * safe characters beside the job's id. Names that differ only in case count as equal, because some disks do not tell
 * them apart.
 */
export function entryNames (jobs: ReadonlyArray<Pick<JobRecord, 'jobId' | 'batch'>>): Map<string, string> {
  const taken = new Set<string>()
  return new Map(jobs.map(({ jobId, batch }) => {
    const customId = batch?.customId ?? jobId
    const isFree = plain.test(customId) && !taken.has(customId.toLowerCase())
    const name = isFree ? customId : `${customId.replaceAll(/[^A-Za-z0-9_-]/gu, '_').slice(0, 60)}_${jobId}`
    taken.add(name.toLowerCase())
    return [jobId, name]
  }))
}
