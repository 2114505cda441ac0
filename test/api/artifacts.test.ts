import t from 'tap'
import { outputKey, runPrefix } from '../../src/platform/store/keys.ts'
import { renderForecastReport } from '../../src/report/forecast/render-forecast-report.ts'
import { renderTabularReport } from '../../src/report/render-tabular-report.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, suggestionOf, type Answer } from '../support/expect-error.ts'
import { askForForecast, askForTraining, endedJob, type SeenJob } from '../support/fine-tuning.ts'
import { forecastFacts, forecastReport } from '../support/forecast-report.ts'
import { StorageCaller, type Json } from '../support/storage.ts'
import { classificationReport } from '../support/tabular-report.ts'
import { outcomeOf, predictions, upload } from '../support/tabular.ts'
import { readZip } from '../support/zip.ts'

/* The report of a job, and the metrics of a table's. The test plays the worker. */

const page = renderTabularReport(classificationReport({ label: '<script>alert(1)</script>' }))

async function submit (stage: ApiStage, caller: StorageCaller): Promise<string> {
  const { text } = await upload(stage, caller.key, '/v2/classify', {})
  return String((JSON.parse(text) as Json)['job_id'])
}

async function finish (stage: ApiStage,
  files: Record<string, string> = { ...predictions, 'report.html': page }): Promise<void> {
  await stage.finishNext(files, { numItems: null, tabular: outcomeOf() }, 'large')
}

t.test('the report is a page that may do nothing, the metrics are JSON', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const jobId = await submit(stage, acme)
  await finish(stage)
  const { report_url: url } = await endedJob(stage, acme.key, jobId)
  t.equal(url, `/jobs/${jobId}/artifacts/report.html`)

  const report = await stage.app.inject({
    url: String(url),
    headers: { authorization: `Bearer ${acme.key}`, accept: 'text/html' }
  })
  t.equal(report.statusCode, 200)
  t.equal(report.payload, page)
  t.match(report.headers, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(Buffer.byteLength(page)),
    'content-disposition': `inline; filename="report_${jobId}.html"`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store'
  })
  const policy = String(report.headers['content-security-policy']).split('; ')
  t.ok(
    ['sandbox', "default-src 'none'", "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"].every((
      directive
    ) => policy.includes(directive)),
    'no origin, no script, no network, no form'
  )

  const metrics = await acme.ask('GET', `/jobs/${jobId}/artifacts/metrics.json`)
  t.equal(metrics.status, 200)
  t.equal(metrics.text, predictions['metrics.json'])
  t.match(metrics.headers.get('content-type'), /^application\/json/)
  t.equal(metrics.headers.get('content-disposition'), `inline; filename="metrics_${jobId}.json"`)

  const head = await acme.ask('HEAD', String(url))
  t.match([head.status, head.text, head.headers.get('content-length')], [200, '', String(Buffer.byteLength(page))])
  t.equal((await acme.ask('GET', `/jobs/${jobId}/download`)).status, 307, 'a report is no second file')
})

t.test('what cannot be given is refused as a download is', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const other = await StorageCaller.of(stage, 'other')
  const jobId = await submit(stage, acme)
  const path = (name: string, job = jobId) => `/jobs/${job}/artifacts/${name}`
  t.match(suggestionOf(await expectError(t, await acme.ask('GET', path('report.html')), 409, 'job_not_completed')),
    /wait/)
  await finish(stage)
  await endedJob(stage, acme.key, jobId)

  for (const name of ['report.htm', 'REPORT.HTML', 'report.json', 'predictions.csv', 'result.cbor', 'input',
    '..%2Finput', '%2e%2e%2f%2e%2e%2finput', 'report.html%00', 'constructor', '__proto__']) {
    const refused = await expectError(t, await acme.ask('GET', path(name)), 404, 'not_found')
    t.match(suggestionOf(refused), /report\.html and metrics\.json/)
  }
  const comparable = ({ text, headers }: Answer) => text.replaceAll(headers.get('x-request-id') ?? '', '')
  const [foreign, unknown] = [await other.ask('GET', path('report.html')),
    await other.ask('GET', path('report.html', 'job_01AAAAAAAAAAAAAAAAAAAAAAAA'))]
  await expectError(t, foreign, 404, 'job_not_found')
  t.equal(comparable(foreign), comparable(unknown), 'a foreign job looks like none')
  await expectError(t, await new StorageCaller(stage, 'tbc_test_none').ask('GET', path('report.html')), 401,
    'auth_failed')
  const { key } = await stage.keys.create({ tenant: 'acme', scopes: ['tabular'] })
  await expectError(t, await new StorageCaller(stage, key).ask('GET', path('report.html')), 403, 'auth_failed')

  t.equal((await acme.ask('DELETE', `/jobs/${jobId}`)).status, 204)
  await expectError(t, await acme.ask('GET', path('report.html')), 404, 'job_not_found')
})

