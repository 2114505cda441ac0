import t from 'tap'
import { DownloadPlaces } from '../../src/api/download-places.ts'

t.test('a place that is free goes to who may have it, and whoever has none gets one besides', async (t) => {
  const places = new DownloadPlaces({ perTenant: 2 })
  for (let tenant = 0; tenant < 7; tenant++) for (let count = 0; count < 2; count++) await places.take(`other-${tenant}`)
  const endOfFirst = await places.take('first')
  await places.take('second')
  // All together have all places: both wait.
  const waiting = [places.take('second'), places.take('first')]
  endOfFirst()
  await t.resolves(Promise.all(waiting))
})
