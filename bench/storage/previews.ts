import { request } from 'node:http'
import type { LoadClient } from '../http/load-client.ts'
import { generatePanel } from '../panel.ts'
import { quantile } from '../quantile.ts'
import type { Measurement } from '../result.ts'

/** Previews of a stored CSV file of some megabytes, one after the other. */
export async function measurePreviews (client: LoadClient, trial: boolean): Promise<Measurement> {
  const csv = Buffer.from([...generatePanel({ series: 500, length: 250, step: 'day', seasonLength: 7 })].join(''))
  const objectId = await store(client, csv)
  const samplesMs: number[] = []
  const warmUp = 20
  for (let sample = 0; sample < (trial ? 50 : 500); sample++) {
    const startMs = performance.now()
    const { status, text } = await client.request(`/storage/objects/${objectId}/preview`)
    if (status !== 200) throw new Error(`the preview answered ${status}: ${text.slice(0, 300)}`)
    if (sample >= warmUp) samplesMs.push(performance.now() - startMs)
  }
  return {
    what: `preview of a stored CSV file of ${Math.round(csv.length / 2 ** 20)} MiB, p99 of ${samplesMs.length}`,
    figure: quantile(samplesMs, 0.99),
    unit: 'ms',
    gate: { atMost: 50 }
  }
}

/** Puts a file up and gives its object id. */
export async function store (client: LoadClient, content: Buffer): Promise<string> {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const payload = Buffer.from(JSON.stringify(body))
    const { status, text } = await client.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': payload.length },
      body: payload
    })
    if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${text.slice(0, 300)}`)
    return JSON.parse(text) as Record<string, unknown>
  }
  const upload = await post('/storage/uploads/presign', {
    filename: 'panel.csv',
    content_type: 'text/csv',
    file_size: content.length
  })
  await new Promise<void>((resolve, reject) => {
    const outgoing = request(String(upload['upload_url']), {
      method: 'PUT',
      headers: upload['required_headers'] as Record<string, string>
    }, (incoming) => {
      incoming.resume().on('end',
        () =>
          incoming.statusCode === 200 ? resolve() : reject(new Error(`the upload was answered ${incoming.statusCode}`)))
    })
    outgoing.on('error', reject).end(content)
  })
  await post(`/storage/uploads/${String(upload['object_id'])}/complete`, {})
  return String(upload['object_id'])
}
