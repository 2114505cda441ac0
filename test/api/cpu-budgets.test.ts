import t from 'tap'
import { messageVersion as v } from '../../src/domain/message-version.ts'
import type { TablePreview } from '../../src/domain/table-preview.ts'
import { sandboxTenant } from '../../src/services/keys/scopes.ts'
import { CpuBudgets } from '../../src/services/quotas/cpu-budgets.ts'
import { openApi } from '../support/api.ts'
import { expectError, suggestionOf } from '../support/expect-error.ts'
import { StorageCaller } from '../support/storage.ts'

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const preview: TablePreview = {
  columns: ['a'],
  rows: [[1]],
  truncated: false,
  delimiter: ',',
  encoding: 'utf-8',
  quote: null,
  detected: { timestamp: null, target: null, itemId: null, frequency: null }
}

t.test('what a tenant has computed while it waits is paid in processor time, and nobody else pays', async (t) => {
  const stage = await openApi(t, { TABCAST_SYNC_CPU_MS_PER_MINUTE: '6000' })
  stage.preview = () => ({ v, ok: true, preview, cpuMs: 5000 })
  const acme = new StorageCaller(stage)
  const other = await StorageCaller.of(stage, 'other')
  const [id, others] = [await acme.store(csv), await other.store(csv)]
  const look = async (caller: StorageCaller, object: string) =>
    await caller.ask('GET', `/storage/objects/${object}/preview`)
  t.match(await acme.json('GET', '/limits'), { rate_limits: { sync_cpu_ms_per_minute: 6000 } })
  for (const round of [1, 2]) {
    t.equal((await look(acme, id)).status, 200, `look ${round}: what a request takes is known afterwards`)
  }

  // 10,000 of 6,000 ms are used, and 100 come back each second.
  const refused = await look(acme, id)
  const envelope = await expectError(t, refused, 429, 'rate_limited')
  const seconds = Number(refused.headers.get('retry-after'))
  t.ok(seconds >= 35 && seconds <= 41, `the debt of about 4000 ms is paid in about 40 s: ${seconds}`)
  t.match(envelope.detail, { detail: /6000 ms of processor time/, retry_after_seconds: seconds })
  t.ok(suggestionOf(envelope))
  const requests: Array<[string, object]> = [
    ['/forecast/storage-object', { object_id: id }],
    ['/forecast/batch', { requests: [{ object_id: id }] }],
    ['/estimate/runtime', { num_items: 1, total_rows: 10 }],
    ['/v2/classify/storage-object', { object_id: id }],
    ['/fine-tune/storage-object', { object_id: id }],
    ['/agent/validate', { intent: {}, columns: [] }]
  ]
  for (const [path, body] of requests) await expectError(t, await acme.ask('POST', path, body), 429, 'rate_limited')
  for (const path of ['/forecast', '/agent/extract', '/agent/forecast', '/v2/regress', '/fine-tune']) {
    const { statusCode } = await stage.app.inject({
      method: 'POST',
      url: path,
      headers: {
        authorization: `Bearer ${acme.key}`,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': '1000000'
      }
    })
    t.equal(statusCode, 429, `${path}: before the body is read`)
  }
  for (const path of ['/jobs', '/limits', `/storage/objects/${id}`, `/storage/objects/${id}/download-url`]) {
    t.equal((await acme.ask('GET', path)).status, 200, `${path} takes none`)
  }
  t.equal((await look(other, others)).status, 200)
  t.equal((await other.ask('POST', '/forecast/storage-object', { object_id: others })).status, 202)
  t.match(await stage.metrics.text(), /tabcast_sync_cpu_seconds_total\{work="preview"\} 15\n/)
})

t.test('a check and the api itself are paid, and a batch that was taken is finished', async (t) => {
  const stage = await openApi(t, { TABCAST_SYNC_CPU_MS_PER_MINUTE: '1000' })
  stage.checkReply = { ...stage.checkReply, cpuMs: 300 }
  const acme = new StorageCaller(stage)
  const id = await acme.store(csv)
  const requests = Array.from({ length: 6 }, (_, at) => ({ object_id: id, custom_id: `r${at}` }))
  t.equal((await acme.ask('POST', '/forecast/batch', { requests })).status, 202, '1800 ms')
  await expectError(t, await acme.ask('POST', '/forecast/storage-object', { object_id: id }), 429, 'rate_limited')
  const text = await stage.metrics.text()
  t.match(text, /tabcast_sync_cpu_seconds_total\{work="check"\} 1\.8\d*\n/)
  t.match(text, /tabcast_sync_cpu_seconds_total\{work="api"\} 0\.0*[1-9]/)
})

