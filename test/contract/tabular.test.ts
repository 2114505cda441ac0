import t, { type Test } from 'tap'
import { completedJob } from '../support/completed-job.ts'
import { parseCsv } from '../support/csv.ts'
import { customers, customersCsv } from '../support/customers.ts'
import { expectError, fieldsOf, suggestionOf } from '../support/expect-error.ts'
import { Client, startService, type Job } from '../support/service.ts'
import { readZip } from '../support/zip.ts'

/* Classification and regression by the whole service. */

/** Tables of more bytes are read by their job alone. */
const checkedBytes = 40_000
const service = await startService({ TABCAST_RATE_LIMITS: 'false', TABCAST_SYNC_CHECK_MAX_BYTES: String(checkedBytes) })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))
const json = { 'content-type': 'application/json' }
const files = ['metrics.json', 'predictions.csv', 'predictions.parquet', 'report.html', 'report.json']

async function ask (path: string, table: string, fields: Record<string, string> = {}): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([table]), 'customers.csv')
  return await client.request('POST', path, { body: form })
}

async function store (table: string): Promise<string> {
  const presigned = await client.request('POST', '/storage/uploads/presign', {
    body: JSON.stringify({ filename: 'customers.csv', content_type: 'text/csv' }),
    headers: json
  })
  const upload = await presigned.json() as { object_id: string, upload_url: string,
    required_headers: Record<string, string> }
  await fetch(upload.upload_url, { method: 'PUT', headers: upload.required_headers, body: table })
  await client.request('POST', `/storage/uploads/${upload.object_id}/complete`, { body: '{}', headers: json })
  return upload.object_id
}

const completed = async (t: Test, answer: Response): Promise<Job> => await completedJob(t, client, answer)

/** Rows of the table by the names of their columns. */
async function predictionsOf (job: Job): Promise<{ header: string[], rows: Array<Record<string, string>> }> {
  const [header = [], ...rows] = parseCsv(await client.table(job.job_id))
  return { header, rows: rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? '']))) }
}

const shares = (job: Job) => Object.entries(job['feature_importance'] as Record<string, number>)
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

t.test('an upload is classified: rows that were held back, measured, explained, in every form', async (t) => {
  const people = customers(240, 12)
  const fields = { label_column: 'churned', name: 'churn' }
  const job = await completed(t, await ask('/v2/classify', customersCsv(people), fields))
  t.match(job, {
    job_type: 'classification',
    num_samples: 252,
    labeled_row_count: 240,
    unlabeled_row_count: 12,
    predicted_row_count: 48,
    problem_type: 'binary',
    inference_mode: 'train_evaluate',
    model_name: 'tabular-balanced',
    name: 'churn',
    download_url: `/jobs/${job.job_id}/download`,
    report_url: `/jobs/${job.job_id}/artifacts/report.html`
  })
  const { header, rows } = await predictionsOf(job)
  t.strictSame(header, ['row_index', 'customer', 'split', 'actual', 'prediction', 'confidence', ...header.slice(6)])
  t.equal(header.length, 8)
  t.ok(header.slice(6).every((name) => name.startsWith('probability_')))
  t.equal(rows.length, 48)
  t.strictSame(rows.map((row) => Number(row['row_index'])),
    rows.map((row) => Number(row['row_index'])).toSorted((a, b) => a - b), 'in the order of the file')
  for (const row of rows) {
    const person = people[Number(row['row_index'])]
    t.match(row, { split: 'test', actual: person?.churned, customer: person?.customer })
    const probabilities = header.slice(6).map((name) => Number(row[name]))
    t.ok(Math.abs(sum(probabilities) - 1) < 1e-9)
    t.equal(Number(row['confidence']), Math.max(...probabilities))
  }
  const right = rows.filter(({ actual, prediction }) => actual === prediction).length
  t.equal(job['accuracy'], right / rows.length, 'the accuracy is that of the table')
  t.ok(right / rows.length > 0.7, `${right} of ${rows.length}`)
  const { accuracy, log_loss: logLoss, r2 } = job['metrics'] as Record<string, number | null>
  t.equal(accuracy, job['accuracy'])
  t.ok((logLoss ?? Infinity) < Math.log(2))
  t.equal(r2, null)
  t.ok(Math.abs(sum(shares(job).map(([, share]) => share)) - 1) < 1e-9)
  t.ok(shares(job).every(([name, share]) => share >= 0 && name !== 'churned' && name !== 'customer'))

  await t.test('its files', async (t) => {
    const zip = readZip(
      Buffer.from(await (await client.request('GET', `/jobs/${job.job_id}/download?format=zip`)).arrayBuffer())
    )
    t.strictSame([...zip.keys()], files)
    t.equal(zip.get('predictions.parquet')?.subarray(0, 4).toString(), 'PAR1')
    const metrics = JSON.parse(String(zip.get('metrics.json'))) as {
      metrics: { accuracy: { value: number, low: number, high: number } }
    }
    t.equal(metrics.metrics.accuracy.value, job['accuracy'])
    const report = JSON.parse(String(zip.get('report.json'))) as { columns: Array<{ name: string, role: string }> }
    t.strictSame(report.columns.map(({ name }) => name), ['customer', 'age', 'plan', 'joined', 'churned'])
    const page = await client.request('GET', String(job['report_url']))
    t.match(page.headers.get('content-type'), /^text\/html/)
    t.match(await page.text(), /churned/)
    t.equal((await client.request('GET', `/jobs/${job.job_id}/download`)).status, 307)
  })

  await t.test('the same request gives the same bytes', async (t) => {
    const again = await completed(t, await ask('/v2/classify', customersCsv(people), fields))
    t.match(again, {
      config_hash: job['config_hash'],
      dataset_hash: job['dataset_hash'],
      model_version: job['model_version']
    })
    t.equal(await client.table(again.job_id), await client.table(job.job_id))
  })
})

