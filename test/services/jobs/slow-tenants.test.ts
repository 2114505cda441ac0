import t from 'tap'
import { SlowTenants } from '../../../src/services/jobs/slow-tenants.ts'

t.test('a tenant is slow for twenty times as long as its slow run took, whatever it runs then', async (t) => {
  let nowMs = 0
  const slow = new SlowTenants(2_000, () => nowMs)
  slow.ran('a', 2_000)
  t.notOk(slow.has('a'))
  slow.ran('a', 3_000)
  t.ok(slow.has('a'))
  t.notOk(slow.has('b'))
  nowMs += 59_000
  slow.ran('a', 10)
  t.equal(slow.lastMs('a'), 10)
  t.ok(slow.has('a'))
  nowMs += 1_000
  t.notOk(slow.has('a'))
})

t.test('of very many tenants those that are not slow are forgotten', async (t) => {
  const slow = new SlowTenants(2_000)
  slow.ran('slow', 60_000)
  for (let tenant = 0; tenant < 20_000; tenant++) slow.ran(`tenant ${tenant}`, 1)
  t.ok(slow.has('slow'))
  t.equal(slow.lastMs('tenant 0'), 0)
})
