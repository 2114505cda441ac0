import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { KeyRecord } from '../../../src/services/keys/key-record.ts'
import { sandboxTenant, scopes } from '../../../src/services/keys/scopes.ts'
import { expectError } from '../../support/expect-error.ts'
import { form } from '../../support/form.ts'
import { jobOf, openSandbox, panel, type SandboxStage } from '../../support/sandbox.ts'
import { until } from '../../support/until.ts'

/** A visitor's job from its post to its end. */
async function tried (stage: SandboxStage): Promise<string> {
  const { job_id: jobId } = jobOf(await stage.post('forecast'))
  await stage.finishNext({ 'forecast.csv': 'x', 'report.html': '<p>', 'explainability/forecast_plot.html': '<p>' }, {},
    'large')
  await until('its end', async () => jobOf(await stage.ask('GET', `/jobs/${jobId}?wait=5`)).status === 'completed')
  return jobId
}

t.test('a job of the sandbox is read with the very key that made it, and expires after an hour', async (t) => {
  const stage = await openSandbox(t)
  const jobId = await tried(stage)
  const job = jobOf(await stage.ask('GET', `/jobs/${jobId}`))
  t.match(job, { job_type: 'sandbox_forecast', status: 'completed' })
  t.ok(Math.abs(Date.parse(job.expires_at ?? '') - Date.now() - 3_600_000) < 60_000)
  for (const path of ['', '/download?format=csv', '/artifacts/report.html', '/artifacts/forecast_plot.html']) {
    t.equal((await stage.ask('GET', `/jobs/${jobId}${path}`)).status, 200, path)
  }

  const { key: other } = await stage.keys.create({ scopes: ['sandbox'] })
  const { key: owner } = await stage.keys.create({
    tenant: 'acme',
    scopes: scopes.filter((scope) => scope !== 'sandbox')
  })
  for (const key of [other, owner]) {
    for (const path of ['', '?wait=1', '/download', '/artifacts/report.html']) {
      await expectError(t, await stage.ask('GET', `/jobs/${jobId}${path}`, key), 404, 'job_not_found')
    }
  }
  const { headers, payload } = form([['file', panel, 'data.csv']])
  const own = await stage.app.inject({
    method: 'POST',
    url: '/forecast',
    headers: { ...headers, authorization: `Bearer ${stage.key}` },
    payload
  })
  await expectError(t, await stage.ask('GET', `/jobs/${own.json<{ job_id: string }>().job_id}`), 404, 'job_not_found')
})

t.test('what the worker is asked for is the same as of any job, within the caps', async (t) => {
  const stage = await openSandbox(t)
  const works: unknown[] = []
  const types: unknown[] = []
  for (const [path, domain] of [['forecast', 'siemens.com'], ['classify', 'bosch.com'], ['regress',
    'basf.com']] as const) {
    t.match(await stage.post(path, { email: `ana@${domain}` }), { status: 202 })
    const handle = await stage.takeNext('large')
    const { message } = handle
    works.push(message.jobType)
    t.match(message, {
      tenant: sandboxTenant,
      budgetMs: 60_000,
      limits: { maxRows: 10_000, maxSeries: 50, maxColumns: 20 }
    })
    types.push(stage.jobs.get(sandboxTenant, message.jobId)?.jobType)
    handle.ack()
    await stage.jobs.delete(sandboxTenant, message.jobId)
  }
  t.strictSame(works, ['forecast', 'classification', 'regression'])
  t.strictSame(types, ['sandbox_forecast', 'sandbox_classification', 'sandbox_regression'])
})

t.test('the check of the data has the caps of the sandbox', async (t) => {
  const stage = await openSandbox(t, { TABCAST_MAX_SERIES: '30', TABCAST_SYNC_CHECK_MAX_BYTES: '0' })
  let seen: unknown
  stage.beforeCheck = (request) => {
    seen = request
  }
  await stage.post('forecast')
  t.match(seen, { tenant: sandboxTenant, depth: 'full', limits: { maxRows: 10_000, maxSeries: 30, maxColumns: 20 } },
    'and those of the deployment where they are less')
})

