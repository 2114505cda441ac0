import t from 'tap'
import { ulid } from 'ulid'
import { messageVersion } from '../../src/domain/message-version.ts'
import type { QuickCheckReply } from '../../src/platform/queue/quick-messages.ts'
import type { JobRecord } from '../../src/services/jobs/job-record.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, type Answer } from '../support/expect-error.ts'
import { form } from '../support/form.ts'
import { Stage } from '../support/job-stage.ts'
import { testSpec } from '../support/job-message.ts'
import { StorageCaller } from '../support/storage.ts'
import { until } from '../support/until.ts'

const MiB = 2 ** 20
const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const large = { rows: 16_000, series: 400, minLength: 40, maxLength: 40, freq: 'D' }
const found = (profile: typeof large): QuickCheckReply => ({ v: messageVersion, ok: true, profile, warnings: [] })

async function post (stage: ApiStage, key: string, horizon: number,
  more: Array<[string, string]> = []): Promise<Answer> {
  const { headers, payload } = form([['prediction_length', String(horizon)], ...more, ['file', csv, 'a.csv']])
  const { statusCode, headers: sent, payload: text } = await stage.app.inject({
    method: 'POST',
    url: '/forecast',
    headers: { ...headers, authorization: `Bearer ${key}` },
    payload
  })
  return {
    status: statusCode,
    headers: new Headers(Object.entries(sent).map(([name, value]) => [name, String(value)])),
    text
  }
}

const jobOf = ({ text }: Answer): string => (JSON.parse(text) as { job_id: string }).job_id

/** Of nine levels, a row has 88 bytes as Parquet and 211 as CSV: 400 series of 100 steps have about 12 MB. */
t.test('results of open jobs count as stored, so a tenant with small uploads leaves room for another', async (t) => {
  const stage = await openApi(t, { TABCAST_DATA_DIR_MAX_BYTES: String(64 * MiB) })
  stage.beforeCheck = () => found(large)
  await stage.room.measure()
  const evil = new StorageCaller(stage)
  const good = await StorageCaller.of(stage, 'good')
  const jobs: string[] = []
  let refused: Answer | undefined
  for (let at = 0; at < 20 && refused === undefined; at++) {
    const answer = await post(stage, evil.key, 100)
    if (answer.status === 202) jobs.push(jobOf(answer))
    else refused = answer
  }
  t.equal(jobs.length, 4, 'three quarters of the room')
  const { detail } = await expectError(t, refused!, 429, 'rate_limited')
  t.match(detail, { reason: 'uploads_under_way', suggestion: /shorter forecast/, detail: /results of your open jobs/ })
  t.equal(refused?.headers.get('retry-after'), '30')
  t.equal((await post(stage, evil.key, 1)).status, 202, 'a small result has room')
  t.equal((await post(stage, good.key, 50)).status, 202, 'and so has another tenant')
  const full = await expectError(t, await post(stage, good.key, 200), 503, 'storage_error')
  t.match(full.detail, { reason: 'data_dir_full', suggestion: /Delete/, detail: /Results of accepted jobs/ })

  const asks = async (): Promise<number> => (await post(stage, evil.key, 50)).status
  t.equal(await asks(), 429)
  t.equal((await evil.ask('DELETE', `/jobs/${jobs[3]}`)).status, 204)
  t.equal(await asks(), 202, 'a deleted job needs none')
  const ended = async (status: string): Promise<boolean> =>
    (await evil.json<{ jobs: unknown[] }>('GET', `/jobs?status=${status}`)).jobs.length > 0
  for (const code of [null, 'pipeline_failed'] as const) {
    t.equal(await asks(), 429)
    // The next turn may be the other tenant's.
    for (let turn = 0; turn < 2; turn++) {
      const handle = await stage.takeNext('large')
      const { message } = handle
      await stage.publishEnd(message, ulid(), code === null ? { 'forecast.csv': csv } : {}, {
        code,
        error: code === null ? null : 'It failed.'
      })
      handle.ack()
      if (message.tenant === 'acme') break
    }
    await until('its end', () => ended(code === null ? 'completed' : 'failed'))
    t.equal(await asks(), 202, `nor does one that ended with ${code}`)
    t.equal(await asks(), 202, 'twice half of it')
  }
})

t.test('results of many tenants to come keep no newcomer with little out', async (t) => {
  const stage = await Stage.open(t, { TABCAST_DATA_DIR_MAX_BYTES: String(64 * MiB) })
  await stage.room.measure()
  stage.checkReply = found(large)
  const spec = { ...testSpec, predictionLength: 60 }
  for (const evil of ['evil-1', 'evil-2', 'evil-3', 'evil-4']) {
    for (let accepted = true; accepted;) accepted = await stage.submit(evil, spec).then(() => true, () => false)
  }
  await t.rejects(stage.submit('good', spec), { code: 'storage_error', reason: 'data_dir_full' })
  // One series needs 128 KiB.
  stage.checkReply = found({ ...large, rows: 40, series: 1 })
  for (const evil of ['evil-5', 'evil-6', 'evil-7', 'evil-8']) {
    for (let accepted = true; accepted;) accepted = await stage.submit(evil, spec).then(() => true, () => false)
  }
  t.match(await stage.submit('good'), { tenant: 'good', status: 'pending' })
})

t.test('a restart keeps the room of open jobs, until they end', async (t) => {
  const stage = await Stage.open(t, { TABCAST_DATA_DIR_MAX_BYTES: String(64 * MiB) })
  stage.checkReply = found(large)
  const spec = { ...testSpec, predictionLength: 100 }
  const submit = async (owner = 'evil') => await stage.submit(owner, spec)
  const refused = { code: 'rate_limited', reason: 'uploads_under_way' }
  await stage.room.measure()
  const records: JobRecord[] = []
  // Of three levels, a row has 40 bytes as Parquet and 97 as CSV.
  while (records.length < 8) records.push(await submit())
  await t.rejects(submit(), refused)
  await stage.stopApi()
  await stage.startApi()
  await stage.jobs.restored
  await until('the worker is seen', () => stage.jobs.state().workers === 1 && stage.jobs.state().connected)
  await stage.room.measure()
  await t.rejects(submit(), refused)
  await submit('good')
  for (const { tenant, jobId } of records.slice(0, 4)) await stage.jobs.delete(tenant, jobId)
  await submit()
})
