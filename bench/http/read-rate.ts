import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { median } from '../quantile.ts'
import { comparison, type Measurement } from '../result.ts'
import type { LoadClient } from './load-client.ts'

const connections = 16

async function requestsPerSecond (url: string, authorization: string, seconds: number): Promise<number> {
  const result = await autocannon({ url, connections, duration: seconds, headers: { authorization } })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} answers other than 2xx, ${result.errors} errors`)
  }
  return result.requests.average
}

/**
 * GET /jobs/{id} of a completed job against a bare route with the same bytes; rounds of both alternate, medians are
 * compared.
 */
export async function measureReadRate (client: LoadClient, baseUrl: string, jobId: string,
  trial: boolean): Promise<Measurement> {
  const rounds = trial ? 2 : 7
  const seconds = trial ? 1 : 4
  const { text } = await client.request(`/jobs/${jobId}`)
  const bare = spawn(process.execPath, [fileURLToPath(new URL('bare-server.js', import.meta.url)), text], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  try {
    const [line] = await once(bare.stdout, 'data') as [Buffer]
    const bareUrl = `${line.toString().trim()}/jobs/${jobId}`
    const ownUrl = `${baseUrl}/jobs/${jobId}`
    // The compiler needs some ten thousand requests to settle: the CPU time of a request then falls to a quarter of
    // what it was.
    await requestsPerSecond(ownUrl, client.authorization, trial ? 2 : 10)
    await requestsPerSecond(bareUrl, client.authorization, trial ? 2 : 10)
    const own: number[] = []
    const peer: number[] = []
    for (let round = 0; round < rounds; round++) {
      own.push(await requestsPerSecond(ownUrl, client.authorization, seconds))
      peer.push(await requestsPerSecond(bareUrl, client.authorization, seconds))
    }
    return {
      ...comparison({
        what: `GET /jobs/{id}, key checked, no rate limits, ${connections} connections, median of ${rounds} rounds`,
        figure: median(own),
        unit: 'requests/s',
        peer: { name: 'bare Fastify route, same bytes', figure: median(peer) }
      }),
      // Neighbouring rounds saw the same machine, so the ratio is the median of their ratios.
      ratio: median(own.map((rate, round) => rate / (peer[round] as number))),
      gate: { atLeast: 0.8 },
      aim: { atLeast: 0.95 }
    }
  } finally {
    bare.stdin.end()
  }
}
