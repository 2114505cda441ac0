import { mkdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { runTabcast, type Ended } from '../support/command.ts'
import { startLimitingServer } from '../support/limiting-server.ts'

/* What answers at the address may be anything, and its texts end on somebody's terminal. */

const jobId = 'job_01ARZ3NDEKTSV4RRFFQ69G5FAV'
const escape = '\u001B]0;title\u0007\u001B[2J\u009B31m\u202E'
const job = {
  job_id: jobId,
  status: 'completed',
  error: null,
  error_code: null,
  num_items: 1,
  prediction_length: 1,
  timings: { total: 1 },
  report_url: `/report${escape}`,
  warnings: [{ code: `w${escape}`, message: `m${escape}` }],
  progress: null
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void
let handler: Handler = () => undefined
const server = createServer((request, response) => request.resume().once('end', () => handler(request, response)))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
t.teardown(() => server.close())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const folder = t.testdir({ 'sales.csv': 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n' })
const sales = join(folder, 'sales.csv')
const forecast = async (file: string, ...args: string[]): Promise<Ended> =>
  await runTabcast(['forecast', file, '--key', 'k', '--url', url, '--force', ...args])
const answer = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(
    typeof body === 'string' ? body : JSON.stringify(body)
  )
}
// eslint-disable-next-line no-control-regex -- none may be printed
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/u

t.test('no control character of an answer reaches the terminal', async (t) => {
  handler = (request, response) => {
    if (request.url?.includes('/download') === true) {
      answer(response, 200, `item_id,timestamp,mean\n"a${escape}",2024-03-01,1\n`)
    } else answer(response, request.method === 'POST' ? 202 : 200, job)
  }
  const done = await forecast(sales)
  t.equal(done.status, 0, done.stderr)
  t.match(done.stdout, /warning w\uFFFD]0;title\uFFFD/)
  t.notMatch(done.stdout + done.stderr, unprintable)
  t.match(readFileSync(join(folder, 'sales.forecast.csv'), 'utf8'), escape, 'the file has what was sent')

  for (const body of [
    {
      detail: [{ loc: ['body', `x${escape}`], msg: `bad${escape}` }],
      error_code: `code${escape}`,
      retryable: false,
      request_id: `r${escape}`
    },
    `<b>${escape}</b>`
  ]) {
    handler = (_request, response) => {
      answer(response, 422, body)
    }
    const refused = await forecast(sales)
    t.equal(refused.status, 1)
    t.notMatch(refused.stdout + refused.stderr, unprintable)
  }
})

t.test('what is no job is not taken for one, and is never part of a command to copy', async (t) => {
  for (const body of ['nope', 'null', '[]', { ...job, status: 'done' }, { ...job, job_id: 'job_1; touch x #' }]) {
    handler = (_request, response) => {
      answer(response, 202, body)
    }
    const { status, stdout, stderr } = await forecast(sales)
    t.equal(status, 1)
    t.match(stderr, /no answer of the service \(202\)/)
    t.notMatch(stdout + stderr, /tabcast forecast/)
  }
  handler = (_request, response) => {
    answer(response, 404, { detail: 'No such job.', error_code: 'job_not_found', retryable: false })
  }
  t.match(
    (await runTabcast(['forecast', '--key', 'k', '--url', url, '--job', 'job_1; touch x #', '--out',
      join(folder, 'x.csv')])).stderr,
    /--job 'job_1; touch x #' --out/
  )
})

t.test('only a file is sent, and only a file is written', async (t) => {
  let requests = 0
  handler = (_request, response) => {
    requests++
    answer(response, 500, '')
  }
  mkdirSync(join(folder, 'folder.csv'))
  t.match(await forecast(join(folder, 'none.csv'), '--out', join(folder, 'x.csv')), {
    status: 1,
    stderr: /none\.csv: there is no such file/
  })
  for (const path of ['/dev/zero', join(folder, 'folder.csv')]) {
    t.match(await forecast(path, '--out', join(folder, 'x.csv')), { status: 1, stderr: `${path}: not a file` })
  }
  t.match(await forecast(sales, '--out', join(folder, 'folder.csv')), {
    status: 1,
    stderr: /folder\.csv is a folder/
  })
  t.equal(requests, 0)
})

t.test('a service that asks to come back in hours is an error at once, which says when', async (t) => {
  const limiting = await startLimitingServer(t)
  const ended = await forecast(sales, '--url', limiting.url)
  t.equal(ended.status, 1)
  t.match(ended.stderr,
    /rate_limited \(429\)\n {2}1000 of 1000 jobs are taken\.\n {2}Ask for more\.\n {2}try again in 8 h 18 min, at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n/)
  t.notMatch(ended.stderr, /again in [\d.]+ s\n/, 'nothing was waited for')
  t.strictSame(limiting.requests, ['POST /forecast'])
})

t.test('Retry-After may be a date of any form, and counts from the date of the answer', async (t) => {
  const { url, requests } = await startLimitingServer(t)
  for (const form of ['date', 'asctime']) {
    const asked = await forecast(sales, '--job', jobId, '--url', `${url}/${form}-7200`)
    t.match(asked.stderr, /try again in 2 h 0 min, at /, form)
    t.equal(asked.status, 1)
  }
  t.equal(requests.length, 2)
})
