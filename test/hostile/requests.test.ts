import t, { type Test } from 'tap'
import { csv, series } from '../support/csv.ts'
import { expectError, fieldsOf, suggestionOf } from '../support/expect-error.ts'
import { expectHealthy, expectNothingLeft } from '../support/leftovers.ts'
import { openRaw, requestHead } from '../support/raw-http.ts'
import { Client, startService, type Job } from '../support/service.ts'

/* Requests whose fields, methods and headers are wrong: items 33 to 38, 43, 44 and 64 of the bad inputs. */
const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const hostile = new Client(service.baseUrl, await service.createKey('hostile'))
const careful = new Client(service.baseUrl, await service.createKey('careful'))
const data = csv(series())

/** A 422 with exactly these fields in this order, as `a.b`, and their types. */
async function refuse (t: Test, fields: Record<string, string>, expected: Record<string, string>): Promise<void> {
  const found = fieldsOf(await expectError(t, await hostile.submit(data, fields), 422, 'validation_error'))
  t.ok(found.every(({ loc }) => loc[0] === 'body'), 'the body is to blame')
  const shown = Object.fromEntries(found.map(({ loc, type }) => [loc.slice(1).join('.'), type]))
  t.strictSame(shown, expected, JSON.stringify(fields).slice(0, 200))
  await expectNothingLeft(t, service, 'hostile')
}

async function accept (fields: Record<string, string>): Promise<Job> {
  return await careful.submitted(data, fields)
}

function configOf (job: Job): Record<string, unknown> {
  return job['effective_config'] as Record<string, unknown>
}

t.test('33: an unknown field is a 422 extra_forbidden, in the form and in each block', async (t) => {
  await refuse(t, { horizon: '3' }, { horizon: 'extra_forbidden' })
  await refuse(t, { Presets: 'fast', 'a.b': 'x' }, { Presets: 'extra_forbidden', 'a.b': 'extra_forbidden' })
  for (const block of ['feature_engineering', 'external_covariates', 'explainability', 'reconciliation']) {
    await refuse(t, { [block]: '{"enabled_": true}' }, { [`${block}.enabled_`]: 'extra_forbidden' })
  }
  await refuse(t, { external_covariates: '{"weather": {"sourec": "x"}}' }, {
    'external_covariates.weather.sourec': 'extra_forbidden'
  })
})

t.test('33: all wrong fields are reported at once', async (t) => {
  await refuse(t, { prediction_length: '0', freq: 'X'.repeat(21), latitude: '91', bogus: '1' }, {
    prediction_length: 'greater_than_equal',
    freq: 'string_too_long',
    latitude: 'less_than_equal',
    bogus: 'extra_forbidden'
  })
})

t.test('34: __proto__ and constructor are refused wherever JSON is read, and pollute nothing', async (t) => {
  const attacks = ['{"__proto__": {"enabled": true}}', '{"a": {"__proto__": {"x": 1}}}',
    '{"constructor": {"prototype": {"x": 1}}}', '{"\\u005f_proto__": 1}']
  for (const block of ['feature_engineering', 'metadata']) {
    for (const attack of attacks) {
      const answer = await hostile.submit(data, { [block]: attack })
      t.ok([400, 422].includes(answer.status), `${block} ${attack}: ${answer.status}`)
      await expectError(t, answer, answer.status, 'validation_error')
    }
  }
  for (const name of ['__proto__', 'constructor', 'hasOwnProperty', '__proto__[x]']) {
    const answer = await hostile.submit(data, { [name]: 'x' })
    t.ok([400, 422].includes(answer.status), `a form field named ${name}: ${answer.status}`)
    await expectError(t, answer, answer.status, 'validation_error')
  }
  const json = await hostile.request('POST', '/forecast', {
    body: attacks[0] ?? '',
    headers: { 'content-type': 'application/json' }
  })
  t.ok([400, 415, 422].includes(json.status), `as a JSON body: ${json.status}`)
  await expectError(t, json, json.status, 'validation_error')
  await expectNothingLeft(t, service, 'hostile')
  t.equal((await accept({})).status, 'pending', 'defaults are as before')
})

