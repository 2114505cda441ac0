import t, { type Test } from 'tap'
import { analyses } from '../../src/domain/explainability-spec.ts'
import { startChromium, whyNoChromium } from '../support/chromium.ts'
import { csv, isoDate, parseCsv } from '../support/csv.ts'
import { objectsOf } from '../support/leftovers.ts'
import { Client, startService, type Job } from '../support/service.ts'
import { readZip } from '../support/zip.ts'

/*
 * Forecasts that are explained, through HTTP and the whole service: shops that sell more with a promotion and at the
 * weekend.
 */
const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))
const horizon = 7
const days = 150

/** The last `horizon` days have no target yet: what is known of them is the promotion and the price. */
function shops (count: number): string {
  const rows = Array.from({ length: count }, (_, shop) =>
    Array.from({ length: days + horizon }, (_, day) => {
      const time = new Date(Date.UTC(2024, 2, 1 + day))
      const promo = (day * 7 + shop * 3) % 11 < 3 ? 1 : 0
      const price = 10 + ((day * 13 + shop * 5) % 17) / 4
      const weekend = time.getUTCDay() % 6 === 0 ? 18 : 0
      const noise = 3 * Math.sin(12.9898 * day + 78.233 * (shop + 1))
      const target = day < days
        ? (60 + 10 * shop + weekend + 25 * promo - 2 * price + 0.05 * day + noise).toFixed(3)
        : ''
      return `shop ${shop + 1},${isoDate(time)},${target},${promo},${price}`
    })).flat()
  return csv(rows, 'item_id,timestamp,target,promo,price')
}

const data = shops(4)
const fields = { prediction_length: String(horizon), presets: 'balanced', covariates: 'promo, price' }

type Json = Record<string, unknown>
interface Artifact {
  artifact_id: string
  analysis: string
  format: string
  output_path: string
  download_url: string
  embed_url?: string
  display_order: number
  is_primary_visual: boolean
  is_thumbnail: boolean
  highlights: string[]
}
interface Status {
  enabled: boolean
  selected_analyses: string[]
  completed_analyses: string[]
  skipped_analyses: Record<string, string>
  warnings: string[]
  artifacts: Artifact[]
  overview_markdown: string
  summary_path?: string
}
interface Summary {
  completed: string[]
  skipped: Record<string, string>
  target: string
  freq: string
  rows: number
  explained_rows: number
  max_additivity_error: number
  top_features: Array<{ feature: string, share: number, importance: number, rank: number }>
  explanation_keys: Record<string, Array<{ rule: string }>>
}

async function completed (explainability: object | undefined, more: Record<string, string> = {},
  input = data): Promise<Job> {
  const block: Record<string, string> = explainability === undefined
    ? {}
    : { explainability: JSON.stringify(explainability) }
  const { job_id: jobId } = await client.submitted(input, { ...fields, ...block, ...more })
  const job = await client.ended(jobId)
  if (job.status !== 'completed') throw new Error(`${job.error_code}: ${job.error}`)
  return job
}

const statusOf = (job: Job): Status => job['explainability'] as Status

async function read (url: unknown): Promise<{ status: number, type: string, text: string, policy: string }> {
  const answer = await client.request('GET', String(url))
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    text: await answer.text(),
    policy: answer.headers.get('content-security-policy') ?? ''
  }
}

async function zipOf ({ job_id: jobId }: Job): Promise<Map<string, Buffer>> {
  const answer = await client.request('GET', `/jobs/${jobId}/download`)
  return readZip(Buffer.from(await answer.arrayBuffer()))
}

function checkExplanation (t: Test, job: Job): void {
  const { confidence, generated_by: by, ...texts } = job['explanation'] as Record<string, string | string[]>
  t.ok(Number(confidence) > 0 && Number(confidence) <= 1, `confidence ${String(confidence)}`)
  t.equal(by, 'rules')
  t.strictSame(Object.keys(texts), ['headline', 'narrative', 'data_findings', 'forecast_summary',
    'operational_implications', 'caveats'])
  for (const [name, text] of Object.entries(texts)) t.ok([text].flat().every((one) => one.trim() !== ''), name)
  for (const name of ['headline', 'narrative', 'forecast_summary']) t.ok((texts[name] ?? []).length > 0, name)
}

const explained = await completed({ enabled: true })

