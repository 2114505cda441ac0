import t from 'tap'
import { runKeys } from '../support/command.ts'
import { expectError } from '../support/expect-error.ts'
import { form } from '../support/form.ts'
import { expectHealthy } from '../support/leftovers.ts'
import { Client, panelCsv, startService } from '../support/service.ts'

/*
 * Values as long as a field may be, almost numbers: an expression that tries every cut of the digits takes the square
 * of their length, which was 4 s for each field. `cleanup` fails on a pause of the event loop.
 */
const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const { last: key } = await runKeys(service, 'create', '--tenant', 'hostile', '--scopes', 'forecast,tabular,jobs:read')
const client = new Client(service.baseUrl, key)
const almost = `${'1'.repeat(65_000)}x`

t.test('fields of a form that are almost numbers', async (t) => {
  for (const [path, fields] of [
    ['/v2/classify', { label_column: 'y', train_split_ratio: almost, validation_holdout_ratio: almost }],
    ['/forecast', { prediction_length: almost, freq: 'D' }],
    ['/forecast', { prediction_length: '2', latitude: almost, longitude: almost }],
    ['/forecast', { prediction_length: '2', quantile_levels: `["${almost}"]` }]
  ] as const) {
    const { headers, payload } = form([...Object.entries(fields), ['file', panelCsv(2, 20), 'data.csv']])
    await expectError(t, await client.request('POST', path, { headers, body: payload }), 422, 'validation_error')
  }
  await expectHealthy(t, service)
})

t.test('the interface description is sent as the text that is kept, to anybody', async (t) => {
  const description = await (await fetch(`${service.baseUrl}/openapi.json`)).text()
  const answers = await Promise.all(
    Array.from({ length: 64 }, async () => await (await fetch(`${service.baseUrl}/openapi.json`)).text())
  )
  t.match(description, /^\{"openapi":"3\.1/)
  t.ok(answers.every((text) => text === description))
  await expectHealthy(t, service)
})
