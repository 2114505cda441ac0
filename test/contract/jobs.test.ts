import t from 'tap'
import { csv, series } from '../support/csv.ts'
import { expectError, suggestionOf } from '../support/expect-error.ts'
import { objectsOf } from '../support/leftovers.ts'
import { holdSlot, oneSlot } from '../support/long-job.ts'
import { Client, startService, type Job } from '../support/service.ts'
import { until } from '../support/until.ts'

/*
 * The life of a job over HTTP. One slot, so that a long job keeps others pending; and uploads above 100 KB are checked
 * by the job itself, so that there are failed jobs to look at.
 */
const service = await startService({ ...oneSlot, TABCAST_RATE_LIMITS: 'false', TABCAST_SYNC_CHECK_MAX_BYTES: '100000' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))
const small = csv(series())
const quick = { prediction_length: '3', presets: 'fast' }

async function completed (fields: Record<string, string> = quick): Promise<Job> {
  const { job_id: jobId } = await client.submitted(small, fields)
  const job = await client.ended(jobId)
  if (job.status !== 'completed') throw new Error(`${job.error_code}: ${job.error}`)
  return job
}

async function failed (): Promise<Job> {
  const rows = series({ length: 5000, stepMs: 3_600_000, stamp: (time) => time.toISOString() })
  const { job_id: jobId } = await client.submitted(csv([...rows, ...rows.slice(0, 2)]), quick)
  return await client.ended(jobId)
}

async function remove (...jobs: Job[]): Promise<void> {
  for (const { job_id: jobId } of jobs) {
    const { status } = await client.request('DELETE', `/jobs/${jobId}`)
    if (status !== 204) throw new Error(`DELETE /jobs/${jobId} answered ${status}`)
  }
}

type Presence = 'set' | 'null'
/** Every field of the job, and whether it has a value while pending, running, completed and failed. */
const fields: Record<string, [pending: Presence, running: Presence, completed: Presence, failed: Presence]> = {
  job_id: ['set', 'set', 'set', 'set'],
  status: ['set', 'set', 'set', 'set'],
  created_at: ['set', 'set', 'set', 'set'],
  job_type: ['set', 'set', 'set', 'set'],
  completed_at: ['null', 'null', 'set', 'set'],
  elapsed_seconds: ['null', 'null', 'set', 'set'],
  num_items: ['null', 'null', 'set', 'null'],
  prediction_length: ['set', 'set', 'set', 'set'],
  error: ['null', 'null', 'null', 'set'],
  error_code: ['null', 'null', 'null', 'set'],
  download_url: ['null', 'null', 'set', 'null'],
  report_url: ['null', 'null', 'set', 'null'],
  external_covariate_metadata: ['null', 'null', 'null', 'null'],
  explainability: ['null', 'null', 'null', 'null'],
  explainability_url: ['null', 'null', 'null', 'null'],
  forecast_plot_url: ['null', 'null', 'null', 'null'],
  reconciliation: ['null', 'null', 'null', 'null'],
  timings: ['null', 'null', 'set', 'set'],
  explanation: ['null', 'null', 'set', 'null'],
  preparation: ['null', 'null', 'null', 'null'],
  request_id: ['set', 'set', 'set', 'set'],
  config_hash: ['set', 'set', 'set', 'set'],
  dataset_hash: ['null', 'null', 'set', 'null'],
  model_version: ['set', 'set', 'set', 'set'],
  delivery_status: ['null', 'null', 'null', 'null'],
  delivery_connection_id: ['null', 'null', 'null', 'null'],
  delivery_uri: ['null', 'null', 'null', 'null'],
  delivery_error: ['null', 'null', 'null', 'null'],
  callback_status: ['null', 'null', 'null', 'null'],
  connector_code: ['null', 'null', 'null', 'null'],
  batch_id: ['null', 'null', 'null', 'null'],
  custom_id: ['null', 'null', 'null', 'null'],
  name: ['null', 'null', 'null', 'null'],
  metadata: ['null', 'null', 'null', 'null'],
  warnings: ['set', 'set', 'set', 'set'],
  effective_config: ['set', 'set', 'set', 'set'],
  progress: ['set', 'set', 'null', 'null'],
  attempt: ['set', 'set', 'set', 'set'],
  expires_at: ['null', 'null', 'set', 'set']
}