t.test('jobs of visitors that wait are no wait of a tenant: they go after it', async (t) => {
  const stage = await openSandbox(t)
  const estimated = async () => {
    const body = JSON.stringify({ num_items: 1, total_rows: 40, num_covariates: 0, prediction_length: 3 })
    const answer = await stage.app.inject({
      method: 'POST',
      url: '/estimate/runtime',
      headers: { authorization: `Bearer ${stage.key}`, 'content-type': 'application/json' },
      payload: body
    })
    t.equal(answer.statusCode, 200)
    return answer.json<{ queue_wait_seconds: number }>().queue_wait_seconds
  }
  const before = await estimated()
  for (const domain of ['siemens.com', 'bosch.com', 'basf.com']) {
    t.equal((await stage.post('forecast', { email: `ana@${domain}` })).status, 202)
  }
  t.equal(await estimated(), before)
})

t.test('nothing of it is in lists, quotas, estimates, metrics, audit or callbacks of anybody', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-quotas-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const quotas = join(folder, 'quotas.json')
  writeFileSync(quotas, JSON.stringify({ default: { jobs_per_day: 0, rows_per_day: 0, stored_bytes: 0 } }))
  const stage = await openSandbox(t, { TABCAST_QUOTAS_FILE: quotas })
  const { key } = await stage.keys.create({ tenant: 'acme', scopes: scopes.filter((scope) => scope !== 'sandbox') })
  const ofSandbox = () => stage.metadata.table('audit').count({ prefix: [sandboxTenant] })
  const before = {
    audit: (await stage.ask('GET', '/audit', key)).text,
    ofSandbox: ofSandbox(),
    metrics: await stage.metrics.text()
  }
  await tried(stage)
  t.strictSame(JSON.parse((await stage.ask('GET', '/jobs', key)).text), { jobs: [], next_cursor: null })
  t.equal((await stage.ask('GET', '/audit', key)).text, before.audit)
  for (const table of ['timings', 'quotaDays', 'quotaTotals', 'quotaHolds', 'callbackMessages', 'endpointMessages']) {
    t.equal(stage.metadata.table(table).count(), 0, table)
  }
  t.equal(ofSandbox(), before.ofSandbox, 'but for its keys')
  const ofJobs = (text: string) => text.split('\n').filter((line) => line.startsWith('tabcast_job'))
  t.strictSame(ofJobs(await stage.metrics.text()), ofJobs(before.metrics))
  t.notMatch(await stage.metrics.text(), /sandbox_|_sandbox/)
})

t.test('a key of the sandbox opens no other route, and no other key opens the sandbox', async (t) => {
  const stage = await openSandbox(t)
  const { key: everything } = await stage.keys.create({
    tenant: 'acme',
    scopes: scopes.filter((scope) => scope !== 'sandbox')
  })
  const { paths } = JSON.parse((await stage.ask('GET', '/openapi.json')).text) as {
    paths: Record<string, Record<string, { security?: unknown[] }>>
  }
  const reads = ['GET /jobs/{job_id}', 'GET /jobs/{job_id}/download', 'GET /jobs/{job_id}/artifacts/{name}']
  const own = ['GET /sandbox/challenge', 'POST /sandbox/forecast', 'POST /sandbox/classify', 'POST /sandbox/regress']
  const seen: string[] = []
  for (const [path, methods] of Object.entries(paths)) {
    for (const [name, { security }] of Object.entries(methods)) {
      const [method, url] = [name.toUpperCase(), path.replace('{*}', 'a/b').replaceAll(/\{[a-z_]+\}/g, 'x')]
      const route = `${method} ${path}`
      seen.push(route)
      const asSandbox = await stage.ask(method, url)
      if (security?.length === 0) {
        t.notOk([401, 403].includes(asSandbox.status) && path !== '/objects/{*}', `${route} is public`)
      } else if (reads.includes(route)) await expectError(t, asSandbox, 404, 'job_not_found')
      else if (own.includes(route)) t.not(asSandbox.status, 403, route)
      else await expectError(t, asSandbox, 403, 'auth_failed')
      if (own.includes(route)) await expectError(t, await stage.ask(method, url, everything), 403, 'auth_failed')
    }
  }
  t.strictSame([...reads, ...own].filter((route) => !seen.includes(route)), [])
  t.ok(seen.length > 60, `${seen.length} routes`)
})

