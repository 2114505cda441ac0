import { join } from 'node:path'
import t from 'tap'
import type { ErrorCode } from '../../../src/domain/error-codes.ts'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { claimTables, DomainClaims } from '../../../src/services/sandbox/domain-claims.ts'
import { expectError } from '../../support/expect-error.ts'
import { jobOf, openSandbox, type SandboxStage } from '../../support/sandbox.ts'
import { until } from '../../support/until.ts'

/** A visitor's job that fails, and what its error says. */
async function failed (stage: SandboxStage, code: ErrorCode, email = 'ana@siemens.com'): Promise<string | null> {
  const answer = await stage.post('forecast', { email })
  if (answer.status !== 202) throw new Error(answer.text)
  const { job_id: jobId } = jobOf(answer)
  await stage.finishNext({}, { code, error: 'As the test says.' }, 'large')
  return await until('its end', async () => {
    const job = jobOf(await stage.ask('GET', `/jobs/${jobId}?wait=5`))
    return job.status === 'failed' ? job.error : undefined
  })
}

t.test('of a hundred at once for one domain one gets its job, and the others leave nothing', async (t) => {
  const stage = await openSandbox(t, { TABCAST_SANDBOX_MAX_WAITING: '200' })
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) => stage.post('forecast', { email: `visitor-${at}@siemens.com` }))
  )
  const refused = answers.filter(({ status }) => status !== 202)
  t.equal(answers.length - refused.length, 1)
  for (const answer of refused) await expectError(t, answer, 409, 'sandbox_domain_used')
  t.equal(stage.metadata.table('jobs').count(), 1)
  t.equal(stage.metadata.table('sandboxClaims').count(), 1)
  const stored = []
  for await (const { key } of stage.store.list('')) stored.push(key)
  t.equal(stored.length, 1, stored.join(', '))
})

t.test('a fault of the service gives the domain its job back, bad data does not', async (t) => {
  const stage = await openSandbox(t)
  for (const code of ['storage_error', 'invalid_forecast', 'internal_error'] as const) {
    t.equal(await failed(stage, code), 'As the test says. It does not count: the company can try again.')
    t.equal(stage.metadata.table('sandboxClaims').count(), 0, code)
    t.equal(stage.metadata.table('sandboxClaimTimes').count(), 0, code)
  }
  t.equal(await failed(stage, 'validation_error'), 'As the test says.')
  await expectError(t, await stage.post('forecast'), 409, 'sandbox_domain_used')
})

t.test('a job that its own file may have stopped is given back once', async (t) => {
  for (const [first, second] of [['timeout', 'pipeline_failed'], ['pipeline_failed', 'timeout']] as const) {
    const stage = await openSandbox(t, { TABCAST_SANDBOX_CLAIM_DAYS: '1' })
    t.match(await failed(stage, 'storage_error'), /can try again/)
    t.match(await failed(stage, first), /can try again/)
    t.match(await failed(stage, 'storage_error'), /can try again/, 'a fault that no file brings about does not count')
    t.equal(await failed(stage, second), 'As the test says. The company has had its job.')
    await expectError(t, await stage.post('forecast'), 409, 'sandbox_domain_used')
    t.equal(stage.metadata.table('sandboxClaims').count(), 1)
    t.equal(stage.metadata.table('sandboxClaimTimes').count(), 1)
    t.match(await failed(stage, first, 'ana@bosch.com'), /can try again/, 'each domain by itself')
  }
})

t.test('a job that has completed has used its domain, also when it is gone', async (t) => {
  const stage = await openSandbox(t, { TABCAST_SANDBOX_RETENTION_SECONDS: '1', TABCAST_SWEEP_MS: '100' })
  const { job_id: jobId } = jobOf(await stage.post('forecast'))
  await stage.finishNext({ 'forecast.csv': 'x' }, {}, 'large')
  await until('it has expired', async () => (await stage.ask('GET', `/jobs/${jobId}`)).status === 404)
  await expectError(t, await stage.post('forecast'), 409, 'sandbox_domain_used')
})

t.test('a repeat with the same Idempotency-Key gets the answer again, and no captcha or domain is asked for', async (t) => {
  const stage = await openSandbox(t)
  const headers = { 'idempotency-key': 'one visitor' }
  const first = await stage.post('forecast', {}, { headers })
  const again = await stage.post('forecast', {}, { headers })
  t.strictSame([first.status, again.status, again.text], [202, 202, first.text])
  t.equal(again.headers.get('idempotent-replayed'), 'true')
})

t.test('claims end with their window, and the oldest of too many go', async (t) => {
  const metadata = await openMetadata({ path: join(t.testdir({}), 'metadata'), tables: claimTables })
  t.teardown(() => metadata.close())
  let nowMs = 1_000
  const claims = (options: { windowMs: number, maxClaims?: number }) =>
    new DomainClaims({ metadata, pepper: Buffer.alloc(32, 1), now: () => nowMs++, ...options })
  const claim = async (of: DomainClaims, domain: string) =>
    await metadata.transact((tx) =>
      of.follower.created?.(tx, { jobId: `job of ${domain}`, sandbox: { claim: of.idOf(domain) } } as never)
    )
  const forever = claims({ windowMs: Infinity, maxClaims: 3 })
  for (const domain of ['a.com', 'b.com', 'c.com', 'd.com', 'e.com']) await claim(forever, domain)
  await t.rejects(claim(forever, 'a.com'), { code: 'sandbox_domain_used' })
  await forever.sweep()
  t.strictSame(forever.list(null).map(({ jobId }) => jobId), ['job of e.com', 'job of d.com', 'job of c.com'])
  t.equal(metadata.table('sandboxClaims').count(), 3)
  await claim(forever, 'a.com')

  const short = claims({ windowMs: 100 })
  await t.rejects(claim(short, 'a.com'), { code: 'sandbox_domain_used' })
  nowMs += 200
  await claim(short, 'a.com')
  t.equal(metadata.table('sandboxClaimTimes').count(), metadata.table('sandboxClaims').count(),
    'a claim that is made anew has one time')
  await short.sweep()
  t.strictSame(short.list(null).map(({ jobId }) => jobId), ['job of a.com'])
  t.notOk(JSON.stringify([...metadata.table('sandboxClaims').range()].map(({ key }) => key)).includes('a.com'),
    'no domain can be read')
  t.equal(await short.release('a.com'), true)
  t.equal(await short.release('a.com'), false)
  t.equal(metadata.table('sandboxClaimTimes').count(), 0)

  const fail = async (domain: string) =>
    await metadata.transact((tx) =>
      short.follower.ended?.(tx, {
        jobId: `job of ${domain}`,
        sandbox: { claim: short.idOf(domain) },
        errorCode: 'timeout',
        error: 'Late.'
      } as never)?.error
    )
  const failing = async () => {
    await claim(short, 'a.com')
    return await fail('a.com')
  }
  t.match(await failing(), /can try again/)
  t.strictSame(short.list('a.com'), [], 'what was given back is no claim')
  t.equal(await short.release('a.com'), false, 'and is not released, but forgotten')
  t.match(await failing(), /can try again/)
  nowMs += 200
  t.match(await failing(), /can try again/, 'it is forgotten with its window too')
  t.match(await failing(), /has had its job/)
})
