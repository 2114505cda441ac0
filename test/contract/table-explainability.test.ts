import t, { type Test } from 'tap'
import { parseCsv } from '../support/csv.ts'
import { customers, customersCsv, type Customer } from '../support/customers.ts'
import { Client, startService, type Job } from '../support/service.ts'
import { readZip } from '../support/zip.ts'

/*
 * Predictions that are explained, through HTTP and the whole service: customers whose spend follows from plan and
 * age, and who leave by spend.
 */
const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))

interface Artifact {
  artifact_id: string
  output_path: string
  download_url: string
  is_primary_visual: boolean
}
interface Status {
  completed_analyses: string[]
  skipped_analyses: Record<string, string>
  warnings: string[]
  artifacts: Artifact[]
  overview_markdown: string
}
interface Summary {
  subject: string
  target: string
  class?: string
  fidelity: { r2: number }
  max_additivity_error: number
  top_features: Array<{ feature: string }>
}

const all = ['feature_importance', 'shap', 'feature_target_correlations', 'feature_feature_correlations']
const statusOf = (job: Job) => job['explainability'] as Status

async function completed (t: Test, path: string, table: string, fields: Record<string, string>,
  block: object = { enabled: true }): Promise<Job> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, explainability: JSON.stringify(block) })) {
    form.append(name, value)
  }
  form.append('file', new Blob([table]), 'customers.csv')
  const answer = await client.request('POST', path, { body: form })
  const job = await answer.json() as Job
  t.equal(answer.status, 202, JSON.stringify(job))
  const ended = await client.ended(job.job_id)
  t.equal(ended.status, 'completed', `${ended.error_code}: ${ended.error}`)
  return ended
}

async function zipOf ({ job_id: jobId }: Job): Promise<Map<string, Buffer>> {
  return readZip(Buffer.from(await (await client.request('GET', `/jobs/${jobId}/download`)).arrayBuffer()))
}

/**
 * What holds of every explained table; gives the summary, and the lines of the contributions by the names of their
 * columns.
 */
async function check (t: Test, job: Job,
  label: string): Promise<{ summary: Summary, values: Array<Record<string, string>> }> {
  const status = statusOf(job)
  t.strictSame(status.completed_analyses, all)
  t.strictSame(status.skipped_analyses, { forecast_plot: 'not_applicable', rolling_regression: 'not_applicable' })
  t.strictSame(status.warnings, [])
  t.strictSame(status.artifacts.filter((one) => one.is_primary_visual).map((one) => one.artifact_id), [
    'feature_importance.html'
  ])
  t.notMatch(status.overview_markdown, /forecast/i)
  const { total = 0, ...parts } = job['timings'] as Record<string, number>
  t.ok((parts['explain'] ?? 0) > 0 && Object.values(parts).reduce((sum, seconds) => sum + seconds, 0) <= total + 1e-9)
  const entries = await zipOf(job)
  t.strictSame([...entries.keys()].filter((name) => name.startsWith('explainability/')),
    [...status.artifacts.map((one) => one.output_path), 'explainability/summary.json'].sort())
  for (const { download_url: url, output_path: path } of status.artifacts) {
    t.equal(await (await client.request('GET', url)).text(), entries.get(path)?.toString(), path)
  }
  const summary = JSON.parse(String(entries.get('explainability/summary.json'))) as Summary
  t.match(summary, { subject: 'table', target: label })
  t.ok(summary.fidelity.r2 >= 0.5 && summary.max_additivity_error < 1e-9)
  const [head = [], ...rows] = parseCsv(String(entries.get('explainability/shap_values.csv')))
  t.strictSame(head, ['row_index', 'feature', 'feature_value', 'shap_value', 'base_value', 'reproduced', 'prediction'])
  return { summary, values: rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? '']))) }
}

/** Mean contribution of a column in the rows that have a value of it. */
function meanOf (values: ReadonlyArray<Record<string, string>>, feature: string, value: string): number {
  const found = values.filter((line) => line['feature'] === feature && line['feature_value'] === value).map((line) =>
    Number(line['shap_value'])
  )
  return found.reduce((sum, one) => sum + one / found.length, 0)
}

t.test('of two classes the probability of the rarer one is explained', async (t) => {
  const people = customers(200)
  const job = await completed(t, '/v2/classify', customersCsv(people), { label_column: 'churned' })
  const leavers = people.filter(({ churned }) => churned === 'ja, sofort').length
  const { summary, values } = await check(t, job, 'churned')
  t.equal(summary.class, leavers < people.length / 2 ? 'ja, sofort' : 'nein')
  t.ok(['plan', 'age'].includes(summary.top_features[0]?.feature ?? ''))
  const sign = summary.class === 'nein' ? 1 : -1
  t.ok(sign * (meanOf(values, 'plan', 'team') - meanOf(values, 'plan', 'basic')) > 0, 'who pays more stays')
})

t.test('of several classes that of the most frequent one', async (t) => {
  const band = ({ spend }: Customer) => Number(spend) < 40 ? 'low' : Number(spend) < 80 ? 'middle' : 'high'
  const people = customers(200).map((one) => ({ ...one, churned: band(one) }))
  const { summary } = await check(t,
    await completed(t, '/v2/classify', customersCsv(people), { label_column: 'churned' }), 'churned')
  t.equal(summary.class, 'middle')
})

t.test('of numbers the prediction itself, in units of the label', async (t) => {
  const people = customers(200, 30)
  const table = customersCsv(people, ['customer', 'age', 'plan', 'joined', 'spend'])
  const job = await completed(t, '/v2/regress', table, { label_column: 'spend', inference_mode: 'train_predict' })
  const { summary, values } = await check(t, job, 'spend')
  t.notOk('class' in summary)
  t.ok(Math.abs(meanOf(values, 'plan', 'team') - meanOf(values, 'plan', 'basic') - 45) < 12, 'a team pays 45 more')
  t.ok(values.some((line) => Number(line['row_index']) >= 200), 'rows without a label are among them')
})

t.test('of quantiles the median; only what is asked for is made', async (t) => {
  const table = customersCsv(customers(120), ['customer', 'age', 'plan', 'joined', 'spend'])
  const block = {
    enabled: true,
    shap: false,
    forecast_plot: false,
    rolling_regression: false,
    feature_feature_correlations: false,
    max_features: 2
  }
  const job = await completed(t, '/v2/regress', table, { label_column: 'spend', problem_type: 'quantile' }, block)
  t.strictSame(statusOf(job).completed_analyses, ['feature_importance', 'feature_target_correlations'])
  t.strictSame(statusOf(job).skipped_analyses, {})
})