t.test('35: JSON of depth 10,000 is a 400 within 50 ms, found without recursion', async (t) => {
  const deep = '['.repeat(10_000) + ']'.repeat(10_000)
  for (const text of [deep, '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000),
    `{"a": ${'['.repeat(21)}${']'.repeat(21)}}`]) {
    const elapsedMs = []
    for (const block of ['feature_engineering', 'metadata', 'feature_engineering', 'metadata']) {
      const started = performance.now()
      const answer = await hostile.submit(data, { [block]: text })
      elapsedMs.push(performance.now() - started)
      await expectError(t, answer, 400, 'validation_error')
    }
    t.ok(Math.min(...elapsedMs) < 50, `the fastest of ${elapsedMs.join(', ')} ms`)
  }
  // More than a field of a form may have bytes.
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`k${at}`, 1])))
  await expectError(t, await hostile.request('POST', '/forecast/storage-object', {
    body: wide,
    headers: { 'content-type': 'application/json' }
  }), 400, 'validation_error')
  await expectNothingLeft(t, service, 'hostile')
  await expectHealthy(t, service)
})

t.test('35: JSON fields that are not JSON, or not an object, are a 422', async (t) => {
  for (const text of ['{', 'null x', '[]', '1', '"text"', '{"enabled": false}x', '\u0000']) {
    const answer = await hostile.submit(data, { reconciliation: text })
    t.ok([400, 422].includes(answer.status), `${text}: ${answer.status}`)
    await expectError(t, answer, answer.status, 'validation_error')
  }
  for (const text of ['null', '']) {
    t.equal((await accept({ reconciliation: text })).status, 'pending', 'null and empty are not given')
  }
})

t.test('36: a prediction_length that is no step count is a 422; text is a number in forms only', async (t) => {
  const wrong = {
    0: 'greater_than_equal',
    '-1': 'greater_than_equal',
    1.5: 'int_parsing',
    '1e9': 'int_parsing',
    1000000000: 'less_than_equal',
    1001: 'less_than_equal',
    abc: 'int_parsing',
    '24 steps': 'int_parsing',
    NaN: 'int_parsing',
    '0x10': 'int_parsing',
    '99999999999999999999': 'int_parsing'
  }
  for (const [text, type] of Object.entries(wrong)) {
    await refuse(t, { prediction_length: text }, { prediction_length: type })
  }
  t.equal((await accept({ prediction_length: '24' }))['prediction_length'], 24)
  t.equal((await accept({ prediction_length: '' }))['prediction_length'], 24, 'empty is not given')
})

t.test('37: quantile levels lie strictly between 0 and 1 and are de-duplicated', async (t) => {
  for (const text of ['0', '1', '0.5,1', 'NaN', '-0.1', '0.5,,0.9', 'a', '[0.5', '[0.5, null]', '{"0.5": 1}', '1e-400',
    '0.5;0.9', '[]', ',']) {
    await refuse(t, { quantile_levels: text }, { quantile_levels: 'value_error' })
  }
  const many = `[${Array.from({ length: 100 }, (_, at) => (at + 1) / 200).join(',')}]`
  t.equal((await hostile.submit(data, { quantile_levels: many })).status, 422, 'a hundred levels are too many')
  const fitting = Array.from({ length: 50 }, (_, at) => `.${String(at + 10)}`)
  t.strictSame(configOf(await accept({ quantile_levels: fitting.join(',') }))['quantile_levels'], fitting.map(Number),
    'as many as the description says')
  t.strictSame(configOf(await accept({ quantile_levels: '0.9, 0.1,0.5,0.10,0.9' }))['quantile_levels'], [0.1, 0.5, 0.9])
  t.strictSame(configOf(await accept({ quantile_levels: '[0.975, 0.025]' }))['quantile_levels'], [0.025, 0.975])
})

