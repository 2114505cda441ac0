import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { expectError } from '../support/expect-error.ts'
import { Client, panelCsv, startService, type Job, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { zipEntries } from '../support/zip.ts'

/*
 * Results too large for the run to write as CSV: the CSV is made at the first download, with the bytes that it would
 * have had.
 */
const settings = { TABCAST_RATE_LIMITS: 'false', TABCAST_SWEEP_MS: '200' }
const fields = { prediction_length: '12', presets: 'fast' }
const panel = panelCsv(4, 60)

async function start (t: Test, changes: Record<string, string>): Promise<{ service: TestService, client: Client }> {
  const service = await startService({ ...settings, ...changes })
  t.teardown(service.cleanup)
  return { service, client: new Client(service.baseUrl, await service.createKey('acme')) }
}

async function completed (client: Client, data = panel): Promise<Job> {
  const job = await client.ended((await client.submitted(data, fields)).job_id)
  if (job.status !== 'completed') throw new Error(`${job.error_code}: ${job.error}`)
  return job
}

/** Follows a redirect, so that every format ends in bytes. */
async function download (client: Client, job: Job,
  format = ''): Promise<{ status: number, type: string, bytes: Buffer }> {
  const path = `/jobs/${job.job_id}/download${format === '' ? '' : `?format=${format}`}`
  let answer = await client.request('GET', path)
  if (answer.status === 307) answer = await fetch(answer.headers.get('location') ?? '')
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    bytes: Buffer.from(await answer.arrayBuffer())
  }
}

/** Names of the job's stored objects. */
function objects (service: TestService, job: Job): string[] {
  const names = readdirSync(join(service.folder, 'data', 'objects'), { recursive: true, withFileTypes: true })
  return names.filter((entry) => entry.isFile() && join(entry.parentPath).includes(job.job_id)).map(({ name }) => name)
    .sort()
}

function conversions (service: TestService): number {
  return service.log().split('"CSV made"').length - 1
}

t.test('a CSV that is made at a download', async (t) => {
  const usual = await start(t, {})
  const late = await start(t, { TABCAST_MAX_CSV_BYTES: '100' })
  const { service, client } = late
  const expected = await completed(usual.client)
  const csv = await download(usual.client, expected, 'csv')

  await t.test('has the bytes and the type of one that the run wrote, in every form of download', async (t) => {
    for (const format of ['csv', '', 'presign']) {
      const job = await completed(client)
      t.strictSame(objects(service, job), ['forecast.parquet', 'input', 'report.html', 'report.json', 'result.cbor'],
        'the run left it out')
      const [first, second] = [await download(client, job, format), await download(client, job, format)]
      t.strictSame(first, csv, `format ${format}`)
      t.strictSame(second, csv, `format ${format} again`)
      t.strictSame(objects(service, job), ['forecast.csv', 'forecast.parquet', 'input', 'report.html', 'report.json',
        'result.cbor'])
    }
    t.equal(conversions(service), 3)
  })

  await t.test('is in the zip, which has the same bytes before and after', async (t) => {
    const job = await completed(client)
    const [first, second] = [await download(client, job, 'zip'), await download(client, job, 'zip')]
    t.ok(first.bytes.equals(second.bytes))
    const usualZip = zipEntries((await download(usual.client, expected, 'zip')).bytes)
    t.strictSame(zipEntries(first.bytes).map(({ name }) => name), usualZip.map(({ name }) => name))
    // The page says how long its own run took.
    const others = (entries: typeof usualZip) => entries.filter(({ name }) => name !== 'report.html')
    t.strictSame(others(zipEntries(first.bytes)), others(usualZip), 'the entries that the run would have given')
  })

  await t.test('is made once for many downloads at the same time', async (t) => {
    const job = await completed(client)
    const before = conversions(service)
    const formats = ['csv', 'csv', 'zip', '', 'presign', 'csv', 'zip', 'csv']
    const answers = await Promise.all(formats.map((format) => download(client, job, format)))
    t.strictSame(answers.map(({ status }) => status), formats.map(() => 200))
    t.equal(conversions(service), before + 1)
  })

  await t.test('is not needed for Parquet, and the job looks the same before and after', async (t) => {
    const job = await completed(client)
    const parquet = await download(client, job, 'parquet')
    t.strictSame(parquet, await download(usual.client, expected, 'parquet'))
    t.notOk(objects(service, job).includes('forecast.csv'))
    const before = await client.job(job.job_id)
    await download(client, job, 'csv')
    t.strictSame(await client.job(job.job_id), before)
    t.strictSame(await download(client, job, 'parquet'), parquet)
  })

  await t.test('is still there after a restart', async (t) => {
    const job = await completed(client)
    await download(client, job, 'csv')
    const before = conversions(service)
    await service.restart()
    t.strictSame(await download(client, job, 'csv'), csv)
    t.equal(conversions(service), before)
  })

  await t.test('goes with its job, also when the job is deleted while it is made', async (t) => {
    const job = await completed(client, panelCsv(3000, 30))
    const answer = client.request('GET', `/jobs/${job.job_id}/download?format=csv`)
    await until('the conversion',
      () =>
        readdirSync(join(service.folder, 'data', 'scratch'), { recursive: true }).some((name) =>
          String(name).includes('convert-')
        ))
    t.equal((await client.request('DELETE', `/jobs/${job.job_id}`)).status, 204)
    await expectError(t, await answer, 404, 'job_not_found')
    t.strictSame(objects(service, job), [])
  })
})

