import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { TabcastError } from '../../../src/platform/errors.ts'
import { checkAll } from '../../../src/services/jobs/check-all.ts'

const limits = { width: 3, startWithinMs: 60_000 }
const wrongField = (name: string) =>
  new TabcastError('validation_error', undefined, {
    fields: [{ loc: ['body', name], msg: 'wrong', type: 'value_error' }]
  })

t.test('results come in the order of the parts, and only so many checks run at a time', async (t) => {
  let [running, most] = [0, 0]
  const results = await checkAll([5, 1, 4, 2, 3, 0, 6], limits, async (part) => {
    most = Math.max(most, ++running)
    await sleep(part)
    running--
    return part * 10
  })
  t.strictSame(results, [50, 10, 40, 20, 30, 0, 60])
  t.equal(most, 3)
  t.strictSame(await checkAll([], limits, async () => 1), [])
})

t.test('wrong fields of all parts are listed, in the order of the parts', async (t) => {
  const checks = checkAll(['a', 'b', 'c', 'd', 'e'], limits, async (part) => {
    await sleep(part === 'b' ? 20 : 1)
    if (part === 'b' || part === 'e') throw wrongField(part)
  })
  await t.rejects(checks, { code: 'validation_error', fields: [{ loc: ['body', 'b'] }, { loc: ['body', 'e'] }] })
})

t.test('any other refusal ends it: what has begun is waited for, nothing else begins', async (t) => {
  const begun: number[] = []
  let ended = 0
  const checks = checkAll([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], limits, async (part) => {
    begun.push(part)
    await sleep(part === 0 ? 1 : 20)
    ended++
    if (part === 0) throw new TabcastError('server_overloaded')
    throw wrongField(String(part))
  })
  await t.rejects(checks, { code: 'server_overloaded' })
  t.strictSame(begun, [0, 1, 2])
  t.equal(ended, 3)
})

t.test('a check that cannot start in time is not made', async (t) => {
  let made = 0
  const checks = checkAll([1, 2, 3, 4], { width: 1, startWithinMs: 30 }, async () => {
    made++
    await sleep(40)
  })
  await t.rejects(checks, { code: 'server_overloaded', message: /0\.03 s/ })
  t.equal(made, 1)
})
