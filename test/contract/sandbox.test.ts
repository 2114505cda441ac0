import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { keyId, runKeys, runTabcast } from '../support/command.ts'
import { customers, customersCsv } from '../support/customers.ts'
import { expectError } from '../support/expect-error.ts'
import { solve } from '../support/sandbox.ts'
import { Client, panelCsv, startService, type Job } from '../support/service.ts'

/* The sandbox of the whole service, as a page uses it. */

const folder = mkdtempSync(join(tmpdir(), 'tabcast-sandbox-'))
writeFileSync(join(folder, 'domains.json'), JSON.stringify({ allow: ['intranet'] }))
const service = await startService({
  TABCAST_SANDBOX_ENABLED: 'true',
  TABCAST_SANDBOX_POSTS_PER_HOUR: '1000',
  TABCAST_SANDBOX_POSTS_PER_MINUTE: '1000',
  TABCAST_SANDBOX_CAPTCHA: 'none',
  TABCAST_SANDBOX_DOMAINS_FILE: join(folder, 'domains.json')
})
t.teardown(async () => {
  await service.cleanup()
  rmSync(folder, { recursive: true })
})
const { last: key } = await runKeys(service, 'create', '--scopes', 'sandbox')
const visitor = new Client(service.baseUrl, key)
const tabcast = async (...args: string[]) =>
  await runTabcast(['sandbox', ...args], { TABCAST_DATA_DIR: join(service.folder, 'data') })

async function post (path: string, file: string, fields: Record<string, string> = {}): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ email: 'ana@siemens.com', ...fields })) form.append(name, value)
  form.append('file', new Blob([file]), 'data.csv')
  return await visitor.request('POST', `/sandbox/${path}`, { body: form })
}

async function completed (answer: Response): Promise<Job> {
  const { job_id: jobId } = await answer.json() as Job
  const job = await visitor.ended(jobId)
  t.equal(job.status, 'completed', `${job.error}`)
  return job
}

const wide = `item_id,timestamp,target,${Array.from({ length: 18 }, (_, at) => `extra_${at}`).join(',')}\n` +
  Array.from({ length: 10 }, (_, at) => `a,2024-01-${String(at + 1).padStart(2, '0')},${at}${',1'.repeat(18)}`).join(
    '\n'
  ) + '\n'

t.test('what is too large is refused by the check, and uses up nothing', async (t) => {
  for (const [what, file] of [['rows', panelCsv(10, 1_001)], ['series', panelCsv(51, 20)], ['columns',
    wide]] as const) {
    t.comment(what)
    await expectError(t, await post('forecast', file), 413, 'sandbox_dataset_too_large')
  }
  for (const [what, table] of [['rows', 'a,target\n' + 'x,1\n'.repeat(10_001)], ['columns', wide]] as const) {
    t.comment(what)
    await expectError(t, await post('regress', table), 413, 'sandbox_dataset_too_large')
  }
  await expectError(t, await post('forecast', 'item_id,timestamp,target\na,2024-01-01,many\n'), 422, 'validation_error')
})

t.test('a forecast with its plot and its report; its domain has had it, after a restart as well', async (t) => {
  const job = await completed(await post('forecast', panelCsv(50, 40), { prediction_length: '48' }))
  t.match(job, {
    job_type: 'sandbox_forecast',
    prediction_length: 48,
    num_items: 50,
    effective_config: { presets: 'fast' },
    report_url: `/jobs/${job.job_id}/artifacts/report.html`,
    forecast_plot_url: `/jobs/${job.job_id}/artifacts/forecast_plot.html`
  })
  for (const name of ['report.html', 'forecast_plot.html']) {
    t.match(await (await visitor.request('GET', `/jobs/${job.job_id}/artifacts/${name}`)).text(), /<!doctype html>/i)
  }
  t.equal((await visitor.table(job.job_id)).trimEnd().split('\n').length, 50 * 48 + 1)
  await expectError(t, await post('forecast', panelCsv(1, 40)), 409, 'sandbox_domain_used')
  await service.restart()
  await expectError(t, await post('forecast', panelCsv(1, 40), { email: 'bob@www.siemens.com' }), 409,
    'sandbox_domain_used')
  t.equal((await visitor.job(job.job_id)).status, 'completed')
})