t.test('a job has every field in every state: a value or null, never absent, and nothing else', async (t) => {
  const done = await completed()
  const broken = await failed()
  const running = await holdSlot(t, client)
  const pending = await client.submitted(small, quick)
  const states = { pending, running, completed: done, failed: broken }
  for (const [state, job] of Object.entries(states)) {
    t.equal(job.status, state)
    t.strictSame(Object.keys(job).sort(), Object.keys(fields).sort(), `${state}: no field more and none less`)
  }
  Object.entries(fields).forEach(([field, presences]) => {
    t.test(field, async (t) => {
      Object.entries(states).forEach(([state, job], at) =>
        t.equal(job[field] === null ? 'null' : 'set', presences[at], `${state}: ${JSON.stringify(job[field])}`)
      )
    })
  })
  t.strictSame(await client.job(pending.job_id), {
    ...pending,
    progress: (await client.job(pending.job_id))['progress']
  }, 'GET shows what the 202 showed')
  await remove(pending, running)
})

t.test('a 202 carries Location and Retry-After, and the job says what was asked', async (t) => {
  const request = { ...quick, freq: 'd'.toUpperCase(), name: 'weekly run', metadata: '{"team": "ops", "n": [1, 2]}' }
  const answer = await client.submit(small, request)
  const job = await answer.json() as Job
  t.equal(answer.status, 202)
  t.equal(answer.headers.get('location'), `/jobs/${job.job_id}`)
  t.equal(answer.headers.get('retry-after'), '1')
  t.match(job, {
    status: 'pending',
    job_type: 'forecast',
    prediction_length: 3,
    name: 'weekly run',
    metadata: { team: 'ops', n: [1, 2] },
    attempt: 0,
    request_id: answer.headers.get('x-request-id'),
    effective_config: {
      prediction_length: 3,
      presets: 'fast',
      item_id_column: 'item_id',
      timestamp_column: 'timestamp',
      target_column: 'target',
      covariates: [],
      freq: 'D',
      quantile_levels: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
      timestamp_format: 'pandas',
      quantile_column_style: 'raw',
      sheet_name: null,
      preparation: null,
      reconciliation: null,
      feature_engineering: null,
      explainability: null,
      training: null
    }
  })
  t.match(job.job_id, /^job_[0-9A-HJKMNP-TV-Z]{26}$/)
  t.match(job['model_version'], /^\d+\.\d+\.\d+.*\+fast$/)
  const done = await client.ended(job.job_id)
  t.match(done, {
    name: 'weekly run',
    metadata: { team: 'ops', n: [1, 2] },
    request_id: job['request_id'],
    num_items: 1,
    attempt: 1
  })
  t.equal(done['download_url'], `/jobs/${job.job_id}/download`)
})

t.test('times are UTC, in order, and say when the job expires', async (t) => {
  const job = await completed()
  const [created = '', ended = '', expires = ''] = ['created_at', 'completed_at', 'expires_at'].map((field) =>
    String(job[field])
  )
  for (const time of [created, ended, expires]) t.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  t.ok(Date.parse(created) <= Date.parse(ended))
  t.equal(Date.parse(expires) - Date.parse(ended), 3_600_000, 'an hour after its end')
  t.equal(job['elapsed_seconds'], (Date.parse(ended) - Date.parse(created)) / 1000)
})

t.test('timings are seconds by stage, and the parts do not exceed the total', async (t) => {
  const stages = ['queue', 'ingest', 'validate', 'covariates', 'features', 'fit', 'predict', 'reconcile', 'explain',
    'write', 'total']
  const { total = 0, ...parts } = (await completed())['timings'] as Record<string, number>
  for (const [stage, seconds] of Object.entries(parts)) {
    t.ok(stages.includes(stage), `${stage} is a known stage`)
    t.ok(seconds >= 0 && Math.abs(seconds * 1000 - Math.round(seconds * 1000)) < 1e-6,
      `${stage}: ${seconds} has three decimals`)
  }
  for (const stage of ['queue', 'ingest', 'fit', 'predict', 'explain', 'write']) {
    t.ok(stage in parts, `${stage} was measured`)
  }
  for (const stage of ['covariates', 'features', 'reconcile']) {
    t.notOk(stage in parts, `${stage} did not run, so it has no key`)
  }
  t.ok(Object.values(parts).reduce((sum, seconds) => sum + seconds, 0) <= total + 1e-9)
})

