import type { RunContext } from './run-context.ts'

const deletion = 'deleted'

export function isDeletion (reason: unknown): boolean {
  return reason === deletion
}

/** Work on what a job has left; its signal aborts when the job is deleted. */
export async function untilDeleted<T> ({ queue }: Pick<RunContext, 'queue'>, jobId: string,
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
