import type { TestS3 } from './s3.ts'
import type { Client, Job } from './service.ts'
import { until } from './until.ts'

export interface StorageSettings {
  bucket: string
  prefix?: string
  key_pattern?: string
  file_format?: 'csv' | 'json' | 'jsonl' | 'parquet'
  compression?: 'gzip' | 'zstd'
}

/** A tenant with a store of its own, through the interface of a running service. */
export class TenantStore {
  readonly client: Client
  readonly s3: TestS3
  readonly endpoint: string

  /** `endpoint`: where the service finds the store, when that is not the store itself. */
  constructor (client: Client, s3: TestS3, endpoint = s3.endpoint) {
    this.client = client
    this.s3 = s3
    this.endpoint = endpoint
  }

  async post<T = Record<string, unknown>> (path: string, body: object = {}): Promise<T> {
    const answer = await this.client.request('POST', path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' }
    })
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
    return await answer.json() as T
  }

  async connect (storage: StorageSettings): Promise<string> {
    const { accessKeyId, secretAccessKey, region } = this.s3
    const { connection_id: id } = await this.post<{ connection_id: string }>('/data-connections', {
      connector_type: 's3_compatible',
      name: 'test',
      object_storage: {
        file_format: 'csv',
        region,
        endpoint_url: this.endpoint,
        auth_method: 'access_key',
        credentials: { access_key_id: accessKeyId, secret_access_key: secretAccessKey },
        ...storage
      }
    })
    return id
  }

  /** The job at its end; with an `output`, at the end of its delivery. */
  async forecast (connectionId: string, body: { output?: object } & Record<string, unknown> = {}): Promise<Job> {
    const { job_id: id } = await this.post<Job>(`/data-connections/${connectionId}/forecast`, {
      prediction_length: 3,
      presets: 'fast',
      ...body
    })
    const job = await this.client.ended(id)
    return body.output === undefined ? job : await this.delivered(id)
  }

  async delivered (jobId: string, limitMs = 60_000): Promise<Job> {
    return await until('the end of the delivery', async () => {
      const job = await this.client.job(jobId).catch((error: unknown) => {
        // The api may be restarting.
        if (error instanceof TypeError) return undefined
        throw error
      })
      return ['delivered', 'failed', 'skipped'].includes(String(job?.['delivery_status'])) ? job : undefined
    }, limitMs)
  }

  async audit (connectionId: string, action: string): Promise<Array<Record<string, unknown>>> {
    const answer = await this.client.request('GET', `/data-connections/audit?connection_id=${connectionId}`)
    const { records } = await answer.json() as { records: Array<Record<string, unknown>> }
    return records.filter((record) => record['action'] === action)
  }

  async keys (bucket: string, prefix = ''): Promise<string[]> {
    const objects = await this.s3.client.listObjectsV2(bucket, prefix, true).toArray() as Array<{ name: string }>
    return objects.map(({ name }) => name)
  }

  async read (bucket: string, key: string): Promise<Buffer> {
    return Buffer.concat(await (await this.s3.client.getObject(bucket, key)).toArray() as Buffer[])
  }
}