t.test('every analysis is made but the one that the operator has to switch on', async (t) => {
  const status = statusOf(explained)
  t.strictSame([status.enabled, status.selected_analyses], [true, [...analyses]])
  t.strictSame(status.completed_analyses, analyses.filter((name) => name !== 'rolling_regression'))
  t.strictSame(status.skipped_analyses, { rolling_regression: 'disabled_by_operator' })
  t.match(status.overview_markdown, /target/)
  t.equal(status.summary_path, 'explainability/summary.json')
  const { artifacts } = status
  t.strictSame(artifacts.map((one) => one.display_order), artifacts.map((_, index) => 10 * (index + 1)))
  t.strictSame([...new Set(artifacts.map((one) => one.analysis))], status.completed_analyses,
    'in the order in which they are shown')
  for (const analysis of status.completed_analyses) {
    t.strictSame(artifacts.filter((one) => one.analysis === analysis).map((one) => one.format).slice(0, 3), ['html',
      'svg', 'csv'], analysis)
  }
  t.strictSame(artifacts.filter((one) => one.is_primary_visual).map((one) => one.artifact_id), ['forecast_plot.html'])
  t.strictSame(artifacts.filter((one) => one.is_thumbnail).map((one) => one.artifact_id), ['forecast_plot.svg'])
  for (const one of artifacts) {
    t.ok(one.highlights.length > 0 && one.highlights.every((text) => text !== ''), one.artifact_id)
  }
  const { total = 0, ...parts } = explained['timings'] as Record<string, number>
  t.ok((parts['explain'] ?? 0) > 0)
  t.ok(Object.values(parts).reduce((sum, seconds) => sum + seconds, 0) <= total + 1e-9)
  t.match(explained, {
    effective_config: {
      explainability: { enabled: true, rolling_regression: true, max_rows: 5000, trailing_history_steps: null }
    }
  })
})

t.test('every address answers, and the zip has the same files', async (t) => {
  const entries = await zipOf(explained)
  const { artifacts } = statusOf(explained)
  const starts = { csv: /^[a-z_]+,/, html: /^<!doctype html>/, svg: /^<svg /, json: /^\{/ }
  const types = { csv: /^text\/csv/, html: /^text\/html/, svg: /^image\/svg\+xml/, json: /^application\/json/ }
  for (const { download_url: url, embed_url: embed, output_path: path, format, artifact_id: id } of artifacts) {
    const file = await read(url)
    t.match([file.status, file.type, file.text], [200, types[format as keyof typeof types],
      starts[format as keyof typeof starts]], id)
    t.equal(entries.get(path)?.toString(), file.text, path)
    t.equal(embed, format === 'csv' ? undefined : url)
    t.match(file.policy, id === 'forecast_plot.html' ? /^sandbox allow-scripts; / : /^sandbox; /)
  }
  const names = [...entries.keys()]
  t.strictSame(names.filter((name) => name.startsWith('explainability/')),
    [...artifacts.map((one) => one.output_path), 'explainability/summary.json'].sort())
  t.strictSame(names.filter((name) => !name.startsWith('explainability/')), ['forecast.csv', 'forecast.parquet',
    'report.html', 'report.json'])
  t.equal(explained['forecast_plot_url'], `/jobs/${explained.job_id}/artifacts/forecast_plot.html`)
  t.match(await read(explained['explainability_url']), { status: 200, type: /json/ })
})

t.test('the plot runs under the policy that it is answered with, and in a frame of another page', {
  skip: whyNoChromium()
}, async (t) => {
  const browser = await startChromium()
  t.teardown(() => browser.close())
  const context = await browser.newContext({ extraHTTPHeaders: { authorization: `Bearer ${client.key}` } })
  const troubles: string[] = []
  context.on('weberror', (error) => troubles.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text())
  })
  const page = await context.newPage()
  await page.goto(`${client.baseUrl}${String(explained['forecast_plot_url'])}`)
  await page.locator('#plot svg').waitFor()
  const embedding = await context.newPage()
  const { text } = await read(explained['forecast_plot_url'])
  await embedding.setContent(
    `<iframe sandbox="allow-scripts" width="900" height="700" srcdoc="${
      text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    }"></iframe>`
  )
  await embedding.frameLocator('iframe').locator('#plot svg').waitFor()
  for (const { download_url: url, format } of statusOf(explained).artifacts) {
    if (format !== 'csv') await page.goto(`${client.baseUrl}${url}`)
  }
  t.strictSame(troubles, [])
})

