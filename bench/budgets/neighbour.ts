import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadClient } from '../http/load-client.ts'

export interface Latencies {
  reads: number[]
  previews: number[]
}

const readPauseMs = 20
const previewPauseMs = 100

/**
 * A tenant who reads a job and looks at a small file of its own, at a steady pace, for so long; milliseconds of each
 * request.
 */
export async function measureNeighbour (client: LoadClient,
  { jobId, objectId, seconds }: { jobId: string, objectId: string, seconds: number }): Promise<Latencies> {
  const endMs = performance.now() + seconds * 1000
  const paced = async (path: string, pauseMs: number): Promise<number[]> => {
    const samples: number[] = []
    while (performance.now() < endMs) {
      const startMs = performance.now()
      const { status, text } = await client.request(path)
      if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text.slice(0, 300)}`)
      samples.push(performance.now() - startMs)
      await sleep(Math.max(0, pauseMs - (performance.now() - startMs)))
    }
    return samples
  }
  const [reads, previews] = await Promise.all([paced(`/jobs/${jobId}`, readPauseMs),
    paced(`/storage/objects/${objectId}/preview`, previewPauseMs)])
  return { reads, previews }
}