t.test('a stored object is regressed: the rows without a label get numbers and intervals', async (t) => {
  const people = customers(200, 25)
  const objectId = await store(customersCsv(people, ['customer', 'age', 'plan', 'joined', 'spend']))
  const body = { object_id: objectId, label_column: 'spend', inference_mode: 'auto', time_column: 'joined' }
  const job = await completed(t,
    await client.request('POST', '/v2/regress/storage-object', { body: JSON.stringify(body), headers: json }))
  t.match(job, {
    job_type: 'regression',
    num_samples: 225,
    labeled_row_count: 200,
    unlabeled_row_count: 25,
    predicted_row_count: 25,
    problem_type: 'regression',
    inference_mode: 'train_predict',
    accuracy: null,
    effective_config: { inference_mode: 'auto', time_column: 'joined' }
  })
  const { r2, rmse, mae, accuracy } = job['metrics'] as Record<string, number | null>
  t.ok((r2 ?? 0) > 0.5, `r2 ${r2}`)
  t.ok((rmse ?? -1) > 0 && (mae ?? -1) > 0 && accuracy === null)
  const { header, rows } = await predictionsOf(job)
  t.strictSame(header, ['row_index', 'customer', 'split', 'actual', 'prediction', '0.1', '0.5', '0.9'])
  t.strictSame(rows.map((row) => Number(row['row_index'])), Array.from({ length: 25 }, (_, at) => 200 + at))
  for (const row of rows) {
    const [low = NaN, middle = NaN, high = NaN] = ['0.1', '0.5', '0.9'].map((name) => Number(row[name]))
    t.match(row, { split: 'unlabeled', actual: '', customer: people[Number(row['row_index'])]?.customer })
    t.ok(low <= middle && middle <= high && Number.isFinite(Number(row['prediction'])))
  }
})

t.test('what is wrong with a table is said before a job is made', async (t) => {
  const people = customers(60)
  const table = customersCsv(people)
  const label = (text: (at: number) => string) => customersCsv(people.map((row, at) => ({ ...row, churned: text(at) })))
  const churned = { label_column: 'churned' }
  const cases: Array<
    [what: string, path: string, table: string, fields: Record<string, string>, status: 400 | 422, text: RegExp]
  > = [
    ['no label column', '/v2/classify', table, {}, 422, /'target'.*'churned'/],
    ['no time column', '/v2/classify', table, { ...churned, time_column: 'day' }, 422, /'day'/],
    ['one class', '/v2/classify', label(() => 'yes'), churned, 400, /two classes/],
    ['few labels', '/v2/classify', label((at) => at < 19 ? ['yes', 'no'][at % 2] as string : ''), churned, 400,
      /label/],
    ['classes of one row', '/v2/classify', label((at) => at > 1 ? '' : ['yes', 'no'][at] as string), churned, 400,
      /label/],
    ['no number as label', '/v2/regress', table, churned, 422, /\/v2\/classify/],
    ['numbers as classes', '/v2/classify', customersCsv(customers(400), ['age', 'plan', 'spend']), {
      label_column: 'spend'
    }, 422, /\/v2\/regress/],
    ['three classes as two', '/v2/classify', label((at) => ['a', 'b', 'c'][at % 3] as string), {
      ...churned,
      problem_type: 'binary'
    }, 422, /multiclass/],
    ['nothing to predict', '/v2/classify', table, { ...churned, inference_mode: 'predict_unlabeled' }, 400,
      /train_evaluate/],
    ['a name twice', '/v2/classify', table.replace('joined', 'age'), churned, 422, /'age'/],
    ['nothing to learn from', '/v2/classify',
      customersCsv(people.map((row) => ({ ...row, age: '1' })), ['age', 'churned']), churned, 422, /[Cc]olumn/],
    ['a header alone', '/v2/classify', 'age,churned\n', churned, 400, /./],
    ['nothing', '/v2/classify', '', churned, 400, /./]
  ]
  for (const [what, path, given, fields, status, text] of cases) {
    const envelope = await expectError(t, await ask(path, given, fields), status, 'validation_error')
    if (status === 422) t.match(fieldsOf(envelope), [{ msg: text }], what)
    else t.match(suggestionOf(envelope), text, what)
  }
  const { jobs } = await (await client.request('GET', '/jobs?status=failed')).json() as { jobs: Job[] }
  t.strictSame(jobs, [])
})

t.test('a table that is too large to be checked at once is taken, and its job says the same', async (t) => {
  const table = customersCsv(customers(1400))
  t.ok(table.length > checkedBytes)
  const answer = await ask('/v2/classify', table, { label_column: 'left' })
  t.equal(answer.status, 202)
  const job = await client.ended((await answer.json() as Job).job_id)
  t.match(job, {
    status: 'failed',
    error_code: 'validation_error',
    error: /'left'.*'churned'/,
    num_samples: null,
    download_url: null
  })
})
