import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { dataPaths } from '../../src/platform/config.ts'
import type { QuickProfileReply, QuickProfileRequest } from '../../src/platform/queue/quick-messages.ts'
import { extractIntent } from '../../src/services/agent/extract-intent.ts'
import { fillIntent, modelQuestion } from '../../src/services/agent/read-with-model.ts'
import { agentProfile } from '../support/agent-prompts.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, fieldsOf, type Answer } from '../support/expect-error.ts'
import { form } from '../support/form.ts'
import { until } from '../support/until.ts'

/* The routes of the agent. The test plays the worker. */

const table = await readFile(join('test', 'fixtures', 'agent', 'web.csv'))
const content = {
  v: 1,
  ok: false as const,
  error: {
    code: 'ragged_rows',
    status: 400 as const,
    message: 'Row 2 has 3 cells',
    column: null,
    row: 2,
    item: null,
    count: 1,
    suggestion: 'Mend it.'
  }
}

function readPrompt ({ prompt, asksModel, answer }: QuickProfileRequest): QuickProfileReply {
  const profile = agentProfile('web')
  if (prompt === undefined) return { v: 1, ok: true, profile, intent: null }
  const [intent, filled] = [extractIntent(prompt, profile),
    answer === undefined ? undefined : fillIntent(prompt, profile, answer)]
  return {
    v: 1,
    ok: true,
    profile,
    intent: filled ?? intent,
    isByModel: filled !== undefined,
    ...(asksModel === true ? { question: modelQuestion(prompt, profile) } : {})
  }
}

async function setup (t: Test, settings: Record<string, string> = {}): Promise<ApiStage> {
  const stage = await openApi(t, settings)
  stage.profile = readPrompt
  return stage
}

async function ask (stage: ApiStage, route: string, fields: Record<string, string>,
  { key = stage.key, headers = {} }: { key?: string, headers?: Record<string, string> } = {}): Promise<Answer> {
  const { headers: own, payload } = form([...Object.entries(fields), ['file', table, 'web.csv']])
  const { statusCode, headers: given, payload: text } = await stage.app.inject({
    method: 'POST',
    url: `/agent/${route}`,
    headers: { ...own, ...headers, authorization: `Bearer ${key}` },
    payload
  })
  return {
    status: statusCode,
    headers: new Headers(Object.entries(given).map(([name, value]) => [name, String(value)])),
    text
  }
}

async function expectNothingLeft (t: Test, { config, store }: ApiStage): Promise<void> {
  await until('an empty spool', async () => (await readdir(dataPaths(config).spool)).length === 0)
  for await (const { key } of store.list('')) t.fail(`left behind: ${key}`)
}

t.test('a prompt is read by a worker, and nothing of the file is kept', async (t) => {
  const stage = await setup(t)
  const requests: QuickProfileRequest[] = []
  stage.profile = (request) => {
    requests.push(request)
    return readPrompt(request)
  }
  const answer = await ask(stage, 'extract', { prompt: 'visits for the next 14 days' })
  t.equal(answer.status, 200, answer.text)
  t.match(JSON.parse(answer.text), {
    intent: { forecast_target: 'visits', horizon: 14, review_status: 'draft' },
    generated_by: 'rules',
    warnings: [],
    covariate_suggestions: [],
    profile: { total_rows: 731, dataset_size: 'tiny' }
  })
  t.match(requests, [{
    prompt: 'visits for the next 14 days',
    input: { format: 'csv', bytes: table.length },
    columns: {}
  }])
  t.match(answer.headers.get('ratelimit-policy'), /"agent";q=600;w=60/)
  await expectNothingLeft(t, stage)
  const analysis = await ask(stage, 'analyze', { prompt: 'visits', horizon: '7', timestamp_column: 'day' })
  t.equal(analysis.status, 200, analysis.text)
  t.match(JSON.parse(analysis.text), {
    recommended_config: { prediction_length: 7, target_column: 'visits', timestamp_column: 'day' },
    detected: { frequency: 'D', item_id_column: null }
  })
  t.match(requests[1], { columns: { timestamp: 'day' } })
  await expectNothingLeft(t, stage)
})

