import { setImmediate as immediate } from 'node:timers/promises'
import t from 'tap'
import { SpreadCalls } from '../../../src/platform/turns/spread-calls.ts'
import { until } from '../../support/until.ts'

function compute (ms: number): void {
  const startMs = performance.now()
  while (performance.now() - startMs < ms);
}

t.test('a thousand who wait for the same news are told in turns, and others have theirs between them', async (t) => {
  const calls = new SpreadCalls((error) => t.error(error))
  let told = 0
  for (let count = 0; count < 1_000; count++) {
    // Whoever is told goes on in a promise.
    calls.call(() => {
      void Promise.resolve().then(() => {
        compute(0.1)
        told++
      })
    })
  }
  await immediate()
  t.ok(told < 100, `${told} of 1,000 were told in the first turns`)
  await until('all are told', () => told === 1_000)
})

t.test('who waits already is told once, who has left is not, and one that throws stops nobody', async (t) => {
  const errors: unknown[] = []
  const calls = new SpreadCalls((error) => errors.push(error))
  const told: string[] = []
  const listener = (name: string) => (): void => {
    told.push(name)
  }
  const [twice, left, after] = [listener('twice'), listener('left'), listener('after')]
  calls.call(() => compute(3))
  calls.call(twice)
  calls.call(twice)
  calls.call(left)
  calls.call(() => {
    throw new Error('broken')
  })
  calls.call(after)
  calls.forget(left)
  t.strictSame(told, [], 'the first has used up the turn')
  await until('the last is told', () => told.includes('after'))
  t.strictSame(told, ['twice', 'after'])
  t.match(errors, [{ message: 'broken' }])
})
