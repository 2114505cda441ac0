import type { Test } from 'tap'
import type { Client, Job } from './service.ts'
import { until } from './until.ts'

/** With one slot of one thread, the job below holds all there is for many seconds on any machine. */
export const oneSlot = { TABCAST_SLOTS: '1', TABCAST_SLOT_THREADS: '1' }

const items = 8000
const months = 120
let dataset: string | undefined

function longDataset (): string {
  if (dataset !== undefined) return dataset
  const steps = Array.from({ length: months }, (_, step) => {
    const month = new Date(Date.UTC(2015, step, 1)).toISOString().slice(0, 10)
    return `,${month},${(100 + step + 10 * Math.sin(step) + 5 * Math.cos(step * step)).toFixed(3)}\n`
  })
  const rows = Array.from({ length: items }, (_, item) => steps.map((step) => `i${item}${step}`).join(''))
  dataset = `item_id,timestamp,target\n${rows.join('')}`
  return dataset
}

/**
 * Submits a job that holds the only slot until it is deleted, at the latest when the test is over; resolves once it
 * runs.
 */
export async function holdSlot (t: Test, client: Client): Promise<Job> {
  const { job_id: jobId } = await client.submitted(longDataset(), { presets: 'best', prediction_length: '200' })
  t.teardown(async () => {
    await client.request('DELETE', `/jobs/${jobId}`)
  })
  return await until('the long job to run', async () => {
    const job = await client.job(jobId)
    return job.status === 'running' ? job : undefined
  })
}
