import t from 'tap'
import { csv, series } from '../support/csv.ts'
import { expectError, readAnswer, suggestionOf } from '../support/expect-error.ts'
import { expectHealthy, expectNothingLeft } from '../support/leftovers.ts'
import { signal } from '../support/processes.ts'
import { Client, startService } from '../support/service.ts'

/*
 * Callers that want all content checks for themselves: with many uploads at once, or with files that take long to
 * read.
 */
const service = await startService({ TABCAST_RATE_LIMITS: 'false', TABCAST_SLOT_THREADS: '1' })
t.teardown(service.cleanup)
const first = new Client(service.baseUrl, await service.createKey('first'))
const second = new Client(service.baseUrl, await service.createKey('second'))
const small = csv(series({ length: 10 }))
const fields = { prediction_length: '1', presets: 'fast' }

t.test('a burst of small uploads waits for its checks, and another tenant does not wait behind it', async (t) => {
  const burst = 200
  const statuses: number[] = []
  const sent = Array.from({ length: burst }, async () => {
    const answer = await first.submit(small, fields)
    await answer.arrayBuffer()
    statuses.push(answer.status)
  })
  for (let turn = 0; turn < 14; turn++) {
    const answer = await second.submit(small, fields)
    t.equal(answer.status, 202, `upload ${turn} of the other tenant`)
    await answer.arrayBuffer()
  }
  t.ok(statuses.length < burst, `the other tenant was served while ${burst - statuses.length} of the burst waited`)
  await Promise.all(sent)
  t.strictSame(statuses.filter((status) => status !== 202), [], 'none of the burst was refused')
})

t.test('uploads beyond what a tenant may have waiting, or beyond the wait, are a 503 and leave nothing', async (t) => {
  const share = 3
  await service.restart({
    TABCAST_CHECKS_WAITING_PER_TENANT: String(share),
    TABCAST_CHECK_WAIT_MS: '1500',
    TABCAST_QUICK_TIMEOUT_MS: '5000'
  })
  const hostile = new Client(service.baseUrl, await service.createKey('hostile'))
  const slots = service.pids('slot')
  for (const pid of slots) signal(pid, 'SIGSTOP')
  const answers = await Promise.all(
    Array.from({ length: 10 }, async () => await readAnswer(await hostile.submit(small, fields)))
  )
  for (const pid of slots) signal(pid, 'SIGCONT')
  const count = (text: string) => answers.filter((answer) => answer.text.includes(text)).length
  t.equal(count('wait to be checked'), 10 - 1 - share, 'one is under way and three wait')
  t.equal(count('no turn within 1.5 s'), share)
  t.equal(count('was held up'), 1, 'the machine is to blame, and not the file')
  for (const answer of answers) {
    await expectError(t, answer, 503, answer.text.includes('held up') ? 'compute_unavailable' : 'server_overloaded')
  }
  await expectNothingLeft(t, service, 'hostile')
  await hostile.submitted(small, fields)
})

t.test('a file that takes too long to check is a 413 that is not retryable, and others are checked meanwhile', async (t) => {
  const items = 800_000
  const stamps = series({ item: '', length: 3 })
  // Before the restart: it holds this process for seconds, and a connection that idles that long is closed by the
  // service unseen.
  const long = csv(
    stamps.flatMap((row) => Array.from({ length: items }, (_, item) => `item-${(item * 7919) % items}${row}`))
  )
  await service.restart({ TABCAST_QUICK_TIMEOUT_MS: '500', TABCAST_SYNC_CHECK_MAX_BYTES: String(1024 ** 3) })
  const hostile = new Client(service.baseUrl, await service.createKey('greedy'))
  const greedy = Promise.all(Array.from({ length: 3 }, async () => {
    const envelope = await expectError(t, await hostile.submit(long, fields), 413, 'dataset_too_large')
    t.equal(envelope.retryable, false)
    t.ok(suggestionOf(envelope))
    t.match(JSON.stringify(envelope.detail), /longer than 0\.5 s/)
  }))
  for (let turn = 0; turn < 20; turn++) {
    const answer = await second.submit(small, fields)
    t.equal(answer.status, 202, await answer.text())
  }
  await greedy
  await expectNothingLeft(t, service, 'greedy')
  await expectHealthy(t, service)
})
