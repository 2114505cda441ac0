import t from 'tap'
import { atFirstUse, makeFirstUses } from '../../src/api/first-uses.ts'
import { openApi } from '../support/api.ts'

t.test('a service that takes requests has made what its routes write and check with', async (t) => {
  await openApi(t)
  t.equal(await makeFirstUses(), 0)
})

t.test('what is made is made once, and what fails says so each time', async (t) => {
  let made = 0
  const get = atFirstUse(() => ++made)
  t.equal(await makeFirstUses(), 1)
  t.strictSame([made, get(), get(), await makeFirstUses()], [1, 1, 1, 0])
  const broken = atFirstUse(() => {
    throw new Error(`broken ${++made}`)
  })
  await t.rejects(makeFirstUses(), { message: 'broken 2' })
  t.throws(broken, { message: 'broken 3' })
})
