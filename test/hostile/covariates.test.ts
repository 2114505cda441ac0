import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { expectError, fieldsOf } from '../support/expect-error.ts'
import { Client, panelCsv, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/* Covariates whose work the request decides: none of it may hold up the worker, or anybody else. */

const twoYears = 'item_id,timestamp,target\na,2023-01-01,1\na,2024-01-01,2\n'
const holidaysOf = (country: string) =>
  JSON.stringify({
    holidays: {
      enabled: true,
      country_code: country,
      variables: ['is_holiday', 'days_to_holiday', 'days_since_holiday']
    }
  })
const yearly = { freq: 'YS', prediction_length: '1000', presets: 'fast' }

async function start (t: Test,
  settings: Record<string, string> = {}): Promise<{ service: TestService, acme: Client, other: Client }> {
  const service = await startService({ TABCAST_RATE_LIMITS: 'false', TABCAST_SLOTS: '2', ...settings })
  t.teardown(service.cleanup)
  const client = async (tenant: string) => new Client(service.baseUrl, await service.createKey(tenant))
  return { service, acme: await client('acme'), other: await client('other') }
}

t.test('a thousand years of holidays are refused before a job is made, and so are 21 years of hours', async (t) => {
  const { service, acme } = await start(t)
  const limits = await (await acme.request('GET', '/limits')).json() as Record<string, number>
  t.match(limits, { max_covariate_years: 200, max_covariate_years_within_days: 20 })
  const refused = async (table: string, fields: Record<string, string>, message: RegExp) => {
    const envelope = await expectError(t,
      await acme.submit(table, { ...fields, external_covariates: holidaysOf('ID') }), 422, 'validation_error')
    t.match(fieldsOf(envelope), [{
      loc: ['body', 'external_covariates'],
      type: 'covariate_span_exceeded',
      msg: message
    }])
  }
  await refused(twoYears, yearly,
    /^external_covariates: the series and their horizon span 1001 years; covariates are found for at most 200 years of steps of a day or longer\. Send a shorter/)
  const hours = ['item_id,timestamp,target',
    ...Array.from({ length: 21 * 366 * 24 },
      (_, hour) => `a,${new Date(Date.UTC(2000, 0, 1, hour)).toISOString().slice(0, 19)},${hour % 24}`)].join('\n')
  await refused(hours, { freq: 'h', prediction_length: '24', presets: 'fast' },
    /span 21 years; covariates are found for at most 20 years of steps shorter than a day\./)
  // Each of the series is short, and only the job sees that together they are not.
  const apart = 'item_id,timestamp,target\na,1700-01-01,1\na,1701-01-01,2\nb,2023-01-01,1\nb,2024-01-01,2\n'
  const { job_id: jobId } = await acme.submitted(apart, {
    ...yearly,
    prediction_length: '3',
    external_covariates: holidaysOf('DE')
  })
  t.match(await acme.ended(jobId), {
    status: 'failed',
    error_code: 'validation_error',
    error:
      /^external_covariates: the series and their horizon span 32\d years; covariates are found for at most 200 years/
  })
  t.equal((await acme.request('GET', `/jobs/${jobId}`)).status, 200)
  await service.stop()
})

t.test('centuries of holidays hold up neither the worker nor another tenant, and end within two seconds of their ' +
  'deletion', async (t) => {
  const { service, acme, other } = await start(t, { TABCAST_COVARIATES_DAILY_YEARS: '5000' })
  const [worker] = service.pids('worker')
  // Tens of seconds of computing: the Chinese calendar is reckoned from the moon.
  const { job_id: jobId } = await acme.submitted(twoYears, { ...yearly, external_covariates: holidaysOf('CN') })
  await until('the job to run', async () => (await acme.job(jobId)).status === 'running')
  const waits: number[] = []
  for (let round = 0; round < 5; round++) {
    const startedMs = performance.now()
    const { job_id: small } = await other.submitted(panelCsv(1, 24, { seed: round }), {
      prediction_length: '3',
      presets: 'fast'
    })
    t.equal((await other.ended(small)).status, 'completed')
    waits.push(performance.now() - startedMs)
    await sleep(500)
  }
  t.equal((await acme.job(jobId)).status, 'running', 'it goes on meanwhile')
  t.equal((await acme.request('DELETE', `/jobs/${jobId}`)).status, 204)
  const deletedMs = performance.now()
  await until('the run to be cancelled', () => service.log().includes('run cancelled'))
  const tookMs = performance.now() - deletedMs
  t.ok(tookMs < 2_000, `the deletion was obeyed after ${Math.round(tookMs)} ms`)
  t.strictSame(service.pids('worker'), [worker], 'the worker lives')
  t.comment(`jobs of the neighbour took ${waits.map(Math.round).join(', ')} ms`)
})
