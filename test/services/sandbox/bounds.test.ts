import t from 'tap'
import { expectError, fieldsOf, type Answer } from '../../support/expect-error.ts'
import { form } from '../../support/form.ts'
import { jobOf, openSandbox, panel } from '../../support/sandbox.ts'
import { until } from '../../support/until.ts'

t.test('an address has five posts an hour, those that are refused included', async (t) => {
  const stage = await openSandbox(t, { TABCAST_SANDBOX_POSTS_PER_HOUR: '5', TABCAST_RATE_LIMITS: 'false' })
  for (let at = 0; at < 5; at++) {
    await expectError(t, await stage.post('forecast', { email: 'ana@gmail.com' }), 400,
      'sandbox_corporate_email_required')
  }
  const refused = await stage.post('classify')
  await expectError(t, refused, 429, 'rate_limited')
  const seconds = Number(refused.headers.get('retry-after'))
  t.ok(seconds > 600 && seconds <= 720, `a fifth of an hour: ${seconds}`)
  t.equal(refused.headers.get('ratelimit-policy'), '"sandbox-post";q=5;w=3600')
  t.equal((await stage.post('forecast', {}, { address: '192.0.2.7' })).status, 202, 'another address has its own')
  for (let at = 0; at < 5; at++) {
    await stage.post('forecast', { email: 'ana@gmail.com' }, { address: `2001:db8:1:2::${at}` })
  }
  await expectError(t, await stage.post('forecast', {}, { address: '2001:db8:1:2:ffff::1' }), 429, 'rate_limited')
  const { headers, payload } = form([['file', panel, 'data.csv']])
  t.equal(
    (await stage.app.inject({
      method: 'POST',
      url: '/forecast',
      headers: { ...headers, authorization: `Bearer ${stage.key}` },
      payload
    })).statusCode,
    202,
    'tenants have theirs'
  )
})

t.test('all visitors together have so many posts a minute, ten of them at once', async (t) => {
  const stage = await openSandbox(t, { TABCAST_SANDBOX_POSTS_PER_MINUTE: '30' })
  const answers = []
  for (let at = 0; at < 11; at++) {
    answers.push(await stage.post('forecast', { email: 'ana@gmail.com' }, { address: `192.0.2.${at}` }))
  }
  t.strictSame(answers.slice(0, 10).map(({ status }) => status), Array<number>(10).fill(400))
  await expectError(t, answers[10] as Answer, 429, 'rate_limited')
  t.match(answers[10]?.headers.get('retry-after'), /^[12]$/)
  t.equal((await stage.ask('GET', '/sandbox/challenge')).status, 200, 'reads go on')
})

t.test('reads are counted by address too: who uses them up leaves those of others', async (t) => {
  const stage = await openSandbox(t, { TABCAST_SANDBOX_READS_PER_MINUTE: '3' })
  const read = async (remoteAddress: string) =>
    (await stage.app.inject({
      url: '/sandbox/challenge',
      headers: { authorization: `Bearer ${stage.sandboxKey}` },
      remoteAddress
    })).statusCode
  const statuses = []
  for (let at = 0; at < 4; at++) statuses.push(await read('192.0.2.1'))
  t.strictSame(statuses, [200, 200, 200, 429])
  t.equal(await read('192.0.2.2'), 200)
})

t.test('so many jobs wait and no more, which is nothing to tenants', async (t) => {
  const stage = await openSandbox(t, { TABCAST_SANDBOX_MAX_WAITING: '2', TABCAST_MAX_QUEUED: '3' })
  for (const domain of ['siemens.com', 'bosch.com']) {
    t.equal((await stage.post('forecast', { email: `ana@${domain}` })).status, 202)
  }
  const refused = await expectError(t, await stage.post('forecast', { email: 'ana@basf.com' }), 503,
    'server_overloaded')
  t.match(refused.detail, { detail: /2 jobs of the sandbox are waiting, and this deployment takes 2 of them/ })
  const { headers, payload } = form([['file', panel, 'data.csv']])
  t.equal(
    (await stage.app.inject({
      method: 'POST',
      url: '/forecast',
      headers: { ...headers, authorization: `Bearer ${stage.key}` },
      payload
    })).statusCode,
    202
  )
})

t.test('what its jobs keep has a bound, and room comes back when they go', async (t) => {
  const stage = await openSandbox(t, {
    TABCAST_SANDBOX_MAX_STORED_BYTES: String(16 * 1024 * 1024),
    TABCAST_SANDBOX_RETENTION_SECONDS: '1',
    TABCAST_SWEEP_MS: '100'
  })
  const { job_id: jobId } = jobOf(await stage.post('forecast'))
  await expectError(t, await stage.post('forecast', { email: 'ana@bosch.com' }), 503, 'server_overloaded')
  await stage.finishNext({ 'forecast.csv': 'x'.repeat(9 * 1024 * 1024) }, {}, 'large')
  await until('its end', async () => jobOf(await stage.ask('GET', `/jobs/${jobId}?wait=5`)).status !== 'pending')
  await until('there is room', async () => (await stage.post('forecast', { email: 'ana@bosch.com' })).status === 202)
  t.equal((await stage.ask('GET', `/jobs/${jobId}`)).status, 404)
})

