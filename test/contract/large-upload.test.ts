import t from 'tap'
import type { ErrorEnvelope } from '../../src/api/error-envelope.ts'
import { expectError } from '../support/expect-error.ts'
import { Client, panelCsv, startService } from '../support/service.ts'

/* Uploads above the size up to which they are read in full before the 202: the rows are the job's business. */
const service = await startService({ TABCAST_SYNC_CHECK_MAX_BYTES: '2000', TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))
const fields = { prediction_length: '4', presets: 'fast' }
const large = panelCsv(3, 48)
const head = 'item_id,timestamp,target'

/** A panel whose data row `row` is replaced. */
function withRow (csv: string, row: number, line: string): string {
  return csv.split('\n').with(row, line).join('\n')
}

t.test('a large file in order is taken, forecast, and has no profile before it ran', async (t) => {
  t.ok(large.length > 2000)
  const job = await client.ended((await client.submitted(large, fields)).job_id)
  t.equal(job.status, 'completed', job.error ?? '')
  t.equal(job['num_items'], 3)
})

t.test('what stands before the rows is answered at once and leaves no job behind', async (t) => {
  const before = await jobCount()
  const cases: Array<
    { name: string, data: string | Uint8Array<ArrayBuffer>, filename?: string, status: number, text: RegExp }
  > = [
    {
      name: 'a missing column',
      data: large.replace(head, 'item_id,timestamp,sales'),
      status: 422,
      text: /no column 'target'.*'sales'/
    },
    {
      name: 'a doubled column',
      data: large.replace(head, `${head},target`),
      status: 422,
      text: /more than one column 'target'/
    },
    { name: 'Parquet named as CSV', data: `PAR1${large}`, status: 415, text: /Parquet/ },
    { name: 'CSV named as Parquet', data: large, filename: 'data.parquet', status: 415, text: /not a Parquet file/ },
    { name: 'UTF-16', data: new Uint8Array(Buffer.from(`\u{feff}${large}`, 'utf16le')), status: 415, text: /UTF-16/ }
  ]
  for (const { name, data, filename, status, text } of cases) {
    const answer = await client.submit(data, fields, filename)
    t.match(textOf(await expectError(t, answer, status, 'validation_error')), text, name)
  }
  t.equal(await jobCount(), before)
})

t.test('a bad row of a large file fails the job with the code and the text that a small file is refused with', async (t) => {
  const small = panelCsv(1, 24)
  t.ok(small.length < 2000)
  const rows = [
    { line: 'series-0,2015-03-01,"1,234.5"', names: ["column 'target'", 'row 3', '1,234.5'] },
    { line: 'series-0,someday,1', names: ["column 'timestamp'", 'row 3', 'someday'] },
    { line: ',2015-03-01,1', names: ["column 'item_id'", 'row 3'] },
    { line: 'series-0,2015-03-01', names: ['row 3', '2 cells'] }
  ]
  for (const { line, names } of rows) {
    const refused = await expectError(t, await client.submit(withRow(small, 3, line), fields), 422, 'validation_error')
    const job = await client.ended((await client.submitted(withRow(large, 3, line), fields)).job_id)
    t.equal(job.status, 'failed')
    t.equal(job.error_code, 'validation_error')
    t.equal(job.error, textOf(refused), line)
    for (const name of names) t.ok(job.error?.includes(name), `${name} in: ${job.error}`)
  }
})

function textOf ({ detail }: ErrorEnvelope): string {
  if (typeof detail === 'string') return detail
  return Array.isArray(detail) ? detail.map(({ msg }) => msg).join('\n') : detail.detail
}

async function jobCount (): Promise<number> {
  const { jobs } = await (await client.request('GET', '/jobs?limit=200')).json() as { jobs: unknown[] }
  return jobs.length
}