t.test('a failed job names its error, and its download is a 409', async (t) => {
  const job = await failed()
  t.match(job, { status: 'failed', error_code: 'validation_error', attempt: 1 })
  t.match(job.error, /duplicate|same/i)
  for (const format of ['', '?format=csv', '?format=parquet', '?format=zip', '?format=presign']) {
    const envelope = await expectError(t, await client.request('GET', `/jobs/${job.job_id}/download${format}`), 409,
      'job_not_completed')
    t.match(JSON.stringify(envelope.detail), 'validation_error', 'the detail names the code')
    t.equal(envelope.retryable, false)
  }
  t.equal((await client.request('GET', `/jobs/${job.job_id}`)).headers.get('retry-after'), null,
    'a job that has ended needs no retry')
})

t.test('a job that waits or runs shows its progress, asks for patience, and its download is a 409', async (t) => {
  const running = await holdSlot(t, client)
  const pending = [await client.submitted(small, quick), await client.submitted(small, quick)]
  for (const { job_id: jobId } of [running, ...pending]) {
    const answer = await client.request('GET', `/jobs/${jobId}`)
    t.match(answer.headers.get('retry-after') ?? '', /^[1-5]$/)
    const { progress } = await answer.json() as { progress: { stage: string, fraction: number } }
    t.type(progress.stage, 'string')
    t.ok(progress.fraction >= 0 && progress.fraction <= 1)
    const envelope = await expectError(t, await client.request('GET', `/jobs/${jobId}/download`), 409,
      'job_not_completed')
    t.ok(suggestionOf(envelope))
  }
  await remove(running)
  for (const { job_id: jobId } of pending) t.equal((await client.ended(jobId)).status, 'completed')
})

t.test('wait answers at the next change of state, or when its time is over', async (t) => {
  const running = await holdSlot(t, client)
  const pending = await client.submitted(small, quick)
  const started = performance.now()
  t.equal((await client.job(pending.job_id, 1)).status, 'pending', 'unchanged after its time')
  t.ok(performance.now() - started >= 990, 'the second was waited')

  const change = client.job(pending.job_id, 30)
  await remove(running)
  t.not((await change).status, 'pending', 'woken by the change')
  await client.ended(pending.job_id)
  const atOnce = performance.now()
  t.equal((await client.job(pending.job_id, 30)).status, 'completed')
  t.ok(performance.now() - atOnce < 10_000, 'nothing to wait for once it has ended')
})

t.test('a job that is deleted while somebody waits for it is a 404 for them', async (t) => {
  const running = await holdSlot(t, client)
  const pending = await client.submitted(small, quick)
  const waiting = client.request('GET', `/jobs/${pending.job_id}?wait=30`)
  await remove(pending)
  await expectError(t, await waiting, 404, 'job_not_found')
  await remove(running)
})

t.test('delete removes a job in any state, with its files, and a second delete is a 404', async (t) => {
  const done = await completed()
  const link = await client.request('GET', `/jobs/${done.job_id}/download`)
  const signed = link.headers.get('location') ?? ''
  t.equal((await fetch(signed)).status, 200)
  const broken = await failed()
  const running = await holdSlot(t, client)
  const pending = await client.submitted(small, quick)
  for (const job of [done, broken, pending, running]) {
    const answer = await client.request('DELETE', `/jobs/${job.job_id}`)
    t.equal(answer.status, 204)
    t.equal(await answer.text(), '')
    await expectError(t, await client.request('GET', `/jobs/${job.job_id}`), 404, 'job_not_found')
    await expectError(t, await client.request('GET', `/jobs/${job.job_id}/download`), 404, 'job_not_found')
    await expectError(t, await client.request('DELETE', `/jobs/${job.job_id}`), 404, 'job_not_found')
  }
  t.not((await fetch(signed)).status, 200, 'the signed address gives nothing any more')
  for (const job of [done, broken, pending, running]) {
    await until(`the files of the ${job.status} job to be gone`, async () =>
      (await objectsOf(service, 'acme', job.job_id)).length === 0, 60_000)
  }
  t.equal((await completed()).status, 'completed', 'the slot of the running job is free again')
  t.strictSame(await objectsOf(service, 'acme', running.job_id), [], 'and the cancelled run wrote nothing afterwards')
})

t.test('jobs past their retention are gone, with their files', async (t) => {
  await service.restart({ TABCAST_JOB_RETENTION_SECONDS: '1', TABCAST_SWEEP_MS: '200' })
  const { job_id: jobId } = await client.submitted(small, quick)
  await until('the job to end and expire', async () => (await client.request('GET', `/jobs/${jobId}`)).status === 404)
  await expectError(t, await client.request('GET', `/jobs/${jobId}/download`), 404, 'job_not_found')
  await until('its files to be gone', async () => (await objectsOf(service, 'acme', jobId)).length === 0)
})