t.test('the upload of a forecast is stored once, and is the input of its job', async (t) => {
  const stage = await setup(t)
  let inputKey = ''
  stage.profile = (request) => {
    inputKey = request.input.key
    return readPrompt(request)
  }
  const answer = await ask(stage, 'forecast', {
    prompt: 'visits for the next 14 days, judged by RMSE',
    name: 'web',
    metadata: '{"a": 1}'
  })
  t.equal(answer.status, 202, answer.text)
  const job = JSON.parse(answer.text) as { job_id: string }
  t.equal(answer.headers.get('location'), `/jobs/${job.job_id}`)
  t.match(job, {
    name: 'web',
    metadata: { a: 1 },
    prediction_length: 14,
    warnings: [{ code: 'agent_note', message: /RMSE/ }]
  })
  t.match(stage.jobs.get('acme', job.job_id)?.input, { key: inputKey, format: 'csv', bytes: table.length })
  t.ok(await stage.store.stat(inputKey))
  await stage.finishNext({ 'forecast.csv': 'item_id,timestamp,mean\nall,2024-09-01 00:00:00,3.0\n' }, {
    warnings: [{ code: 'trailing_nulls', message: 'a', count: 1 }]
  })
  await until('the job ends', async () => stage.jobs.get('acme', job.job_id)?.status === 'completed')
  t.match(stage.jobs.get('acme', job.job_id)?.warnings, [{ code: 'agent_note' }, { code: 'trailing_nulls' }],
    'what was said of the request stays')
  const deleted = await stage.app.inject({
    method: 'DELETE',
    url: `/jobs/${job.job_id}`,
    headers: { authorization: `Bearer ${stage.key}` }
  })
  t.equal(deleted.statusCode, 204)
  await expectNothingLeft(t, stage)
})

t.test('an equal request with its key is one job', async (t) => {
  const stage = await setup(t)
  const headers = { 'idempotency-key': 'once' }
  const [first, second] = [await ask(stage, 'forecast', { prompt: 'visits for 3 days' }, { headers }),
    await ask(stage, 'forecast', { prompt: 'visits for 3 days' }, { headers })]
  t.equal(first.status, 202, first.text)
  t.equal(second.text, first.text)
  t.equal(second.headers.get('idempotent-replayed'), 'true')
  await expectError(t, await ask(stage, 'forecast', { prompt: 'visits for 4 days' }, { headers }), 409,
    'idempotency_conflict')
})

t.test('whatever a worker answers, nothing is left behind', async (t) => {
  const stage = await setup(t)
  const replies: Array<[QuickProfileReply, number, Parameters<typeof expectError>[3]]> = [
    [{ v: 1, ok: false, busy: true }, 503, 'server_overloaded'],
    [{ v: 1, ok: false, failed: 'compute_unavailable' }, 503, 'compute_unavailable'],
    [{ v: 1, ok: false, failed: 'storage_error' }, 503, 'storage_error'],
    [{ v: 1, ok: false, failed: 'pipeline_failed' }, 500, 'pipeline_failed'],
    [content, 400, 'validation_error']
  ]
  for (const [reply, status, code] of replies) {
    stage.profile = () => reply
    for (const route of ['extract', 'analyze', 'forecast']) {
      await expectError(t, await ask(stage, route, { prompt: 'visits' }), status, code)
    }
  }
  stage.profile = readPrompt
  stage.checkReply = content
  await expectError(t, await ask(stage, 'forecast', { prompt: 'visits for 3 days' }), 400, 'validation_error')
  stage.checkReply = {
    v: 1,
    ok: true,
    profile: { rows: 731, series: 1, minLength: 731, maxLength: 731, freq: 'D' },
    warnings: []
  }
  t.match(
    fieldsOf(
      await expectError(t, await ask(stage, 'forecast', {
        prompt: 'visits for 3 days',
        external_covariates: '{"weather": {"enabled": true}}'
      }), 422, 'validation_error')
    ),
    [{ loc: ['body', 'external_covariates'] }]
  )
  t.match(
    fieldsOf(
      await expectError(t, await ask(stage, 'forecast', {
        prompt: 'visits for 3 days',
        metadata: JSON.stringify({ a: 'x'.repeat(3000) })
      }), 422, 'validation_error')
    ),
    [{ loc: ['body', 'metadata'] }]
  )
  await expectNothingLeft(t, stage)
  await stage.silenceWorker()
  for (const route of ['extract', 'analyze', 'forecast']) {
    await expectError(t, await ask(stage, route, { prompt: 'visits' }), 503, 'compute_unavailable')
  }
})

