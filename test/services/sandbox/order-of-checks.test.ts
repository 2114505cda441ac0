import t from 'tap'
import { messageVersion } from '../../../src/domain/message-version.ts'
import type { QuickCheckReply } from '../../../src/platform/queue/quick-messages.ts'
import { expectError, fieldsOf } from '../../support/expect-error.ts'
import { jobOf, openSandbox, panel, solve } from '../../support/sandbox.ts'

/*
 * Decision 40: size, captcha, address, data, domain. Of two faults the one that is looked for first is told, and
 * what comes after it is not used up.
 */

const tooBig = Buffer.alloc(1024 * 1024 + 1, 'a')
const manyRows: QuickCheckReply = {
  v: messageVersion,
  ok: false,
  error: {
    code: 'too_many_rows',
    status: 413,
    message: 'The dataset has more than 10000 rows.',
    column: null,
    row: null,
    item: null,
    count: null,
    suggestion: null
  }
}

t.test('size before captcha, captcha before address', async (t) => {
  const stage = await openSandbox(t, { TABCAST_SANDBOX_CAPTCHA: 'altcha' })
  await expectError(t,
    await stage.post('forecast', { captcha_token: 'forged', email: 'ana@gmail.com' }, { file: tooBig }), 413,
    'sandbox_dataset_too_large')
  for (const token of ['forged', undefined]) {
    const refused = await expectError(t, await stage.post('forecast', { captcha_token: token, email: 'ana@gmail.com' }),
      403, 'sandbox_captcha_failed')
    t.match(refused.detail, { reason: 'malformed' })
  }
  await expectError(t, await stage.post('forecast', { captcha_token: 'forged', email: 'no address' }), 403,
    'sandbox_captcha_failed')

  const challenge = await stage.ask('GET', '/sandbox/challenge')
  t.equal(challenge.headers.get('cache-control'), 'no-store')
  const token = await solve(challenge.text)
  await expectError(t, await stage.post('forecast', { captcha_token: token }, { file: tooBig }), 413,
    'sandbox_dataset_too_large')
  await expectError(t, await stage.post('forecast', { captcha_token: token, prediction_length: '49' }), 422,
    'validation_error')
  t.equal((await stage.post('forecast', { captcha_token: token })).status, 202, 'neither has used up the token')
  const replayed = await expectError(t, await stage.post('forecast', { captcha_token: token, email: 'ana@bosch.com' }),
    403, 'sandbox_captcha_failed')
  t.match(replayed.detail, { reason: 'replayed' })
})

t.test('one token that comes many times at once is taken once', async (t) => {
  const stage = await openSandbox(t, { TABCAST_SANDBOX_CAPTCHA: 'altcha' })
  const token = await solve((await stage.ask('GET', '/sandbox/challenge')).text)
  const answers = await Promise.all(
    Array.from({ length: 20 },
      (_, at) => stage.post('forecast', { captcha_token: token, email: `ana@company-${at}.com` }))
  )
  t.strictSame(answers.map(({ status }) => status).sort(), [202, ...Array<number>(19).fill(403)])
})

t.test('address before data, data before domain', async (t) => {
  const stage = await openSandbox(t)
  stage.checkReply = manyRows
  await expectError(t, await stage.post('forecast', { email: 'ana@gmail.com' }), 400,
    'sandbox_corporate_email_required')
  t.match(
    fieldsOf(await expectError(t, await stage.post('forecast', { email: 'not an address' }), 422, 'validation_error')),
    [{ loc: ['body', 'email'] }]
  )
  await expectError(t,
    await stage.post('forecast', { email: 'ana@gmail.com' }, { file: 'PAR1 is no CSV', filename: 'data.parquet' }), 400,
    'sandbox_corporate_email_required')
  await expectError(t, await stage.post('forecast', {}, { file: 'no parquet at all', filename: 'data.parquet' }), 415,
    'validation_error')
  await expectError(t, await stage.post('forecast'), 413, 'sandbox_dataset_too_large')
  stage.checkReply = {
    v: messageVersion,
    ok: true,
    profile: { rows: 60, series: 2, minLength: 30, maxLength: 30, freq: 'MS' },
    warnings: []
  }
  t.equal((await stage.post('forecast')).status, 202, 'a domain whose data was refused has not had its job')
  stage.checkReply = manyRows
  await expectError(t, await stage.post('forecast'), 413, 'sandbox_dataset_too_large')
  stage.checkReply = {
    v: messageVersion,
    ok: true,
    profile: { rows: 60, series: 2, minLength: 30, maxLength: 30, freq: 'MS' },
    warnings: []
  }
  await expectError(t, await stage.post('forecast', { email: 'Bob+trial@mail.SIEMENS.com' }), 409,
    'sandbox_domain_used')
})

t.test('what a request leaves out or has too much of is told before anything is used up', async (t) => {
  const stage = await openSandbox(t)
  const refusedFields = async (fields: Record<string, string | undefined>,
    path: 'forecast' | 'classify' = 'forecast') =>
    fieldsOf(await expectError(t, await stage.post(path, fields), 422, 'validation_error')).map(({ loc }) => loc.at(-1))
  t.strictSame(await refusedFields({ email: undefined }), ['email'])
  t.strictSame(await refusedFields({ prediction_length: '49' }), ['prediction_length'])
  t.strictSame(await refusedFields({ presets: 'best' }), ['presets'])
  t.strictSame(await refusedFields({ freq: 'sometimes' }), ['freq'])
  for (const field of ['callback_url', 'name', 'metadata', 'explainability', 'external_covariates', 'covariates',
    'reconciliation', 'feature_engineering', 'preparation']) {
    t.strictSame(await refusedFields({ [field]: '{}' }), [field], field)
  }
  for (const field of ['callback_url', 'name', 'explainability', 'prediction_length']) {
    t.strictSame(await refusedFields({ [field]: '{}' }, 'classify'), [field], field)
  }
  await expectError(t, await stage.post('forecast', {}, { filename: 'data.json' }), 415, 'validation_error')
  t.equal(
    jobOf(
      await stage.post('forecast', { prediction_length: '48', presets: 'fast', quantile_levels: '0.1,0.9' }, {
        file: panel
      })
    ).job_type,
    'sandbox_forecast'
  )
})

t.test('a file of exactly the size is taken, and one that is announced as larger is refused unread', async (t) => {
  const stage = await openSandbox(t)
  t.equal((await stage.post('forecast', {}, { file: Buffer.alloc(1024 * 1024, 'a') })).status, 202)
  const large = await expectError(t, await stage.post('forecast', {}, { file: Buffer.alloc(8 * 1024 * 1024, 'a') }),
    413, 'sandbox_dataset_too_large')
  t.match(large.detail, { suggestion: /1048576 bytes with 10000 rows, 50 series and 20 columns/ })
})
