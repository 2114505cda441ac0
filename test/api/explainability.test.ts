import t, { type Test } from 'tap'
import { Compile } from 'typebox/compile'
import { explanation as explanationSchema, explainabilityStatus } from '../../src/api/schemas/explainability-status.ts'
import type { ExplainabilityOutcome, JobExplanation } from '../../src/domain/explainability-spec.ts'
import type { ForecastSpec } from '../../src/domain/forecast-spec.ts'
import { runPrefix } from '../../src/platform/store/keys.ts'
import { renderAnalyses } from '../../src/report/analyses/render-analyses.ts'
import { renderForecastPlot } from '../../src/report/render-forecast-plot.ts'
import { renderForecastThumbnail } from '../../src/report/render-forecast-thumbnail.ts'
import { analysesDocument } from '../support/analyses-document.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, fieldsOf, suggestionOf, type Answer } from '../support/expect-error.ts'
import { askForForecast, askForTraining, endedJob, monthly, type SeenJob } from '../support/fine-tuning.ts'
import { samplePlot } from '../support/forecast-plot.ts'
import { forecastSpec } from '../support/job-message.ts'
import { StorageCaller, type Json } from '../support/storage.ts'
import { readZip } from '../support/zip.ts'

/*
 * The `explainability` block on every route that takes it, and what a job shows and gives of it. The test plays the
 * worker.
 */

const table = {
  'forecast.csv': 'item_id,timestamp,mean\na,2024-04-01 00:00:00,3.0\n',
  'forecast.parquet': 'PAR1',
  'report.json': '{}',
  'report.html': '<!doctype html>'
}
const full = {
  enabled: true,
  feature_importance: true,
  shap: true,
  feature_feature_correlations: false,
  feature_target_correlations: true,
  forecast_plot: true,
  rolling_regression: true,
  trailing_history_steps: 30,
  max_rows: 60,
  max_features: 4,
  top_k_features: 3,
  shap_sample_size: 30
}
const selected = ['forecast_plot', 'feature_importance', 'shap', 'feature_target_correlations', 'rolling_regression']
const resolved = {
  analyses: selected,
  trailingHistorySteps: 30,
  maxRows: 60,
  maxFeatures: 4,
  topKFeatures: 3,
  shapSampleSize: 30
}

const words: JobExplanation = {
  headline: 'Sales are likely to rise.',
  narrative: 'They rose before.',
  dataFindings: ['One.'],
  forecastSummary: ['Two.', 'Three.'],
  operationalImplications: [],
  caveats: ['Four.'],
  confidence: 0.5,
  generatedBy: 'rules'
}

/** What the worker makes of a sample: the record, and the files by their names in the run. */
function analysed (): { explainability: ExplainabilityOutcome, files: Record<string, string> } {
  const document = analysesDocument({
    completed: ['forecast_plot', 'feature_importance', 'shap'],
    skipped: { rolling_regression: 'disabled_by_operator', feature_target_correlations: 'timeout' }
  })
  const plot = samplePlot()
  const present: Record<string, string> = {
    'forecast_plot.html': renderForecastPlot(plot).html,
    'forecast_plot.svg': renderForecastThumbnail(plot),
    'forecast_plot.csv': 'item_id\n=cmd()\n',
    'feature_importance.csv': 'feature\n',
    'shap_summary.csv': 'feature\n',
    'shap_values.csv': 'feature\n'
  }
  const { outcome, files } = renderAnalyses({
    document,
    files: Object.fromEntries(Object.entries(present).map(([name, text]) => [name, Buffer.byteLength(text)]))
  })
  return {
    explainability: outcome,
    files: Object.fromEntries(
      Object.entries({ ...present, ...files }).map(([name, text]) => [`explainability/${name}`, text])
    )
  }
}

interface Route {
  name: string
  /** Where the block is in the body. */
  loc: Array<string | number>
  send: (block: unknown) => Promise<Answer>
}