t.test('one job of the sandbox at a time is with the workers, and tenants go before it', async (t) => {
  const stage = await openSandbox(t, { TABCAST_LEASE_MS: '30000' })
  for (const domain of ['siemens.com', 'bosch.com']) await stage.post('forecast', { email: `ana@${domain}` })
  const first = await stage.takeNext('large')
  const { headers, payload } = form([['label_column', 'target'], ['file', panel, 'data.csv']])
  const own = await stage.app.inject({
    method: 'POST',
    url: '/v2/classify',
    headers: { ...headers, authorization: `Bearer ${stage.key}` },
    payload
  })
  t.equal(own.statusCode, 202)
  const next = await stage.takeNext('large')
  t.strictSame([first.message.tenant, next.message.tenant], ['_sandbox', 'acme'])
  t.equal(await stage.worker.nextJob('large', 1000), undefined, 'the second waits until the first has ended')
})

t.test('the ids of its jobs do not follow each other', async (t) => {
  const stage = await openSandbox(t)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) => stage.post('forecast', { email: `ana@company-${at}.com` }))
  )
  const ids = answers.map((answer) => jobOf(answer).job_id)
  t.equal(new Set(ids.map((id) => id.slice(-16, -2))).size, 40, 'no two random parts begin alike')
})

t.test('one visitor holds eight long polls and a fifth of the processor time, and others go on', async (t) => {
  const stage = await openSandbox(t, { TABCAST_API_CPU_MS_PER_MINUTE: '2000' })
  const read = async (url: string, remoteAddress: string) =>
    await stage.app.inject({ url, headers: { authorization: `Bearer ${stage.sandboxKey}` }, remoteAddress })
  const { job_id: jobId } = jobOf(await stage.post('forecast'))
  const held = Array.from({ length: 8 }, () => read(`/jobs/${jobId}?wait=20`, '192.0.2.1'))
  await until('a ninth is refused', async () => (await read(`/jobs/${jobId}?wait=1`, '192.0.2.1')).statusCode === 429)
  t.equal((await read(`/jobs/${jobId}?wait=1`, '192.0.2.2')).statusCode, 200)
  await stage.finishNext({ 'forecast.csv': 'x', 'forecast.parquet': 'PAR1' }, {}, 'large')
  t.strictSame((await Promise.all(held)).map(({ statusCode }) => statusCode), Array<number>(8).fill(200))

  const refused = await until('the first visitor has used up its time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => read('/sandbox/challenge', '192.0.2.1')))
    return answers.find(({ statusCode }) => statusCode === 429)
  })
  t.match(refused.json(), { detail: { reason: 'cpu_time' } })
  t.equal((await read('/sandbox/challenge', '192.0.2.2')).statusCode, 200)
})

t.test('visitors who hold all long polls of the sandbox, from many addresses, keep none from a further one', async (t) => {
  const stage = await openSandbox(t, { TABCAST_LONG_POLLS_PER_TENANT: '3' })
  const { job_id: jobId } = jobOf(await stage.post('forecast'))
  const over: string[] = []
  const poll = async (seconds: number, remoteAddress: string) => {
    const { statusCode } = await stage.app.inject({
      url: `/jobs/${jobId}?wait=${seconds}`,
      headers: { authorization: `Bearer ${stage.sandboxKey}` },
      remoteAddress
    })
    if (statusCode === 200) over.push(remoteAddress)
    return statusCode
  }
  const held = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => poll(30, address))
  await until('a further one waits', async () => await poll(1, '192.0.2.4') === 200)
  t.strictSame(over, ['192.0.2.1', '192.0.2.4'], 'the one that has waited for longest is answered')
  const again = poll(30, '192.0.2.1')
  await until('all wait', async () => await poll(1, '192.0.2.2') === 429)
  await stage.finishNext({ 'forecast.csv': 'x', 'forecast.parquet': 'PAR1' }, {}, 'large')
  t.strictSame(await Promise.all([...held, again]), [200, 200, 200, 200])
})

t.test('rows without a column that names their series are one, where that is said; where it is not, the refusal says ' +
  'how', async (t) => {
  const stage = await openSandbox(t)
  t.equal((await stage.post('forecast', { one_series: 'true' })).status, 202)
  t.match((await stage.takeNext('large')).message.spec, { preparation: { seriesColumns: [], filters: [] } })
  stage.checkReply = {
    v: 1,
    ok: false,
    error: {
      code: 'missing_column',
      status: 422,
      message: "There is no column 'item_id'.",
      column: 'item_id',
      row: null,
      item: null,
      count: null,
      suggestion: 'Set item_id_column.'
    }
  }
  const [visitors] = fieldsOf(
    await expectError(t, await stage.post('forecast', { email: 'ana@bosch.com' }), 422, 'validation_error')
  )
  t.match(visitors?.msg, /Set item_id_column\. If all rows are one series, send one_series=true\.$/)
  const { headers, payload } = form([['file', panel, 'data.csv']])
  const answer = await stage.app.inject({
    method: 'POST',
    url: '/forecast',
    headers: { ...headers, authorization: `Bearer ${stage.key}` },
    payload
  })
  const { detail } = answer.json<{ detail: Array<{ msg: string }> }>()
  t.match(detail[0]?.msg, /send preparation=\{"series_columns": \[\]\}\.$/)
})
