import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import type { Bench } from '../bench.ts'
import { buildForm, LoadClient } from '../http/load-client.ts'
import { generatePanel } from '../panel.ts'
import { quantile } from '../quantile.ts'
import { comparison, type Measurement } from '../result.ts'
import { measureNeighbour, type Latencies } from './neighbour.ts'

const program = fileURLToPath(new URL('flood-process.js', import.meta.url))

/**
 * What one tenant's flood of requests that compute costs another one: phases with and without it alternate, the limits
 * are the defaults.
 */
export const benchBudgets: Bench = async ({ trial, folder, log }) => {
  const service = await startPrivateService({ folder, command: join('dist', 'cli.js'), settings: {} })
  const floodingKey = await service.createKey('flooding')
  const neighbour = new LoadClient(service.baseUrl, await service.createKey('neighbour'))
  const flooding = new LoadClient(service.baseUrl, floodingKey)
  const [idle, flooded]: [Latencies, Latencies] = [{ reads: [], previews: [] }, { reads: [], previews: [] }]
  const statuses = new Map<number, number>()
  try {
    const small = generatePanel({ series: 1, length: 60, step: 'day', seasonLength: 7 })
    const jobId = await neighbour.forecast(buildForm({ prediction_length: '12', presets: 'fast' }, small))
    const objectId = await store(neighbour,
      [...generatePanel({ series: 1, length: 60, step: 'day', seasonLength: 7 })].join(''))
    const largeId = await store(flooding,
      [...generatePanel({ series: 200, length: 1000, step: 'day', seasonLength: 7 })].join(''))
    const seconds = trial ? 8 : 20
    await measureNeighbour(neighbour, { jobId, objectId, seconds: trial ? 2 : 10 })
    // The first answers of each kind have their writers compiled; a service that has been up for a minute has them.
    await flood(service.baseUrl, floodingKey, largeId, async () => await sleep(3_000))
    for (let round = 0; round < (trial ? 1 : 4); round++) {
      log(`round ${round + 1}`)
      add(idle, await measureNeighbour(neighbour, { jobId, objectId, seconds }))
      const answered = await flood(service.baseUrl, floodingKey, largeId, async () =>
        add(flooded, await measureNeighbour(neighbour, { jobId, objectId, seconds })))
      for (const [status, count] of answered) statuses.set(status, (statuses.get(status) ?? 0) + count)
    }
    log(`the flood was answered ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`)
    return [
      row("a neighbour's GET /jobs/{id}, p99", idle.reads, flooded.reads),
      row("a neighbour's preview of a small file, p99", idle.previews, flooded.previews),
      { what: 'requests of the flood that were refused with 429', figure: statuses.get(429) ?? 0, unit: 'requests' }
    ]
  } catch (error) {
    log(`the end of the service's log:\n${service.logTail(20)}`)
    throw error
  } finally {
    neighbour.close()
    flooding.close()
    await service.stop()
  }
}

/**
 * Floods while `during` runs; how often the flood was answered with which status. Its client stands for one on another
 * machine, so it has only what the service and its neighbour leave of this one.
 */
async function flood (baseUrl: string, key: string, objectId: string,
  during: () => Promise<void>): Promise<Array<[number, number]>> {
  const child = spawn(process.execPath, [program, baseUrl, key, objectId], { stdio: ['pipe', 'pipe', 'inherit'] })
  setPriority(child.pid as number, constants.priority.PRIORITY_LOW)
  const printed = text(child.stdout)
  try {
    await sleep(1_000)
    await during()
  } finally {
    child.stdin.end()
  }
  const statuses = JSON.parse(await printed) as Record<string, number>
  return Object.entries(statuses).map(([status, count]) => [Number(status), count])
}

function row (what: string, idle: number[], flooded: number[]): Measurement {
  return {
    ...comparison({
      what: `${what}, while another tenant floods what computes`,
      figure: quantile(flooded, 0.99),
      unit: 'ms',
      peer: { name: 'without the flood', figure: quantile(idle, 0.99) }
    }),
    gate: { below: 2 }
  }
}

function add (all: Latencies, more: Latencies): void {
  all.reads.push(...more.reads)
  all.previews.push(...more.previews)
}

async function store (client: LoadClient, content: string): Promise<string> {
  const json = { 'content-type': 'application/json' }
  const presigned = await client.request('/storage/uploads/presign', {
    method: 'POST',
    headers: json,
    body: Buffer.from(JSON.stringify({ filename: 'a.csv', content_type: 'text/csv' }))
  })
  const { object_id: id, upload_url: url, required_headers: headers } = JSON.parse(presigned.text) as {
    object_id: string
    upload_url: string
    required_headers: Record<string, string>
  }
  const sent = await fetch(url, { method: 'PUT', headers, body: content })
  const done = await client.request(`/storage/uploads/${id}/complete`, {
    method: 'POST',
    headers: json,
    body: Buffer.from('{}')
  })
  if (!sent.ok || done.status !== 200) throw new Error(`the upload answered ${sent.status} and ${done.status}`)
  return id
}
