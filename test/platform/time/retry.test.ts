import t from 'tap'
import { retry } from '../../../src/platform/time/retry.ts'

const passing = new Error('busy')
const isRetryable = (error: unknown): boolean => error === passing

t.test('it is tried again as often as there are pauses, while that may help and the pauses are not too long', async (t) => {
  let calls = 0
  const failing = async (error: Error = passing): Promise<never> => {
    calls++
    throw error
  }
  await t.rejects(retry(failing, { pausesMs: [1, 1], isRetryable }), passing)
  t.equal(calls, 3)
  await t.rejects(retry(() => failing(new Error('wrong')), { pausesMs: [1, 1], isRetryable }), { message: 'wrong' })
  t.equal(calls, 4, 'what does not pass is told at once')
  await t.rejects(retry(failing, { pausesMs: [1, 1], isRetryable, askedMs: () => 60_000, longestMs: 30_000 }), passing)
  await t.rejects(retry(failing, { pausesMs: [60_000], isRetryable, deadlineMs: performance.now() }), passing)
  t.equal(calls, 6, 'nobody waits for an attempt that would come too late')
  const told: number[] = []
  t.equal(
    await retry(async () => told.length < 2 ? await failing() : 'done', {
      isRetryable,
      onRetry: (_error, attempt) => told.push(attempt)
    }),
    'done'
  )
  t.strictSame(told, [1, 2])
})

t.test('its signal ends the wait and keeps it from beginning', async (t) => {
  const over = new AbortController()
  let calls = 0
  const failing = async (): Promise<never> => {
    calls++
    throw passing
  }
  const waiting = retry(failing, {
    pausesMs: [60_000],
    isRetryable,
    signal: over.signal,
    onRetry: () => setImmediate(() => over.abort())
  })
  await t.rejects(waiting, { name: 'AbortError' })
  await t.rejects(retry(failing, { isRetryable, signal: over.signal }), { name: 'AbortError' })
  t.equal(calls, 1)
})