t.test('the figures of the files are those of the forecast and of each other', async (t) => {
  const entries = await zipOf(explained)
  const rows = (name: string): Array<Record<string, string>> => {
    const [head = [], ...body] = parseCsv(entries.get(name)?.toString() ?? '')
    return body.map((row) => Object.fromEntries(head.map((column, at) => [column, row[at] ?? ''])))
  }
  const summary = JSON.parse(entries.get('explainability/summary.json')?.toString() ?? '') as Summary
  t.match(summary, {
    version: 1,
    target: 'target',
    freq: 'D',
    completed: statusOf(explained).completed_analyses,
    skipped: statusOf(explained).skipped_analyses
  })
  t.ok(summary.rows >= 50 && summary.explained_rows <= 512 && summary.max_additivity_error < 1e-6)
  const importance = rows('explainability/feature_importance.csv').filter((row) => row['kind'] === 'feature')
  t.strictSame(
    summary.top_features.map(({ feature, rank, importance, share }) => [feature, rank, importance, share]),
    importance.slice(0, summary.top_features.length).map((
      row
    ) => [row['feature'], ...['rank', 'importance', 'importance_share'].map((column) => Number(row[column]))])
  )
  t.ok(Math.abs(importance.reduce((sum, row) => sum + Number(row['importance_share']), 0) - 1) < 1e-9,
    'shares of all features sum to 1')
  const contributions = new Map<string, Array<Record<string, string>>>()
  for (const row of rows('explainability/shap_values.csv')) {
    contributions.set(row['row_id'] ?? '', [...contributions.get(row['row_id'] ?? '') ?? [], row])
  }
  t.equal(contributions.size, summary.explained_rows)
  for (const told of contributions.values()) {
    const [{ base_value: base, reproduced } = {}] = told
    const sum = told.reduce((sum, row) => sum + Number(row['shap_value']), Number(base))
    if (Math.abs(sum - Number(reproduced)) > 1e-6) {
      t.fail(`contributions sum to ${sum}, and the forecast is told as ${reproduced}`)
    }
  }
  t.ok(summary.top_features.some(({ feature }) => feature === 'promo'),
    `what sales were made of is found: ${summary.top_features.map(({ feature }) => feature).join(', ')}`)
  t.ok(summary.explanation_keys['headline']?.every(({ rule }) => rule !== ''))

  const forecast = rows('forecast.csv').map((
    row
  ) => [row['item_id'], row['timestamp']?.slice(0, 10), Number(row['mean'])])
  const plotted = rows('explainability/forecast_plot.csv')
  const byTime = (one: Array<string | number | undefined>, other: Array<string | number | undefined>) =>
    String(one.slice(0, 2)) < String(other.slice(0, 2)) ? -1 : 1
  t.strictSame(
    plotted.filter((row) => row['kind'] === 'forecast').map((
      row
    ) => [row['item_id'], row['timestamp']?.slice(0, 10), Number(row['value'])]).sort(byTime),
    forecast.sort(byTime)
  )
  t.equal(plotted.filter((row) => row['kind'] === 'history').length, 4 * Math.min(2 * horizon, 120))
})

t.test('equal jobs give equal files', async (t) => {
  const again = await completed({ enabled: true })
  t.equal(again['config_hash'], explained['config_hash'])
  const [one, other] = [await zipOf(explained), await zipOf(again)]
  // It tells the times of its job.
  for (const [name, bytes] of one) if (name !== 'report.html') t.ok(other.get(name)?.equals(bytes), name)
  t.strictSame(again['explanation'], explained['explanation'])
  t.strictSame(JSON.parse(JSON.stringify(statusOf(again)).replaceAll(again.job_id, explained.job_id)),
    statusOf(explained))
})

t.test('a forecast has its explanation without the block too, and the table does not depend on it', async (t) => {
  checkExplanation(t, explained)
  const plain = await completed(undefined)
  checkExplanation(t, plain)
  const words = (job: Job) => {
    const { data_findings: found, headline, caveats } = job['explanation'] as Json
    return [headline, found, caveats]
  }
  t.strictSame(words(plain), words(explained))
  t.match((explained['explanation'] as Json)['forecast_summary'], [/./, /./, /goes most with “promo”/])
  t.notMatch((plain['explanation'] as Json)['forecast_summary'], [/./, /./, /goes most with/])
  t.strictSame([plain['explainability'], plain['explainability_url'], plain['forecast_plot_url']], [null, null, null])
  t.equal((await client.request('GET', `/jobs/${plain.job_id}/download`)).status, 307)
  t.equal(await client.table(plain.job_id), await client.table(explained.job_id))
  t.not(plain['config_hash'], explained['config_hash'])
})

