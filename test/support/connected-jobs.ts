import type { StoreAddress } from './connector.ts'
import type { Client, Job } from './service.ts'

/** Connects a bucket of a customer's store; what it gives makes a forecast of what lies there, each time anew. */
export async function connectedJobs (client: Client, store: StoreAddress,
  prefix: string): Promise<(body?: object) => Promise<Job>> {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await client.request('POST', path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' }
    })
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
    return await answer.json() as Record<string, unknown>
  }
  const { connection_id: connectionId } = await post('/data-connections', {
    connector_type: 's3_compatible',
    name: 'source',
    object_storage: {
      file_format: 'csv',
      bucket: 'bkt',
      prefix,
      region: store.region,
      endpoint_url: store.endpoint,
      auth_method: 'access_key',
      credentials: { access_key_id: store.accessKeyId, secret_access_key: store.secretAccessKey }
    }
  })
  return async (body = {}) =>
    await post(`/data-connections/${String(connectionId)}/forecast`, {
      prediction_length: 3,
      presets: 'fast',
      ...body
    }) as Job
}