t.test('a classification and a regression', async (t) => {
  const people = customersCsv(customers(200))
  t.match(await completed(await post('classify', people, { email: 'ana@bosch.com', label_column: 'churned' })), {
    job_type: 'sandbox_classification',
    problem_type: 'binary'
  })
  t.match(
    await completed(
      await post('regress', customersCsv(customers(200), ['customer', 'age', 'plan', 'spend']), {
        email: 'ana@basf.com',
        label_column: 'spend'
      })
    ),
    { job_type: 'sandbox_regression' }
  )
})

t.test('a small file does not become a large result', async (t) => {
  const label = (letter: string, length: number) => letter.repeat(length)
  const table = (length: number) =>
    ['x,label', ...Array.from({ length: 20 }, (_, at) => `${at},${label(at % 2 === 0 ? 'a' : 'b', length)}`),
      ...Array.from({ length: 9_000 }, (_, at) => `${at},`)].join('\n')
  const fields = { email: 'ana@henkel.com', label_column: 'label', inference_mode: 'predict_unlabeled' }
  const refused = await post('classify', table(1_001), fields)
  t.equal(refused.status, 422, 'no cell has more than 1,000 characters')
  const { job_id: jobId } = await (await post('classify', table(900), fields)).json() as Job
  t.match(await visitor.ended(jobId), {
    status: 'failed',
    error_code: 'dataset_too_large',
    error: /^The predictions have more than 4194304 bytes as CSV/
  })
  await expectError(t, await post('classify', table(10), fields), 409, 'sandbox_domain_used')
})

t.test("a name of the operator's own network has its job, and is released", async (t) => {
  await completed(await post('forecast', panelCsv(1, 40), { email: 'ana@intranet' }))
  await expectError(t, await post('forecast', panelCsv(1, 40), { email: 'bob@intranet' }), 409, 'sandbox_domain_used')
  t.match(await tabcast('release', 'Intranet'), { status: 0, stdout: /intranet may have a job again/ })
  await completed(await post('forecast', panelCsv(1, 40), { email: 'bob@intranet' }))
})

t.test('the operator sees and releases claims, while the service runs and when it does not', async (t) => {
  const listed = await tabcast('list')
  t.match(listed, { status: 0, stdout: /5 domains have had their job/ })
  t.notMatch(listed.stdout, /siemens/)
  t.match(await tabcast('list', 'siemens.com'), {
    status: 0,
    stdout: /^[0-9a-f]{16} {2}\S+Z {2}job_\w{26}\nsiemens\.com has had its job\n$/
  })
  t.match(await tabcast('release', 'siemens.com'), { status: 0, stdout: /siemens\.com may have a job again/ })
  t.match(await tabcast('release', 'siemens.com'), { status: 1, stdout: /siemens\.com has had no job/ })
  await completed(await post('forecast', panelCsv(1, 40)))
  for (const args of [['release'], ['release', ''], ['release', 'no domain'], ['list', 'a..b']]) {
    t.match(await tabcast(...args), { status: 64, stderr: /DOMAIN is missing|is no domain/ }, args.join(' '))
  }
  t.match(await tabcast('forget'), { status: 64 })
  await service.stop()
  t.match(await tabcast('list', 'SIEMENS.com'), { stdout: /has had its job/ })
  t.match(await tabcast('release', 'SIEMENS.com'), { status: 0 })
  await service.restart({ TABCAST_SANDBOX_CAPTCHA: 'altcha' })
  await expectError(t, await post('forecast', panelCsv(1, 40), { captcha_token: 'forged' }), 403,
    'sandbox_captcha_failed')
  const token = await solve(await (await visitor.request('GET', '/sandbox/challenge')).text())
  await completed(await post('forecast', panelCsv(1, 40), { captcha_token: token }))
})

t.test('a revoked key of the sandbox opens nothing', async (t) => {
  t.match(await runKeys(service, 'create', '--tenant', 'acme', '--scopes', 'sandbox'), {
    status: 64,
    stderr: /leave the tenant out/
  })
  t.match(await runKeys(service, 'create', '--scopes', 'forecast'), { status: 64, stderr: /--tenant NAME is missing/ })
  await runKeys(service, 'revoke', keyId(key))
  await expectError(t, await post('forecast', panelCsv(1, 40)), 401, 'auth_failed')
})