t.test("a key of the sandbox is no tenant's, and none sees or revokes it", async (t) => {
  const stage = await openSandbox(t)
  const { key: admin } = await stage.keys.create({ tenant: 'acme', scopes: ['admin', 'keys:write'] })
  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    await stage.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${admin}` },
      ...(payload === undefined ? {} : { payload })
    })
  const refused = await call('POST', '/admin/keys', { tenant: 'acme', scopes: ['sandbox'] })
  t.match(refused.json(), {
    error_code: 'validation_error',
    detail: [{ loc: ['body', 'tenant'], msg: /leave the tenant out/ }]
  })
  t.match((await call('POST', '/admin/keys', { scopes: ['forecast'] })).json(), {
    error_code: 'validation_error',
    detail: [{ loc: ['body', 'tenant'], msg: /the tenant is missing/ }]
  })
  await t.rejects(stage.keys.create({ tenant: sandboxTenant, scopes: ['sandbox'] }), { name: 'KeyInputError' })

  const made = await call('POST', '/admin/keys', { scopes: ['sandbox'] })
  t.equal(made.statusCode, 201, made.payload)
  const { id, key, tenant } = made.json<{ id: string, key: string, tenant: string | null }>()
  t.equal(tenant, null)
  t.equal((await stage.post('forecast', {}, { key })).status, 202)
  t.notMatch((await call('GET', '/keys')).payload, id)
  for (const [method, url] of [['GET', `/keys/${id}`], ['DELETE', `/keys/${id}`], ['POST',
    `/keys/${id}/rotate`]] as const) {
    t.match((await call(method, url, method === 'POST' ? {} : undefined)).json(), { error_code: 'not_found' },
      `${method} ${url}`)
  }
  t.match((await call('GET', '/admin/keys')).payload, id, 'the operator sees it')
  t.equal((await call('DELETE', `/admin/keys/${id}`)).statusCode, 204)
  await expectError(t, await stage.ask('GET', '/sandbox/challenge', key), 401, 'auth_failed')
})

t.test('the scope sandbox stands alone; an older key that has it beside others stays a key of its tenant', async (t) => {
  const stage = await openSandbox(t)
  await t.rejects(stage.keys.create({ tenant: 'acme', scopes: ['sandbox', 'forecast'] }), {
    name: 'KeyInputError',
    message: /scope sandbox: .*no other scope/
  })
  await t.rejects(stage.keys.create({ tenant: sandboxTenant }), { name: 'KeyInputError' },
    'nobody is called like the sandbox')
  const { key: admin } = await stage.keys.create({ tenant: 'acme', scopes: ['admin', 'keys:write'] })
  for (const url of ['/admin/keys', '/keys']) {
    const answer = await stage.app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${admin}` },
      payload: { ...(url === '/keys' ? {} : { tenant: 'acme' }), scopes: ['sandbox', 'jobs:read'] }
    })
    t.match(answer.json(), { error_code: 'validation_error', detail: [{ loc: ['body', 'scopes'] }] }, url)
  }
  const { key, summary } = await stage.keys.create({ tenant: 'acme', scopes: ['jobs:read'] })
  const table = stage.metadata.table<KeyRecord>('keys')
  await stage.metadata.transact((tx) =>
    tx.put(table, [summary.id], { ...table.get([summary.id])?.value as KeyRecord, scopes: ['jobs:read', 'sandbox'] })
  )
  t.equal((await stage.ask('GET', '/jobs', key)).status, 200)
  await expectError(t, await stage.post('forecast', {}, { key }), 403, 'auth_failed')
})

t.test('switched off: no routes, and none in the description', async (t) => {
  const stage = await openSandbox(t, { TABCAST_SANDBOX_ENABLED: 'false' })
  const { paths, tags } = JSON.parse((await stage.ask('GET', '/openapi.json')).text) as { paths: object,
    tags: Array<{ name: string }> }
  t.strictSame(Object.keys(paths).filter((path) => path.startsWith('/sandbox')), [])
  t.notOk(tags.some(({ name }) => name === 'sandbox'))
  await expectError(t, await stage.ask('GET', '/sandbox/challenge'), 404, 'not_found')
  for (const path of ['forecast', 'classify', 'regress'] as const) {
    await expectError(t, await stage.post(path), 404, 'not_found')
  }
  await expectError(t, await stage.ask('GET', '/jobs'), 403, 'auth_failed')
  await expectError(t, await stage.ask('GET', '/jobs/job_01ARZ3NDEKTSV4RRFFQ69G5FAV'), 404, 'job_not_found')
})