async function setup (
  t: Test
): Promise<{ stage: ApiStage, caller: StorageCaller, routes: Route[], checked: ForecastSpec[] }> {
  const stage = await openApi(t, { TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8' })
  const caller = new StorageCaller(stage)
  const checked: ForecastSpec[] = []
  stage.beforeCheck = ({ spec }) => {
    checked.push(forecastSpec(spec))
  }
  const objectId = await caller.store(monthly)
  const { connection_id: connectionId } = JSON.parse((await caller.ask('POST', '/data-connections', {
    connector_type: 's3',
    name: 'warehouse',
    object_storage: {
      bucket: 'sales',
      endpoint_url: 'http://127.0.0.1:9',
      auth_method: 'access_key',
      file_format: 'csv',
      credentials: { access_key_id: 'AKIAEXAMPLE00000', secret_access_key: 'not-the-secret-of-anyone' }
    }
  })).text) as { connection_id: string }
  const loc = ['body', 'explainability']
  const routes: Route[] = [
    { name: 'POST /forecast', loc, send: (block) => ask(stage, block) },
    {
      name: 'POST /forecast/storage-object',
      loc,
      send: (explainability) => caller.ask('POST', '/forecast/storage-object', { object_id: objectId, explainability })
    },
    {
      name: 'POST /forecast/batch',
      loc: ['body', 'requests', 0, 'explainability'],
      send: (explainability) =>
        caller.ask('POST', '/forecast/batch', { requests: [{ object_id: objectId, explainability }] })
    },
    {
      name: 'POST /data-connections/{id}/forecast',
      loc,
      send: (explainability) => caller.ask('POST', `/data-connections/${connectionId}/forecast`, { explainability })
    }
  ]
  return { stage, caller, routes, checked }
}

async function ask (stage: ApiStage, block: unknown): Promise<Answer> {
  const { statusCode, headers, payload } = await askForForecast(stage, stage.key, [['explainability',
    JSON.stringify(block)]])
  return {
    status: statusCode,
    headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    text: payload
  }
}

function jobOf ({ text }: Answer): SeenJob {
  const body = JSON.parse(text) as Json
  return (Array.isArray(body['jobs']) ? body['jobs'][0] : body) as SeenJob
}

async function completed (stage: ApiStage, block: unknown, size: 'small' | 'large' = 'large',
  made = analysed()): Promise<SeenJob> {
  const { job_id: jobId } = jobOf(await ask(stage, block))
  await stage.finishNext({ ...table, ...made.files }, { explainability: made.explainability, explanation: words }, size)
  return await endedJob(stage, stage.key, jobId)
}

t.test('every route takes the block to the worker, and the job shows it', async (t) => {
  const { stage, caller, routes, checked } = await setup(t)
  const isStatus = Compile(explainabilityStatus)
  for (const { name, send } of routes) {
    const answer = await send(full)
    t.equal(answer.status, 202, `${name}: ${answer.text}`)
    const job = jobOf(answer)
    t.strictSame((job['effective_config'] as Json)['explainability'], full, name)
    t.strictSame(job['explainability'], {
      enabled: true,
      overview_markdown: '',
      selected_analyses: selected,
      completed_analyses: [],
      skipped_analyses: {},
      warnings: [],
      artifacts: []
    }, `${name}: what was asked for, and nothing of what is to come`)
    t.ok(isStatus.Check(job['explainability']))
    t.strictSame([job['explainability_url'], job['forecast_plot_url'], job['explanation']], [null, null, null])
    const handle = await stage.takeNext('large')
    t.strictSame(forecastSpec(handle.message.spec).explainability, resolved, name)
    handle.ack()
    t.equal((await caller.ask('DELETE', `/jobs/${job.job_id}`)).status, 204)
  }
  t.strictSame(checked.map(({ explainability }) => explainability), [resolved, resolved, resolved])
})

t.test('every route refuses a wrong block, and names the field', async (t) => {
  const { routes, checked, caller } = await setup(t)
  const cases: Array<[block: unknown, field: string[], type: string]> = [
    [{ enabled: true, max_rows: 49 }, ['max_rows'], 'greater_than_equal'],
    [{ enabled: true, max_features: 0 }, ['max_features'], 'greater_than_equal'],
    [{ enabled: true, top_k_features: 0 }, ['top_k_features'], 'greater_than_equal'],
    [{ enabled: true, shap_sample_size: 24 }, ['shap_sample_size'], 'greater_than_equal'],
    [{ enabled: true, trailing_history_steps: 0 }, ['trailing_history_steps'], 'greater_than_equal'],
    [{ enabled: true, max_rows: 99.5 }, ['max_rows'], 'int_from_float'],
    [{ enabled: false, lime: true }, ['lime'], 'extra_forbidden'],
    [[], [], 'dict_type']
  ]
  for (const { name, loc, send } of routes) {
    for (const [block, field, type] of cases) {
      const found = fieldsOf(await expectError(t, await send(block), 422, 'validation_error'))
      t.match(found, [{ loc: [...loc, ...field], type }], `${name}: ${field.join('.')} ${type}`)
      t.equal(found.length, 1)
    }
    const [unknown] = fieldsOf(await expectError(t, await send({ lime: true }), 422, 'validation_error'))
    t.match(unknown?.['msg'],
      /^Extra inputs are not permitted; known are 'enabled', 'feature_importance', .* and 'shap_sample_size'$/,
      `${name}: what is known`)
  }
  t.strictSame(checked, [], 'nothing came as far as a worker')
  t.strictSame((await caller.json<{ jobs: unknown[] }>('GET', '/jobs')).jobs, [])
  const defaults = await caller.ask('POST', '/forecast/batch', {
    requests: [{ object_id: 'x' }],
    defaults: { explainability: { max_rows: 1 } }
  })
  t.match(fieldsOf(await expectError(t, defaults, 422, 'validation_error')), [{
    loc: ['body', 'defaults', 'explainability', 'max_rows'],
    type: 'greater_than_equal'
  }])
})

t.test('absent, null and disabled are off, and one job; equal blocks have equal hashes', async (t) => {
  const { stage, caller, routes } = await setup(t)
  const plain = (await askForForecast(stage, caller.key)).json<SeenJob>()
  t.strictSame([plain['explainability'], (plain['effective_config'] as Json)['explainability']], [null, null])
  const hash = async (block: unknown, route = 0) => jobOf(await routes[route]?.send(block) as Answer)['config_hash']
  for (const block of [null, {}, { enabled: false }, { ...full, enabled: false }]) {
    t.equal(await hash(block), plain['config_hash'], JSON.stringify(block))
  }
  const own = await hash(full)
  t.not(own, plain['config_hash'])
  t.equal(await hash(full, 1), own)
  const changes = [{ shap: false }, { max_rows: 61 }, { max_features: 5 }, { top_k_features: 4 }, {
    shap_sample_size: 31
  }, { trailing_history_steps: null }]
  const hashes = await Promise.all(changes.map((change) => hash({ ...full, ...change })))
  t.equal(new Set([own, ...hashes]).size, changes.length + 1, 'whatever changes the work changes the hash')
})

t.test('only the plot is drawn in a moment; what looks at features waits among the large jobs', async (t) => {
  const stage = await openApi(t)
  const off = Object.fromEntries(selected.slice(1).map((name) => [name, false]))
  t.match(await completed(stage, { enabled: true, ...off, feature_feature_correlations: false }, 'small'), {
    status: 'completed'
  })
  t.match(await completed(stage, { enabled: true, ...off, feature_feature_correlations: true }, 'large'), {
    status: 'completed'
  })
})

t.test('a completed job shows every artifact, and each address gives its file', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const made = analysed()
  const job = await completed(stage, full, 'large', made)
  const status = job['explainability'] as Json
  t.ok(Compile(explainabilityStatus).Check(status), 'as the interface description has it')
  const { artifacts, ...rest } = status as { artifacts: Json[] } & Json
  t.strictSame(rest, {
    enabled: true,
    overview_markdown: made.explainability.overviewMarkdown,
    selected_analyses: selected,
    completed_analyses: ['forecast_plot', 'feature_importance', 'shap'],
    skipped_analyses: { feature_target_correlations: 'timeout', rolling_regression: 'disabled_by_operator' },
    warnings: made.explainability.warnings,
    summary_path: 'explainability/summary.json'
  })
  const names = ['forecast_plot.html', 'forecast_plot.svg', 'forecast_plot.csv', 'feature_importance.html',
    'feature_importance.svg', 'feature_importance.csv', 'shap_summary.html', 'shap_summary.svg', 'shap_summary.csv',
    'shap_values.csv']
  t.strictSame(artifacts.map((one) => one['artifact_id']), names)
  t.strictSame(artifacts.map((one) => one['display_order']), names.map((_, index) => 10 * (index + 1)))
  t.strictSame(artifacts.filter((one) => one['is_primary_visual']).map((one) => one['artifact_id']), [
    'forecast_plot.html'
  ])
  t.strictSame(artifacts.filter((one) => one['is_thumbnail']).map((one) => one['artifact_id']), ['forecast_plot.svg'])
  const types: Record<string, string> = {
    csv: 'text/csv',
    html: 'text/html',
    svg: 'image/svg+xml',
    json: 'application/json'
  }
  const policies = new Set<string>()
  for (const [index, one] of artifacts.entries()) {
    const name = String(one['artifact_id'])
    const url = `/jobs/${job.job_id}/artifacts/${name}`
    const isShown = one['format'] !== 'csv'
    t.match(one, {
      output_path: `explainability/${name}`,
      download_url: url,
      format: name.split('.')[1],
      analysis: made.explainability.artifacts[index]?.analysis
    }, name)
    t.strictSame(one['embed_url'], isShown ? url : undefined)
    t.strictSame([one['highlights'], one['preview_markdown'], one['label'], one['description'], one['render_inline']],
      (['highlights', 'previewMarkdown', 'label', 'description', 'renderInline'] as const).map((key) =>
        made.explainability.artifacts[index]?.[key]
      ))
    const file = await acme.ask('GET', url)
    t.strictSame([file.status, file.text], [200, made.files[`explainability/${name}`]], name)
    t.ok(file.headers.get('content-type')?.startsWith(types[String(one['format'])] ?? '?'), name)
    t.equal(file.headers.get('content-disposition'),
      `${isShown ? 'inline' : 'attachment'}; filename="${name.replace('.', `_${job.job_id}.`)}"`)
    const policy = file.headers.get('content-security-policy') ?? ''
    t.ok(
      ["default-src 'none'", "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"].every((directive) =>
        policy.includes(directive)
      ),
      name
    )
    t.equal(/script/.test(policy), name === 'forecast_plot.html', `${name}: only the plot has a script`)
    t.match([file.headers.get('x-content-type-options'), file.headers.get('referrer-policy')], ['nosniff',
      'no-referrer'])
    policies.add(policy.split('; ')[0] ?? '')
    t.match((await acme.ask('HEAD', url)).headers.get('content-length'), String(Buffer.byteLength(file.text)))
  }
  t.strictSame(policies, new Set(['sandbox allow-scripts', 'sandbox']), 'nobody has a part in our origin')

  t.strictSame([job['explainability_url'], job['forecast_plot_url']],
    ['summary.json', 'forecast_plot.html'].map((name) => `/jobs/${job.job_id}/artifacts/${name}`))
  const summary = await acme.ask('GET', String(job['explainability_url']))
  t.match([summary.status, summary.headers.get('content-type'), JSON.parse(summary.text)], [200, /^application\/json/, {
    version: 1,
    completed: ['forecast_plot', 'feature_importance', 'shap']
  }])
  t.strictSame(job['explanation'], {
    headline: words.headline,
    narrative: words.narrative,
    data_findings: ['One.'],
    forecast_summary: ['Two.', 'Three.'],
    operational_implications: [],
    caveats: ['Four.'],
    confidence: 0.5,
    generated_by: 'rules'
  })
  t.ok(Compile(explanationSchema).Check(job['explanation']))
  const { jobs } = await acme.json<{ jobs: SeenJob[] }>('GET', '/jobs')
  t.strictSame(jobs[0], job, 'in lists too')
})

t.test('artifacts are files of the result: they are in the zip, and the table alone is asked for by its format', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const made = analysed()
  const job = await completed(stage, full, 'large', made)
  const path = `/jobs/${job.job_id}/download`
  const give = async (query: string) =>
    await stage.app.inject({ url: path + query, headers: { authorization: `Bearer ${acme.key}` } })
  for (const query of ['', '?format=zip']) {
    const { statusCode, headers, rawPayload } = await give(query)
    t.match([statusCode, headers['content-type'], headers['content-disposition']], [200, 'application/zip',
      `attachment; filename="results_${job.job_id}.zip"`])
    const entries = readZip(rawPayload)
    t.strictSame([...entries.keys()], [...Object.keys(made.files), ...Object.keys(table)].sort())
    for (const [name, text] of Object.entries({ ...made.files, ...table })) {
      t.equal(entries.get(name)?.toString(), text, name)
    }
  }
  t.equal((await give('?format=csv')).payload, table['forecast.csv'])
  const safe = readZip((await give('?format=zip&csv_safe=true')).rawPayload)
  const plain = { ...made.files, ...table }
  const changed = Object.entries(plain).filter(([name, text]) => safe.get(name)?.toString() !== text).map(([name]) =>
    name
  )
  t.strictSame([[...safe.keys()], changed], [Object.keys(plain).sort(), ['explainability/forecast_plot.csv']],
    'only cells that a spreadsheet would compute')
  t.equal(safe.get('explainability/forecast_plot.csv')?.toString(), "item_id\n'=cmd()\n")
  t.equal((await give('?format=parquet')).payload, table['forecast.parquet'])
  const refused = await expectError(t, await acme.ask('GET', `${path}?format=presign`), 400, 'validation_error')
  t.match(suggestionOf(refused), /format=zip/)

  t.equal((await acme.ask('DELETE', `/jobs/${job.job_id}`)).status, 204)
  await expectError(t, await acme.ask('GET', String(job['explainability_url'])), 404, 'job_not_found')
  const left: string[] = []
  for await (const { key } of stage.store.list(`acme/${job.job_id}/`)) left.push(key)
  t.strictSame(left, [], 'nothing is left of the files')
})

