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