t.test('a CSV that is made at a download has the room that its tenant has left, and counts with its job', async (t) => {
  const path = join(t.testdir({}), 'quotas.json')
  const limit = (bytes: number | null) => {
    writeFileSync(path, JSON.stringify({ tenants: { acme: { stored_bytes: bytes } } }))
  }
  limit(null)
  const { service, client } = await start(t, { TABCAST_MAX_CSV_BYTES: '100', TABCAST_QUOTAS_FILE: path })
  const stored = async () =>
    (await (await client.request('GET', '/limits')).json() as {
      quotas: { stored_bytes: { limit: number | null, used: number } }
    }).quotas.stored_bytes
  const setLimit = async (bytes: number) => {
    limit(bytes)
    await until('the quota is in force', async () => (await stored()).limit === bytes)
  }
  // A row repeats its item id: the table of a small upload is 200 times as large.
  const item = 'n'.repeat(30_000)
  const data = `item_id,timestamp,target\n${
    ['01', '02', '03', '04', '05'].map((day, at) => `${item},2024-01-${day},${at}\n`).join('')
  }`
  const { job_id: id } = await client.submitted(data, { prediction_length: '1000', presets: 'fast' })
  const job = await client.ended(id)
  t.equal(job.status, 'completed', String(job.error))
  const { used: before } = await stored()
  t.ok(before < 1e6, `${before} bytes are stored`)

  const rest = objects(service, job)
  await setLimit(before + 20e6)
  for (const format of ['csv', 'presign', 'zip', 'csv']) {
    const { detail } = await expectError(t, await client.request('GET', `/jobs/${id}/download?format=${format}`), 429,
      'rate_limited')
    t.match(detail, { reason: 'quota_stored_bytes', quota: { limit: before + 20e6, used: before } }, format)
  }
  t.equal(conversions(service), 0)
  t.strictSame(objects(service, job), rest, 'nothing was made')
  t.equal((await download(client, job, 'parquet')).status, 200)
  t.equal((await stored()).used, before)

  await setLimit(before + 40e6)
  const { bytes } = await download(client, job, 'csv')
  t.ok(bytes.length > 30e6)
  t.equal((await stored()).used, before + bytes.length, 'it counts with its job')
  const { detail } = await expectError(t, await client.submit(`${data}${'z'.repeat(10e6)},2024-01-01,1\n`, fields), 429,
    'rate_limited')
  t.match(detail, { reason: 'quota_stored_bytes' }, 'and stands in the way of what comes')
  await service.restart()
  t.equal((await stored()).used, before + bytes.length)
  t.equal((await client.request('DELETE', `/jobs/${id}`)).status, 204)
  t.equal((await stored()).used, 0)
})

t.test('without a worker a CSV that is to be made is a 503 until there is one again, and what is there is served', async (t) => {
  const { service, client } = await start(t, { TABCAST_MAX_CSV_BYTES: '100', TABCAST_HEARTBEAT_MS: '200' })
  const [made, open] = [await completed(client), await completed(client)]
  const csv = await download(client, made, 'csv')
  // A supervisor that is stopped cannot start another worker.
  const [supervisor = 0] = service.pids('supervisor')
  process.kill(supervisor, 'SIGSTOP')
  try {
    for (const pid of service.pids('worker')) process.kill(pid, 'SIGKILL')
    await until('the worker to be missed', async () => {
      const { checks } = await (await fetch(`${service.baseUrl}/health`)).json() as { checks: Record<string, string> }
      return checks['workers'] !== 'ok'
    })
    for (const format of ['csv', 'zip', 'presign']) {
      const { retryable } = await expectError(t,
        await client.request('GET', `/jobs/${open.job_id}/download?format=${format}`), 503, 'compute_unavailable')
      t.equal(retryable, true)
    }
    t.equal((await download(client, open, 'parquet')).status, 200)
    t.strictSame(await download(client, made, 'csv'), csv)
  } finally {
    process.kill(supervisor, 'SIGCONT')
  }
  t.strictSame(await until('another worker', async () => {
    const answer = await download(client, open, 'csv')
    return answer.status === 200 && answer
  }), csv)
})