t.test('csv_safe makes artifacts that are CSV safe for spreadsheets, and is refused for others', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const job = await completed(stage, full)
  const path = (name: string) => `/jobs/${job.job_id}/artifacts/${name}`
  const raw = 'item_id\n=cmd()\n'
  for (const query of ['', '?csv_safe=false']) {
    t.equal((await acme.ask('GET', `${path('forecast_plot.csv')}${query}`)).text, raw, query)
  }
  const safe = await acme.ask('GET', `${path('forecast_plot.csv')}?csv_safe=true`)
  t.match([safe.status, safe.text, safe.headers.get('content-type'), safe.headers.get('content-disposition')], [200,
    "item_id\n'=cmd()\n", /^text\/csv/, /^attachment/])
  const head = await acme.ask('HEAD', `${path('forecast_plot.csv')}?csv_safe=true`)
  t.match([head.status, head.headers.get('content-length')], [200, null], 'its length is not known before')
  for (const name of ['forecast_plot.html', 'summary.json', 'forecast_plot.svg']) {
    t.match(
      fieldsOf(await expectError(t, await acme.ask('GET', `${path(name)}?csv_safe=true`), 422, 'validation_error')),
      [{ loc: ['query', 'csv_safe'], msg: /only CSV files/ }],
      name
    )
  }
  t.match(
    fieldsOf(
      await expectError(t, await acme.ask('GET', `${path('forecast_plot.csv')}?csv_safe=maybe`), 422,
        'validation_error')
    ),
    [{ loc: ['query', 'csv_safe'] }]
  )
})