t.test('the report of a forecast is given like that of a table, and the worker is told what stands in it', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const forecastPage = renderForecastReport(forecastReport(), forecastFacts())
  const submitted = async () => (await askForForecast(stage, acme.key)).json<SeenJob>()
  const job = await submitted()
  const path = (name: string, { job_id: jobId } = job) => `/jobs/${jobId}/artifacts/${name}`
  await expectError(t, await acme.ask('GET', path('report.html')), 409, 'job_not_completed')
  const handle = await stage.takeNext()
  t.match(handle.message, { configHash: job['config_hash'], modelVersion: job.model_version })
  handle.nak(0)
  await stage.finishNext({
    'forecast.csv': 'x',
    'forecast.parquet': 'y',
    'report.json': '{}',
    'report.html': forecastPage
  })
  t.match(await endedJob(stage, acme.key, job.job_id), {
    report_url: path('report.html'),
    download_url: `/jobs/${job.job_id}/download`
  })
  const report = await acme.ask('GET', path('report.html'))
  t.match([report.status, report.text], [200, forecastPage])
  t.match(report.headers.get('content-security-policy'), /^sandbox; /)
  t.equal((await acme.ask('GET', `/jobs/${job.job_id}/download`)).status, 307, 'a report is no second file')
  const zip = await stage.app.inject({
    url: `/jobs/${job.job_id}/download?format=zip`,
    headers: { authorization: `Bearer ${acme.key}` }
  })
  t.strictSame([...readZip(zip.rawPayload).keys()], ['forecast.csv', 'forecast.parquet', 'report.html', 'report.json'])
  const refused = await expectError(t, await acme.ask('GET', path('metrics.json')), 400, 'validation_error')
  t.match(refused.detail, { detail: 'A job of type forecast has no metrics.json.', suggestion: 'It has report.html.' })

  const earlier = await submitted()
  await stage.finishNext({ 'forecast.csv': 'x', 'forecast.parquet': 'y', 'report.json': '{}' })
  t.match(await endedJob(stage, acme.key, earlier.job_id), { report_url: null })
  t.match(suggestionOf(await expectError(t, await acme.ask('GET', path('report.html', earlier)), 404, 'not_found')),
    /Run the job again/)

  const training = (await askForTraining(stage, acme.key)).json<SeenJob>()
  for (const name of ['report.html', 'metrics.json']) {
    const none = await expectError(t, await acme.ask('GET', path(name, training)), 400, 'validation_error')
    t.match(none.detail, { detail: `A job of type fine_tune has no ${name}.`, suggestion: /Read the job itself/ })
  }
})

t.test('a job that failed, and a file that is lost', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const failing = await submit(stage, acme)
  await stage.finishNext({}, { code: 'timeout', error: 'Too slow.', numItems: null }, 'large')
  await endedJob(stage, acme.key, failing)
  t.match(
    (await expectError(t, await acme.ask('GET', `/jobs/${failing}/artifacts/metrics.json`), 409, 'job_not_completed'))
      .detail,
    { detail: /timeout/ }
  )

  const lost = await submit(stage, acme)
  await finish(stage)
  await endedJob(stage, acme.key, lost)
  const record = stage.jobs.get('acme', lost)
  await stage.store.deletePrefix(runPrefix(`acme/${lost}/`, record?.winner ?? ''))
  await expectError(t, await acme.ask('GET', `/jobs/${lost}/artifacts/report.html`), 503, 'storage_error')
  t.equal(await stage.store.stat(outputKey(`acme/${lost}/`, record?.winner ?? '', 'report.html')), undefined)
})
