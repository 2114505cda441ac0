import t from 'tap'
import { FairBacklog } from '../../../src/services/jobs/fair-backlog.ts'
import { RecentUse } from '../../../src/services/jobs/recent-use.ts'

t.test('what a tenant used counts half after ten seconds, and few milliseconds count as none', async (t) => {
  let nowMs = 0
  const use = new RecentUse(2_000, () => nowMs)
  t.equal(use.usedMs('a'), 0)
  use.ran('a', 600)
  use.ran('a', 200)
  t.equal(use.usedMs('a'), 800)
  t.equal(use.lastMs('a'), 200)
  nowMs += 10_000
  t.equal(use.usedMs('a'), 400)
  use.ran('a', 100)
  t.equal(use.usedMs('a'), 500)
  nowMs += 30_000
  t.equal(use.usedMs('a'), 0)
  t.equal(use.usedMs('b'), 0)
})

t.test('a tenant is slow for twenty times as long as its slow run took, whatever it runs then', async (t) => {
  let nowMs = 0
  const use = new RecentUse(2_000, () => nowMs)
  use.ran('a', 2_000)
  t.notOk(use.isSlow('a'))
  use.ran('a', 3_000)
  t.ok(use.isSlow('a'))
  t.notOk(use.isSlow('b'))
  nowMs += 59_000
  use.ran('a', 10)
  t.ok(use.isSlow('a'))
  nowMs += 1_000
  t.notOk(use.isSlow('a'))
})

t.test('tenants that use next to nothing are forgotten, others are not', async (t) => {
  let nowMs = 0
  const use = new RecentUse(2_000, () => nowMs)
  use.ran('heavy', 60_000)
  for (let tenant = 0; tenant < 20_000; tenant++) use.ran(`tenant ${tenant}`, 1)
  nowMs += 1_000
  t.ok(use.usedMs('heavy') > 50_000)
  t.ok(use.isSlow('heavy'))
  t.equal(use.lastMs('tenant 0'), 0)
})

t.test('the tenant that used least goes first, and those that used the same take turns', async (t) => {
  const used: Record<string, number> = { a: 500, b: 0, c: 100 }
  const backlog = new FairBacklog(undefined, (tenant, jobId) => (used[tenant] ?? 0) + (jobId === 'd2' ? 200 : 0))
  for (const tenant of ['a', 'b', 'c', 'd']) {
    for (const job of [1, 2]) backlog.add(tenant, `${tenant}${job}`)
  }
  const order = Array.from({ length: 8 }, () => backlog.take()?.jobId)
  t.strictSame(order, ['b1', 'd1', 'b2', 'c1', 'c2', 'd2', 'a1', 'a2'], 'the second job of d may use 200')
  backlog.add('a', 'a3')
  backlog.add('c', 'c3')
  t.equal(backlog.take((tenant) => tenant !== 'c')?.jobId, 'a3', 'of those that a rule lets through')
})
