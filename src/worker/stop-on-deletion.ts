import type { RunContext } from './run-context.ts'

const deletion = 'deleted'

export function isDeletion (reason: unknown): boolean {
  return reason === deletion
}

/**
 * Runs work for a job that has ended, such as a delivery. Its signal aborts when the job is deleted. A job that still
 * runs notices its deletion in `job-run.ts`.
 */
export async function stopOnDeletion<T> ({ queue }: Pick<RunContext, 'queue'>, jobId: string,
  work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const unsubscribe = queue.onCancel(jobId, (isDeleted) => {
    if (isDeleted) controller.abort(deletion)
  })
  try {
    return await work(controller.signal)
  } finally {
    unsubscribe()
  }
}