t.test('38: an unknown preset is a 400 invalid_preset that lists the presets', async (t) => {
  for (const preset of ['turbo', 'FAST', '__proto__', 'ft:ft_01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
    const envelope = await expectError(t, await hostile.submit(data, { presets: preset }), 400, 'invalid_preset')
    t.match(suggestionOf(envelope), /fast.*balanced.*best/)
  }
  await refuse(t, { presets: 'x'.repeat(129) }, { presets: 'string_too_long' })
  await expectNothingLeft(t, service, 'hostile')
  for (const [alias, preset] of [['fast_training', 'fast'], ['medium_quality', 'balanced'], ['high_quality', 'best'], [
    'best_quality',
    'best'
  ]] as const) {
    t.match((await accept({ presets: alias }))['model_version'], new RegExp(`\\+${preset}$`))
  }
})

t.test('39: lags, windows and periods that are no steps are a 422, in forms and in bodies', async (t) => {
  const steps = {
    0: 'greater_than_equal',
    '-1': 'greater_than_equal',
    10001: 'less_than_equal',
    1e9: 'less_than_equal',
    1.5: 'int_from_float',
    '"7"': 'int_parsing',
    null: 'int_type',
    '[7]': 'int_type'
  }
  for (const list of ['lag_periods', 'rolling_windows', 'growth_periods']) {
    for (const [step, type] of Object.entries(steps)) {
      await refuse(t, { feature_engineering: `{"${list}": [1, ${step}]}` }, { [`feature_engineering.${list}.1`]: type })
    }
    await refuse(t, { feature_engineering: `{"${list}": [${Array(65).fill(1).join()}]}` }, {
      [`feature_engineering.${list}`]: 'too_long'
    })
    await refuse(t, { feature_engineering: `{"${list}": 7, "enabled": false}` }, {
      [`feature_engineering.${list}`]: 'list_type'
    })
  }
  await refuse(t, { feature_engineering: '{"rolling_stats": ["mean", "median"], "lag_features": "yes", "lags": [1]}' },
    {
      'feature_engineering.lags': 'extra_forbidden',
      'feature_engineering.lag_features': 'bool_parsing',
      'feature_engineering.rolling_stats.1': 'literal_error'
    })
  const json = await hostile.request('POST', '/forecast/storage-object', {
    body: JSON.stringify({ object_id: 'obj_01ARZ3NDEKTSV4RRFFQ69G5FAV', feature_engineering: { lag_periods: [0] } }),
    headers: { 'content-type': 'application/json' }
  })
  t.match(fieldsOf(await expectError(t, json, 422, 'validation_error')), [{
    loc: ['body', 'feature_engineering', 'lag_periods', 0]
  }])
})

t.test('39: features longer than the series are reported and not used there', async (t) => {
  const { job_id: jobId } = await accept({
    feature_engineering: '{"lag_periods": [1, 10000], "rolling_windows": [10000]}',
    presets: 'fast',
    prediction_length: '3'
  })
  const done = await careful.ended(jobId)
  t.equal(done.status, 'completed', String(done.error))
  t.match(done['warnings'], [{ code: 'features_longer_than_history', count: Number }])
  t.match(configOf(done)['feature_engineering'], {
    enabled: true,
    lag_periods: [1, 10000],
    rolling_windows: [10000],
    growth_periods: [1, 7]
  })
})

t.test('43: coordinates outside the earth are a 422', async (t) => {
  await refuse(t, { latitude: '91' }, { latitude: 'less_than_equal' })
  await refuse(t, { latitude: '-90.1', longitude: '180.5' }, {
    latitude: 'greater_than_equal',
    longitude: 'less_than_equal'
  })
  for (const text of ['NaN', 'Infinity', 'north']) await refuse(t, { longitude: text }, { longitude: 'float_parsing' })
  await accept({ latitude: '-90', longitude: '180' })
})

t.test('every other field of the form has its bounds', async (t) => {
  const long = 'x'.repeat(201)
  await refuse(t, { item_id_column: long, timestamp_column: long, target_column: long }, {
    item_id_column: 'string_too_long',
    timestamp_column: 'string_too_long',
    target_column: 'string_too_long'
  })
  await refuse(t, { item_id_column: 'target' }, { target_column: 'value_error' })
  await refuse(t, { freq: 'fortnight' }, { freq: 'frequency_alias' })
  for (const alias of ['0D', '-1D', 'ms', 'us', 'W-XXX', 'QS-FOO']) {
    await refuse(t, { freq: alias }, { freq: 'frequency_alias' })
  }
  await refuse(t, { timestamp_format: 'rfc', quantile_column_style: 'Q' }, {
    timestamp_format: 'literal_error',
    quantile_column_style: 'literal_error'
  })
  await refuse(t, { metadata: JSON.stringify({ a: 'x'.repeat(2048) }) }, { metadata: 'too_long' })
  await refuse(t, { metadata: '{"a": {"b": [1e400]}}' }, { metadata: 'json_invalid' })
  await refuse(t, { covariates: 'x'.repeat(501) }, { covariates: 'string_too_long' })
  await refuse(t, { callback_url: `https://example.org/${'x'.repeat(2048)}` }, { callback_url: 'string_too_long' })
})

t.test('blocks and covariates that cannot be had are refused by name, and accepted switched off', async (t) => {
  await refuse(t, { external_covariates: '{"holidays": {"enabled": true}}' }, {
    'external_covariates.holidays.country_code': 'value_error'
  })
  await refuse(t, { external_covariates: '{"holidays": {"enabled": true, "country_code": "XX"}}' }, {
    'external_covariates.holidays.country_code': 'value_error'
  })
  await refuse(t, {
    external_covariates: '{"holidays": {"enabled": true, "country_code": "DE", "subdivision_code": "XX"}}'
  }, { 'external_covariates.holidays.subdivision_code': 'value_error' })
  await refuse(t, { external_covariates: '{"weather": {"enabled": true, "city": "Entenhausen"}}' }, {
    'external_covariates.weather.city': 'value_error'
  })
  await refuse(t, { external_covariates: '{"weather": {"enabled": true}}', latitude: '91', longitude: '0' }, {
    latitude: 'less_than_equal'
  })
  await refuse(t, {
    external_covariates: '{"weather": {"enabled": true, "variables": ["__proto__"], "city": "Vienna"}}'
  }, { 'external_covariates.weather.variables': 'value_error' })
  await refuse(t, { covariates: 'target' }, { covariates: 'value_error' })
  await refuse(t, { covariates: 'a,,b' }, { covariates: 'value_error' })
  await refuse(t, { covariates: '["a", 1]' }, { covariates: 'value_error' })
  await refuse(t, { covariates: '["a"' }, { covariates: 'value_error' })
  await refuse(t, { covariates: 'a, a' }, { covariates: 'value_error' })
  await refuse(t, { explainability: '{"max_rows": 49}' }, { 'explainability.max_rows': 'greater_than_equal' })
  const off = '{"enabled": false}'
  await accept({
    feature_engineering: off,
    explainability: off,
    reconciliation: off,
    external_covariates: '{"weather": {"enabled": false}}',
    covariates: '',
    callback_url: ''
  })
})

t.test('44: a wrong method is a 405 with Allow, an unknown address a 404, and an Accept that nothing meets a 406', async (t) => {
  const { job_id: jobId } = await accept({})
  const routes: Array<[string, string, RegExp]> = [
    ['GET', '/forecast', /POST/],
    ['PUT', `/jobs/${jobId}`, /DELETE.*GET/],
    ['POST', '/jobs', /GET/],
    ['POST', '/health', /GET/],
    ['DELETE', `/jobs/${jobId}/download`, /GET/],
    ['PATCH', '/models', /GET/],
    ['OPTIONS', '/limits', /GET/]
  ]
  for (const [method, path, allow] of routes) {
    const answer = await hostile.request(method, path)
    t.match(answer.headers.get('allow'), allow, `${method} ${path}`)
    await expectError(t, answer, 405, 'method_not_allowed')
  }
  for (const path of ['/nothing', '/jobs/x/y/z', '/forecast/', '//', '/v3/classify', '/admin.sock', '/.env']) {
    await expectError(t, await hostile.request('GET', path), path === '/forecast/' ? 405 : 404,
      path === '/forecast/' ? 'method_not_allowed' : 'not_found')
  }
  for (const path of ['/jobs', `/jobs/${jobId}`, '/models', '/limits', '/health']) {
    const answer = await hostile.request('GET', path, { headers: { accept: 'text/html;q=1, image/png' } })
    await expectError(t, answer, 406, 'not_acceptable')
  }
})

t.test('44: addresses that cannot be read are refused with the envelope', async (t) => {
  const targets = {
    '/jobs/%': 400,
    '/jobs/%ff%fe': 400,
    '/jobs/%00': 404,
    '/jobs/..%2f..%2fetc%2fpasswd': 404,
    [`/jobs/${'a'.repeat(3000)}`]: 0,
    '/jobs?limit=abc': 422,
    '/jobs?limit=0': 422,
    '/jobs?limit=201': 422,
    '/jobs?status=done': 422,
    '/jobs?cursor=zzz': 0,
    '/jobs/x?wait=31': 422,
    '/jobs/x?wait=-1': 422,
    '/jobs?created_after=yesterday': 422
  }
  for (const [target, expected] of Object.entries(targets)) {
    const raw = await openRaw(service.baseUrl)
    raw.send(requestHead('GET', target, { authorization: `Bearer ${hostile.key}`, connection: 'close' }))
    const answer = await raw.answer()
    const status = expected === 0 ? answer.status : expected
    t.ok([400, 404, 422].includes(answer.status), `${target.slice(0, 40)}: ${answer.status}`)
    const code = (JSON.parse(answer.text) as { error_code: 'validation_error' }).error_code
    await expectError(t, answer, status, code)
  }
  const raw = await openRaw(service.baseUrl)
  raw.send(requestHead('GET', '/livez', { 'x-long': 'a'.repeat(100_000) }))
  t.ok([400, 431].includes((await raw.answer()).status), 'a header of 100 KB')
})

t.test('64: a request id with a line break or of 1 KB is replaced and never reflected', async (t) => {
  const ids = ['a\tb', 'a b', 'x'.repeat(1024), '<script>', 'a;b', 'ü', '', '../../x', '"']
  for (const id of ids) {
    const raw = await openRaw(service.baseUrl)
    raw.send(Buffer.from(requestHead('GET', '/models', { 'x-request-id': id, connection: 'close' }), 'latin1'))
    const envelope = await expectError(t, await raw.answer(), 401, 'auth_failed')
    t.match(envelope.request_id, /^req_[0-9A-HJKMNP-TV-Z]{26}$/, JSON.stringify(id.slice(0, 20)))
  }
  for (const injected of ['a\r\nx-injected: 1', 'a\nx-injected: 1', 'a\rx-injected: 1']) {
    const raw = await openRaw(service.baseUrl)
    raw.send(requestHead('GET', '/models', { 'x-request-id': injected, connection: 'close' }))
    const answer = await raw.answer()
    t.notOk(answer.headers.has('x-injected'), 'no header can be injected')
    t.ok(answer.headers.get('x-request-id'))
  }
  const twice = await openRaw(service.baseUrl)
  twice.send(requestHead('GET', '/livez', { 'x-request-id': 'one\r\nx-request-id: two', connection: 'close' }))
  t.notMatch((await twice.answer()).headers.get('x-request-id') ?? '', ',', 'two ids are not joined')
  const kept = await hostile.request('GET', '/livez', { headers: { 'x-request-id': 'Trace-1.2_3' } })
  t.equal(kept.headers.get('x-request-id'), 'Trace-1.2_3', 'a harmless one is kept')
})
