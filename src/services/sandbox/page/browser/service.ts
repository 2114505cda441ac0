import { settings } from './page-settings.ts'
import { connectionProblem, problemOf } from './problem.ts'

/** The part of a job that the page shows. */
export interface Job {
  job_id: string
  status: 'pending' | 'running' | 'completed' | 'failed'
  error: string | null
  elapsed_seconds: number | null
  report_url: string | null
  forecast_plot_url?: string | null
  warnings: Array<{ message: string }> | null
  progress: { stage: string, fraction: number | null, queue_position: number | null } | null
}

/** How long one request waits for news of the job. */
const waitSeconds = 10
const retries = 5
const retryMs = 2_000

/** Rejects with a Problem unless the response is a success. */
export async function ask (path: string, options: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${settings.key}` }
  const address = settings.prefix + path
  const response = await fetch(address, { ...options, headers }).catch(() => {
    throw connectionProblem()
  })
  if (!response.ok) throw await problemOf(response)
  return response
}

/** Asks until the job has ended. A few answers may get lost. */
export async function follow (jobId: string, onNews: (job: Job) => void): Promise<Job> {
  for (let failures = 0;;) {
    try {
      const job = await (await ask(`/jobs/${jobId}?wait=${waitSeconds}`)).json() as Job
      failures = 0
      onNews(job)
      if (job.status === 'completed' || job.status === 'failed') return job
    } catch (error) {
      if (++failures > retries) throw error
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}