t.test('what is asked for is made, and nothing else', async (t) => {
  const off = Object.fromEntries(analyses.map((name) => [name, false]))
  const plot = await completed({ enabled: true, ...off, forecast_plot: true, trailing_history_steps: 40 }, {
    presets: 'fast',
    covariates: ''
  })
  t.match(statusOf(plot), {
    selected_analyses: ['forecast_plot'],
    completed_analyses: ['forecast_plot'],
    skipped_analyses: {}
  })
  t.strictSame(statusOf(plot).artifacts.map((one) => one.artifact_id), ['forecast_plot.html', 'forecast_plot.svg',
    'forecast_plot.csv'])
  const { text } = await read(statusOf(plot).artifacts[2]?.download_url)
  t.equal(parseCsv(text).filter((row) => row.includes('history')).length, 4 * 40)

  const none = await completed({ enabled: true, ...off }, { presets: 'fast' })
  t.match(statusOf(none), { selected_analyses: [], completed_analyses: [], skipped_analyses: {}, artifacts: [] })
  t.match(JSON.parse((await read(none['explainability_url'])).text), { selected: [], completed: [] })
  t.equal(none['forecast_plot_url'], null)

  const fewer = await completed({
    enabled: true,
    forecast_plot: false,
    max_rows: 60,
    max_features: 3,
    top_k_features: 2,
    shap_sample_size: 30
  }, { presets: 'fast' })
  const summary = JSON.parse((await read(fewer['explainability_url'])).text) as Summary
  if (statusOf(fewer).completed_analyses.includes('feature_importance')) {
    t.ok(summary.rows <= 60 && summary.explained_rows <= 30 && summary.top_features.length <= 2)
  }
  t.notOk(statusOf(fewer).completed_analyses.includes('forecast_plot'))
  t.equal(fewer['forecast_plot_url'], null)
})

t.test('data that are too short or too plain are forecast, and every analysis that is missing has its reason', async (t) => {
  const reasons = ['not_enough_rows', 'no_features', 'low_fidelity', 'timeout', 'too_many_series',
    'disabled_by_operator']
  const short = csv(Array.from({ length: 6 }, (_, day) => `a,2024-01-0${day + 1},${day}`))
  const constant = csv(Array.from({ length: 90 }, (_, day) => `a,${isoDate(new Date(Date.UTC(2024, 0, 1 + day)))},5`))
  for (const input of [short, constant]) {
    const job = await completed({ enabled: true }, { presets: 'fast', covariates: '', prediction_length: '3' }, input)
    const { completed_analyses: made, skipped_analyses: skipped } = statusOf(job)
    t.strictSame([...made, ...Object.keys(skipped)].sort(), [...analyses].sort(), 'each is made or skipped')
    for (const [name, reason] of Object.entries(skipped)) t.ok(reasons.includes(reason), `${name}: ${reason}`)
    t.ok(made.includes('forecast_plot'))
    t.not(job['explanation'], null)
  }
})

t.test('a deleted job leaves nothing of its analyses', async (t) => {
  const job = await completed({ enabled: true }, { presets: 'fast' })
  t.ok((await objectsOf(service, 'acme', job.job_id)).some((key) => key.includes('explainability')))
  t.equal((await client.request('DELETE', `/jobs/${job.job_id}`)).status, 204)
  t.equal((await read(job['explainability_url'])).status, 404)
  t.strictSame(await objectsOf(service, 'acme', job.job_id), [])
})

t.test('rolling regressions are made where the operator has switched them on', async (t) => {
  await service.restart({ TABCAST_ANALYSIS_ROLLING_REGRESSION: 'true' })
  const job = await completed({ enabled: true })
  t.notMatch(statusOf(job).skipped_analyses, { rolling_regression: 'disabled_by_operator' })
  t.ok(statusOf(job).completed_analyses.includes('rolling_regression'), JSON.stringify(statusOf(job).skipped_analyses))
  t.equal((await read(`/jobs/${job.job_id}/artifacts/rolling_regression.html`)).status, 200)
  t.equal(job['config_hash'], explained['config_hash'])
  t.equal((await read(explained['explainability_url'])).status, 200, 'files of jobs from before are read')
})
