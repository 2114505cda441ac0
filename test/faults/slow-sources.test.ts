import t from 'tap'
import type { StoreAddress } from '../support/connector.ts'
import { startHostileStore } from '../support/hostile-store.ts'
import { signal } from '../support/processes.ts'
import { Client, panelCsv, startService, type Job } from '../support/service.ts'
import { until } from '../support/until.ts'

/* A customer's store that sends as slowly as it may. */

const entry = '<Contents><Key>d/data.csv</Key><LastModified>2026-01-01T00:00:00Z</LastModified><ETag>"e"</ETag><Size>100000000</Size></Contents>'

/** A forecast of what lies in the store, and further ones. */
async function jobOfSource (client: Client, store: StoreAddress): Promise<Job & { again: () => Promise<Job> }> {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await client.request('POST', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
    return await answer.json() as Record<string, unknown>
  }
  const { connection_id: connectionId } = await post('/data-connections', {
    connector_type: 's3_compatible',
    name: 'slow',
    object_storage: {
      file_format: 'csv',
      bucket: 'bkt',
      prefix: 'd/data.csv',
      region: store.region,
      endpoint_url: store.endpoint,
      auth_method: 'access_key',
      credentials: { access_key_id: store.accessKeyId, secret_access_key: store.secretAccessKey }
    }
  })
  const again = async (): Promise<Job> => await post(`/data-connections/${String(connectionId)}/forecast`, { prediction_length: 3, presets: 'fast' }) as Job
  return { ...await again(), again }
}

t.test('jobs that read a slow source hold no slot: another tenant\'s large job completes beside them', async (t) => {
  // Fast enough to be no time-out, for as long as the test takes.
  const block = 's1,2020-01-01,1\n'.repeat(2_000)
  const slow = await startHostileStore(t, ({ url }, response) => {
    if (url?.includes('list-type')) return response.end(`<ListBucketResult><IsTruncated>false</IsTruncated>${entry}</ListBucketResult>`)
    response.writeHead(200, { etag: '"e"', 'content-length': '100000000' }).write('item_id,timestamp,target\n')
    const timer = setInterval(() => response.write(block), 500)
    response.on('close', () => clearInterval(timer))
  })
  const service = await startService({
    TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8', TABCAST_SLOTS: '2', TABCAST_SLOT_THREADS: '1', TABCAST_WORKERS: '1', TABCAST_DRAIN_MS: '500'
  })
  t.teardown(service.cleanup)
  const evil = new Client(service.baseUrl, await service.createKey('evil'))
  const good = new Client(service.baseUrl, await service.createKey('good'))
  const first = await jobOfSource(evil, slow)
  const jobs: Job[] = [first]
  for (let job = 1; job < 6; job++) jobs.push(await first.again())
  await until('sources that are read', () => slow.requests.filter((request) => request.includes('/d/data.csv') && !request.includes('list-type')).length >= 3, 60_000)
  const { job_id: jobId } = await good.submitted(panelCsv(150, 120), { prediction_length: '12', presets: 'balanced' })
  t.match(await good.ended(jobId), { status: 'completed' })
  const states = await Promise.all(jobs.map(async (job) => (await evil.job(job.job_id)).status))
  t.strictSame(states.sort(), ['pending', 'pending', 'pending', 'running', 'running', 'running'], 'and a tenant has so many under way')
  for (const job of jobs) t.equal((await evil.request('DELETE', `/jobs/${job.job_id}`)).status, 204)
  await until('the store to be left alone', () => service.log().includes('run cancelled'))
})

t.test('a job in quarantine that reads a slow source holds no slot, and computes when it has read it', async (t) => {
  const data = Buffer.from(panelCsv(1_500, 100))
  let isReleased = false
  let reads = 0
  const slow = await startHostileStore(t, ({ url }, response) => {
    const listed = entry.replace('100000000', String(data.length))
    if (url?.includes('list-type')) return response.end(`<ListBucketResult><IsTruncated>false</IsTruncated>${listed}</ListBucketResult>`)
    reads++
    response.writeHead(200, { etag: '"e"', 'content-length': String(data.length) })
    let sent = 0
    const timer = setInterval(() => {
      const end = isReleased ? data.length : sent + 12 * 1024
      response.write(data.subarray(sent, end))
      sent = end
      if (sent < data.length) return
      clearInterval(timer)
      response.end()
    }, 500)
    response.on('close', () => clearInterval(timer))
  })
  const service = await startService({
    TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8', TABCAST_SLOTS: '2', TABCAST_SLOT_THREADS: '1', TABCAST_WORKERS: '1', TABCAST_LEASE_MS: '2000', TABCAST_RECONCILE_MS: '300'
  })
  t.teardown(service.cleanup)
  const slowly = new Client(service.baseUrl, await service.createKey('slowly'))
  const good = new Client(service.baseUrl, await service.createKey('good'))
  const { job_id: id } = await jobOfSource(slowly, slow)
  for (const lost of [1, 2]) {
    await until(`read ${lost}`, () => reads === lost, 60_000)
    for (const pid of service.pids('worker')) signal(pid, 'SIGKILL')
  }
  await until('it reads in a worker of its own', () => reads === 3 && service.log().includes('job runs in a worker of its own'), 60_000)
  const { job_id: beside } = await good.submitted(panelCsv(150, 120), { prediction_length: '12', presets: 'balanced' })
  t.match(await good.ended(beside), { status: 'completed' })
  t.match(await slowly.job(id), { status: 'running' })
  isReleased = true
  t.match(await slowly.ended(id), { status: 'completed', attempt: 3 })
})