t.test('what is not there is refused, and says what to do', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const other = await StorageCaller.of(stage, 'other')
  const path = (name: string, { job_id: jobId }: { job_id: string }) => `/jobs/${jobId}/artifacts/${name}`
  const waiting = jobOf(await ask(stage, full))
  for (const name of ['summary.json', 'forecast_plot.html', 'shap_values.csv']) {
    await expectError(t, await acme.ask('GET', path(name, waiting)), 409, 'job_not_completed')
  }
  const made = analysed()
  await stage.finishNext({ ...table, ...made.files, 'explainability/plot.json': '{}' }, {
    explainability: made.explainability
  }, 'large')
  const job = await endedJob(stage, acme.key, waiting.job_id)
  t.equal(job['explanation'], null, 'a forecast without words')
  t.match(
    suggestionOf(await expectError(t, await acme.ask('GET', path('rolling_regression.html', job)), 404, 'not_found')),
    /skipped_analyses/
  )
  for (const name of ['plot.json', 'analyses.json', 'findings.json', 'explainability%2Fsummary.json',
    '..%2Fforecast.csv', 'SUMMARY.JSON', 'summary.json%00', '__proto__', 'forecast.csv']) {
    t.match(suggestionOf(await expectError(t, await acme.ask('GET', path(name, job)), 404, 'not_found')),
      /explainability\.artifacts/, name)
  }
  await expectError(t, await other.ask('GET', path('summary.json', job)), 404, 'job_not_found')
  await expectError(t, await new StorageCaller(stage, 'tbc_test_none').ask('GET', path('summary.json', job)), 401,
    'auth_failed')

  const plain = (await askForForecast(stage, acme.key)).json<SeenJob>()
  t.match(
    suggestionOf(await expectError(t, await acme.ask('GET', path('forecast_plot.html', plain)), 404, 'not_found')),
    /explainability/
  )
  await stage.finishNext(table)
  const unexplained = await endedJob(stage, acme.key, plain.job_id)
  t.strictSame([unexplained['explainability'], unexplained['explainability_url'], unexplained['forecast_plot_url']], [
    null,
    null,
    null
  ])
  t.equal((await acme.ask('GET', `/jobs/${plain.job_id}/download`)).status, 307, 'one file, as before')
  const training = (await askForTraining(stage, acme.key)).json<SeenJob>()
  await expectError(t, await acme.ask('GET', path('summary.json', training)), 400, 'validation_error')

  await stage.store.deletePrefix(
    `${runPrefix(`acme/${job.job_id}/`, stage.jobs.get('acme', job.job_id)?.winner ?? '')}explainability/`
  )
  await expectError(t, await acme.ask('GET', path('summary.json', job)), 503, 'storage_error')
})

t.test('a job that failed, and one without any analysis', async (t) => {
  const stage = await openApi(t)
  const failing = jobOf(await ask(stage, full))
  await stage.finishNext({}, { code: 'timeout', error: 'Too slow.', numItems: null }, 'large')
  t.match(await endedJob(stage, stage.key, failing.job_id), {
    status: 'failed',
    explainability: { enabled: true, selected_analyses: selected, completed_analyses: [], artifacts: [] },
    explainability_url: null,
    forecast_plot_url: null,
    explanation: null
  })
  const none = Object.fromEntries([...selected, 'feature_feature_correlations'].map((name) => [name, false]))
  const nothing = { overviewMarkdown: '', completed: [], skipped: {}, warnings: [], artifacts: [] }
  const job = await completed(stage, { enabled: true, ...none }, 'small', {
    explainability: nothing,
    files: { 'explainability/summary.json': '{}' }
  })
  t.match(job, {
    explainability: {
      enabled: true,
      selected_analyses: [],
      artifacts: [],
      summary_path: 'explainability/summary.json'
    },
    forecast_plot_url: null
  })
})
