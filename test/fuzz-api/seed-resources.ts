import { csv, series } from '../support/csv.ts'
import type { Client } from '../support/service.ts'
import { connection } from './examples.ts'

/** Ids by the name of their parameter: what a tenant has before the first request is made up. */
export type SeededIds = Record<'job_id' | 'object_id' | 'batch_id' | 'connection_id' | 'model_id', string>

/** One of each resource, made through the interface; jobs have ended, so that their results can be read. */
export async function seedResources (client: Client): Promise<SeededIds> {
  const data = csv(series({ length: 40 }))
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await client.request('POST', path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' }
    })
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
    return await answer.json() as Record<string, string>
  }
  const named = async (answer: Promise<Record<string, string>>, name: string): Promise<string> => {
    const id = (await answer)[name]
    if (id === undefined) throw new Error(`the answer has no ${name}`)
    return id
  }

  const upload = await post('/storage/uploads/presign', {
    filename: 'data.csv',
    content_type: 'text/csv',
    file_size: Buffer.byteLength(data)
  })
  const sent = await fetch(upload['upload_url'] ?? '', {
    method: 'PUT',
    headers: upload['required_headers'] as unknown as Record<string, string>,
    body: data
  })
  if (!sent.ok) throw new Error(`the upload answered ${sent.status}: ${await sent.text()}`)
  const objectId = upload['object_id'] ?? ''
  await post(`/storage/uploads/${objectId}/complete`, {})

  const { job_id: jobId } = await client.submitted(data, {
    prediction_length: '3',
    presets: 'fast',
    explainability: '{"enabled":true}'
  })
  const batchId = await named(
    post('/forecast/batch', { requests: [{ object_id: objectId, prediction_length: 3, presets: 'fast' }] }),
    'batch_id'
  )
  const connectionId = await named(post('/data-connections', connection), 'connection_id')
  const training = await named(
    post('/fine-tune/storage-object', {
      object_id: objectId,
      name: 'a model',
      base_preset: 'fast',
      prediction_length: 3
    }),
    'job_id'
  )
  await client.ended(jobId)
  const trained = await client.ended(training)
  if (trained.status !== 'completed') throw new Error(`the training has failed: ${trained.error}`)
  return {
    job_id: jobId,
    object_id: objectId,
    batch_id: batchId,
    connection_id: connectionId,
    model_id: String(trained['model_version'])
  }
}
