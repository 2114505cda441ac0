import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { DownloadPlaces } from '../../src/api/download-places.ts'
import { visitorAt } from '../../src/services/keys/payer.ts'

t.test('a place that is free goes to who may have it, and whoever has none gets one besides', async (t) => {
  const places = new DownloadPlaces({ perTenant: 2 })
  for (let tenant = 0; tenant < 7; tenant++) {
    for (let count = 0; count < 2; count++) await places.take(`other-${tenant}`)
  }
  const endOfFirst = await places.take('first')
  await places.take('second')
  // All together have all places: both wait.
  const waiting = [places.take('second'), places.take('first')]
  endOfFirst()
  await t.resolves(Promise.all(waiting))
})

t.test('a visitor of the sandbox has a quarter of the places of a tenant, and leaves those of other visitors', async (t) => {
  const places = new DownloadPlaces({ perTenant: 4, waitMs: 50 })
  const [one, other] = [visitorAt('192.0.2.1'), visitorAt('192.0.2.2')]
  const end = await places.take(one)
  await t.rejects(places.take(one), { code: 'rate_limited', message: /^1 downloads to one address/ })
  await places.take(other)
  end()
  await places.take(one)
  // Whoever has many addresses has as many visitors: all of them together are bounded too.
  for (let at = 3; at <= 32; at++) await places.take(visitorAt(`192.0.2.${at}`))
  await t.rejects(places.take(visitorAt('192.0.2.33')), { code: 'rate_limited' })
  await t.resolves(places.take('acme'), 'a tenant has its own')
})

t.test('a few visitors who hold all places of the sandbox leave one to each who has none', async (t) => {
  const places = new DownloadPlaces({ perTenant: 8, waitMs: 50 })
  for (let at = 1; at <= 16; at++) {
    for (let count = 0; count < 2; count++) await places.take(visitorAt(`192.0.2.${at}`))
  }
  await t.resolves(places.take(visitorAt('192.0.2.17')))
  await t.rejects(places.take(visitorAt('192.0.2.17')), { code: 'rate_limited' }, 'only one')
})

t.test('visitors take no place of tenants', async (t) => {
  const places = new DownloadPlaces({ perTenant: 4, waitMs: 50 })
  for (let at = 1; at <= 32; at++) await places.take(visitorAt(`192.0.2.${at}`))
  for (let count = 0; count < 4; count++) await t.resolves(places.take('acme'), `${count} of four`)
})

t.test('a place whose time is over goes to a visitor who has none, the oldest first, and one for each', async (t) => {
  const places = new DownloadPlaces({ perTenant: 1, waitMs: 500 })
  const cut: number[] = []
  const take = async (at: number, safeMs: number) =>
    await places.take(visitorAt(`192.0.2.${at}`), { safeMs, cut: () => cut.push(at) })
  for (let at = 1; at <= 6; at++) await take(at, 5)
  for (let at = 7; at <= 8; at++) await take(at, 60_000)
  await sleep(50)
  t.strictSame(cut, [], 'while nobody waits nothing is cut')
  await t.rejects(take(1, 60_000), { code: 'rate_limited' }, 'who has one waits for his own')
  t.strictSame(cut, [])
  await Promise.all([9, 10].map((at) => take(at, 60_000)))
  t.strictSame(cut, [1, 2])
  await Promise.all([11, 12, 13, 14].map((at) => take(at, 60_000)))
  t.strictSame(cut, [1, 2, 3, 4, 5, 6])
  await t.rejects(take(15, 60_000), { code: 'rate_limited' }, 'the others have their time')
  t.equal(cut.length, 6)
})

t.test('a visitor who has none waits for the first place whose time is over', async (t) => {
  const places = new DownloadPlaces({ perTenant: 1 })
  const cut: number[] = []
  for (let at = 1; at <= 8; at++) {
    await places.take(visitorAt(`192.0.2.${at}`), { safeMs: 300, cut: () => cut.push(at) })
  }
  await t.resolves(places.take(visitorAt('192.0.2.9'), { safeMs: 60_000, cut: () => cut.push(9) }))
  t.strictSame(cut, [1])
})

t.test('those who wait have their turns owner by owner, each in the order it came', async (t) => {
  const places = new DownloadPlaces({ perTenant: 3 })
  const ends = await Promise.all(Array.from({ length: 8 * 3 - 3 }, (_each, at) => places.take(`other-${at % 7}`)))
  for (const tenant of ['a', 'b', 'c']) await places.take(tenant)
  const order: string[] = []
  const waiting = ['a', 'a', 'b', 'b', 'c'].map(async (tenant, at) => {
    await places.take(tenant)
    order.push(`${tenant}${at}`)
  })
  for (const end of ends.slice(0, 5)) end()
  await Promise.all(waiting)
  t.strictSame(order, ['a0', 'b2', 'c4', 'a1', 'b3'])
})