t.test('keys need the scope of the agent, and for a job that of forecasts too', async (t) => {
  const stage = await setup(t)
  const { key: agent } = await stage.keys.create({ tenant: 'acme', scopes: ['agent'] })
  const { key: forecast } = await stage.keys.create({ tenant: 'acme', scopes: ['forecast'] })
  t.equal((await ask(stage, 'extract', { prompt: 'visits' }, { key: agent })).status, 200)
  await expectError(t, await ask(stage, 'forecast', { prompt: 'visits' }, { key: agent }), 403, 'auth_failed')
  for (const route of ['extract', 'analyze', 'forecast']) {
    await expectError(t, await ask(stage, route, { prompt: 'visits' }, { key: forecast }), 403, 'auth_failed')
  }
})

t.test('requests to the agent are limited by key', async (t) => {
  const stage = await setup(t, { TABCAST_RATE_AGENT_PER_MINUTE: '2' })
  for (let sent = 0; sent < 2; sent++) t.equal((await ask(stage, 'extract', { prompt: 'visits' })).status, 200)
  await expectError(t, await ask(stage, 'extract', { prompt: 'visits' }), 429, 'rate_limited')
})

t.test('a language model of the operator fills what the rules leave open', async (t) => {
  const asked: unknown[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const { response_format: format } = JSON.parse(body) as {
        response_format: { json_schema: { schema: { properties: Record<string, unknown> } } }
      }
      asked.push(JSON.parse(body))
      const answer = Object.fromEntries(
        Object.keys(format.json_schema.schema.properties).map((
          name
        ) => [name, name === 'forecast_target' ? 'signups' : null])
      )
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices: [{ message: { content: JSON.stringify(answer) } }] }))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => server.close())
  const stage = await setup(t, {
    TABCAST_LLM_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    TABCAST_LLM_MODEL: 'local'
  })
  const requests: QuickProfileRequest[] = []
  stage.profile = (request) => {
    requests.push(request)
    return readPrompt(request)
  }
  const answer = JSON.parse(
    (await ask(stage, 'extract', { prompt: 'how many people will enrol over the next 14 days' })).text
  ) as object
  t.match(answer, { intent: { forecast_target: 'signups', horizon: 14 }, generated_by: 'model' })
  t.ok(asked.length >= 1)
  t.match(requests, [{ asksModel: true, columns: {} }, { answer: { forecast_target: 'signups' }, columns: {} }],
    'a worker reads the prompt before and after')
  t.equal(requests.length, 2)

  // A worker of before does not say what to ask. The api never reads a prompt itself, so nobody is asked then.
  const before = asked.length
  stage.profile = ({ prompt = '' }) => ({
    v: 1,
    ok: true,
    profile: agentProfile('web'),
    intent: extractIntent(prompt, agentProfile('web'))
  })
  t.match(
    JSON.parse((await ask(stage, 'extract', { prompt: 'how many people will enrol over the next 14 days' })).text),
    { intent: { horizon: 14 }, generated_by: 'rules', warnings: [] }
  )
  t.equal(asked.length, before)
  stage.profile = readPrompt
  server.close()
  server.closeAllConnections()
  const without = JSON.parse(
    (await ask(stage, 'extract', { prompt: 'how many people will enrol over the next 14 days' })).text
  ) as object
  t.match(without, {
    intent: { review_status: 'needs_clarification' },
    generated_by: 'rules',
    warnings: [/language model was not used/]
  })
})
