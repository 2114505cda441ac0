import { mock } from 'node:test'
import t from 'tap'
import { RequestQuota } from '../../../src/sources/covariates/http/request-quota.ts'

const minuteMs = 60_000

/** A quota on a clock that only `pass` moves. `began`: who began a request, in order. */
function setup (t: { teardown: (end: () => void) => void }, perMinute: number) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  t.teardown(() => mock.timers.reset())
  const quota = new RequestQuota(perMinute, () => Date.now())
  const began: string[] = []
  const refused: string[] = []
  const settle = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    began,
    refused,
    async ask (tenant: string, times = 1, { maxWaitMs = 86_400_000, signal = new AbortController().signal } = {}) {
      for (let count = 0; count < times; count++) {
        quota.take(tenant, maxWaitMs, signal).then((isTurn) => (isTurn ? began : refused).push(tenant),
          (error: Error) => refused.push(error.message))
      }
      await settle()
    },
    async pass (ms: number) {
      mock.timers.tick(ms)
      await settle()
    }
  }
}

t.test('no more requests begin in any minute than the quota has', async (t) => {
  const { ask, pass, began } = setup(t, 4)
  await ask('a', 3)
  await pass(30_000)
  await ask('b', 3)
  t.strictSame(began, ['a', 'a', 'a', 'b'])
  await pass(minuteMs / 2 - 1)
  t.equal(began.length, 4)
  await pass(1)
  t.strictSame(began.slice(4), ['b', 'b'], 'turns come back a minute after they began')
})

t.test('a tenant with many questions leaves turns to others, and who began least goes first', async (t) => {
  const { ask, pass, began } = setup(t, 60)
  await ask('many', 400)
  t.equal(began.length, 45, 'three quarters')
  await ask('few', 3)
  t.strictSame(began.slice(45), ['few', 'few', 'few'])
  await ask('more', 400)
  t.equal(began.filter((tenant) => tenant === 'more').length, 9, 'three quarters of what the others leave')
  await ask('one')
  t.equal(began.at(-1), 'one')
  await pass(minuteMs)
  const next = began.slice(58)
  t.strictSame(['many', 'more'].map((name) => next.filter((tenant) => tenant === name).length), [26, 25],
    'two that wait have equal shares, and a few turns stay for others')
})

t.test('a small quota serves one tenant after the other', async (t) => {
  const { ask, pass, began } = setup(t, 1)
  await ask('a', 3)
  await ask('b', 2)
  for (let minute = 0; minute < 4; minute++) await pass(minuteMs)
  t.strictSame(began, ['a', 'a', 'b', 'a', 'b'])
})

t.test('whoever has no patience is refused, and whoever gives up takes no turn', async (t) => {
  const { ask, pass, began, refused } = setup(t, 1)
  await ask('a')
  await ask('a', 1, { maxWaitMs: 1_000 })
  const control = new AbortController()
  await ask('b', 1, { signal: control.signal })
  await pass(1_000)
  t.strictSame(refused, ['a'])
  control.abort(new Error('deleted'))
  await ask('c', 1, { signal: AbortSignal.abort(new Error('late')) })
  t.strictSame(refused.sort(), ['a', 'deleted', 'late'])
  await pass(minuteMs)
  await ask('d')
  t.strictSame(began, ['a', 'd'])
})