t.test('a burst that is let in at once is refused in its turn when others of it have used a minute more than there ' +
  'was', async (t) => {
  const stage = await openApi(t, { TABCAST_SYNC_CPU_MS_PER_MINUTE: '1000' })
  stage.preview = () => ({ v, ok: true, preview, cpuMs: 900 })
  const acme = new StorageCaller(stage)
  const id = await acme.store(csv)
  const answers = await Promise.all(Array.from({ length: 12 }, () => acme.ask('GET', `/storage/objects/${id}/preview`)))
  const taken = answers.filter(({ status }) => status === 200).length
  t.ok(taken >= 2 && taken <= 4, `${taken} of 12`)
  for (const answer of answers.filter(({ status }) => status !== 200)) await expectError(t, answer, 429, 'rate_limited')
})

t.test('without limits of requests there is none of processor time', async (t) => {
  const stage = await openApi(t, { TABCAST_SYNC_CPU_MS_PER_MINUTE: '100', TABCAST_RATE_LIMITS: 'false' })
  stage.preview = () => ({ v, ok: true, preview, cpuMs: 1e9 })
  const acme = new StorageCaller(stage)
  const id = await acme.store(csv)
  for (const round of [1, 2, 3]) {
    t.equal((await acme.ask('GET', `/storage/objects/${id}/preview`)).status, 200, `look ${round}`)
  }
})

t.test('Retry-After is the time after which the same request is let in, and not much more', async (t) => {
  let now = 0
  const budgets = new CpuBudgets({ perMinuteMs: 600, now: () => now })
  for (let round = 0; round < 200; round++) {
    budgets.spend('a', 'check', 1 + (round * 7919) % 2000)
    const refusal = seconds(budgets)
    if (refusal === null) continue
    now += (refusal - 1) * 1000 - 1
    if (refusal > 1) t.not(seconds(budgets), null, 'a second earlier it is still refused')
    now += 1001
    t.equal(seconds(budgets), null, 'then it is not')
  }
  now += 1e9
  for (let tenant = 0; tenant < 25_000; tenant++) budgets.spend(`t${tenant}`, 'api', 0.1)
  budgets.spend('a', 'check', 600)
  t.ok(seconds(budgets), 'no more than a minute is saved up')
})

t.test('what is saved up has a bound of its own, and the minute has all of its time', async (t) => {
  let now = 0
  const budgets = new CpuBudgets({ perMinuteMs: 600, savedShare: 0.3, now: () => now })
  now += 1e9
  budgets.spend('a', 'api', 179)
  t.equal(seconds(budgets), null)
  budgets.spend('a', 'api', 1)
  t.equal(seconds(budgets), 1, 'no more than that, however long it was idle')
  let spent = 180
  for (let second = 0; second < 60; second++) {
    now += 1000
    budgets.spend('a', 'api', 10)
    spent += 10
    if (seconds(budgets) !== 1) t.fail(`second ${second}: ${seconds(budgets)}`)
  }
  t.equal(spent, 780)
})

function seconds (budgets: CpuBudgets): number | null {
  return budgets.refusal('a')?.retryAfterSeconds ?? null
}

t.test('all of the sandbox together has a quarter of what one tenant has', async (t) => {
  let now = 0
  const budgets = new CpuBudgets({ perMinuteMs: 600, now: () => now })
  for (const tenant of [sandboxTenant, 'acme']) budgets.spend(tenant, 'check', 300)
  t.equal(budgets.refusal('acme'), undefined)
  t.match(budgets.refusal(sandboxTenant), { code: 'rate_limited', message: /the 150 ms/, retryAfterSeconds: 61 })
  now += 61_000
  t.equal(budgets.refusal(sandboxTenant), undefined)
})
