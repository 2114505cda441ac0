import type { PrivateService } from '../../src/commands/demo/private-service.ts'
import { buildForm, LoadClient } from '../http/load-client.ts'
import { generatePanel } from '../panel.ts'
import { median } from '../quantile.ts'
import type { Measurement } from '../result.ts'
import { store } from './previews.ts'

/**
 * Time to the answer for an identifier of another tenant against one that nobody has: their medians must not tell
 * which.
 */
export async function measureForeignIds (service: PrivateService, trial: boolean): Promise<Measurement[]> {
  const owner = new LoadClient(service.baseUrl, await service.createKey('owner'))
  const stranger = new LoadClient(service.baseUrl, await service.createKey('stranger'))
  try {
    const jobId = await owner.forecast(
      buildForm({ prediction_length: '3', presets: 'fast' },
        generatePanel({ series: 1, length: 50, step: 'day', seasonLength: 7 }))
    )
    const objectId = await store(owner, Buffer.from('item_id,timestamp,target\na,2026-01-01,1\na,2026-01-02,2\n'))
    const connectionId = await connect(owner)
    const routes: Array<[what: string, path: (id: string) => string, id: string]> = [
      ['GET /jobs/{id}', (id) => `/jobs/${id}`, jobId],
      ['GET /jobs/{id}/download', (id) => `/jobs/${id}/download?format=csv`, jobId],
      ['GET /jobs/{id}/callback-attempts', (id) => `/jobs/${id}/callback-attempts`, jobId],
      ['GET /storage/objects/{id}', (id) => `/storage/objects/${id}`, objectId],
      ['GET /storage/objects/{id}/download-url', (id) => `/storage/objects/${id}/download-url`, objectId],
      ['GET /storage/objects/{id}/preview', (id) => `/storage/objects/${id}/preview`, objectId],
      ['GET /data-connections/{id}', (id) => `/data-connections/${id}`, connectionId],
      ['GET /data-connections/audit', (id) => `/data-connections/audit?connection_id=${id}`, connectionId]
    ]
    const rows: Measurement[] = []
    for (const [what, path, id] of routes) {
      rows.push(await compare(stranger, what, path(id), path(unknownLike(id)), trial ? 200 : 2_000))
    }
    return rows
  } finally {
    owner.close()
    stranger.close()
  }
}

async function compare (client: LoadClient, what: string, foreign: string, unknown: string,
  samples: number): Promise<Measurement> {
  const us: Record<'foreign' | 'unknown', number[]> = { foreign: [], unknown: [] }
  const ask = async (kind: 'foreign' | 'unknown', path: string): Promise<void> => {
    const startMs = performance.now()
    const { status } = await client.request(path)
    us[kind].push((performance.now() - startMs) * 1000)
    if (status !== 404) throw new Error(`${what} answered ${status} for an identifier that is ${kind}`)
  }
  for (let sample = 0; sample < samples; sample++) {
    // Neither is always the first of the two.
    const order = sample % 2 === 0 ? ['foreign', 'unknown'] as const : ['unknown', 'foreign'] as const
    for (const kind of order) await ask(kind, kind === 'foreign' ? foreign : unknown)
  }
  const difference = Math.abs(median(us.foreign) - median(us.unknown))
  return {
    what: `${what}: foreign against unknown identifier, difference of medians of ${samples}`,
    figure: difference,
    unit: 'us',
    gate: { atMost: 50 }
  }
}

/** As well-formed as the other one. */
function unknownLike (id: string): string {
  return `${id.slice(0, -4)}${id.endsWith('ZZZZ') ? 'YYYY' : 'ZZZZ'}`
}

async function connect (client: LoadClient): Promise<string> {
  const payload = Buffer.from(JSON.stringify({
    connector_type: 's3_compatible',
    name: 'bench',
    object_storage: {
      bucket: 'nothing',
      region: 'us-east-1',
      auth_method: 'access_key',
      file_format: 'csv',
      credentials: { access_key_id: 'key-of-the-bench', secret_access_key: 'secret-of-the-bench' }
    }
  }))
  const { status, text } = await client.request('/data-connections', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': payload.length },
    body: payload
  })
  if (status !== 201) throw new Error(`POST /data-connections answered ${status}: ${text.slice(0, 300)}`)
  return (JSON.parse(text) as { connection_id: string }).connection_id
}
