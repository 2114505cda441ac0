import t from 'tap'
import { scaledTimings } from '../../../src/worker/shards/scaled-timings.ts'
import { ShardList } from '../../../src/worker/shards/shard-list.ts'

t.test('others get the first shards and the run the last ones, until they meet', (t) => {
  const shards = new ShardList(12, new Set([0, 11]))
  t.strictSame(shards.nextOwn(0), { index: 10, seq: undefined })
  const published = Array.from({ length: 9 }, () => shards.toPublish()?.index)
  t.strictSame(published, [1, 2, 3, 4, 5, 6, 7, 8, undefined], 'eight wait at most')
  shards.published(8, 80)
  shards.taken(1, 'w', 0)
  t.strictSame(shards.toPublish(), { index: 9, attempt: 1 }, 'a taken one makes room')
  shards.isDoneNow(10)
  t.equal(shards.nextOwn(0)?.index, 9, 'what waits in the queue, from the end')
  t.strictSame(shards.nextOwn(0), { index: 8, seq: 80 }, 'its message is named, to be withdrawn')
  t.equal(shards.done, 3)
  t.equal(shards.working, 2)
  t.end()
})

t.test('what another worker could not compute comes first', (t) => {
  const shards = new ShardList(4, new Set())
  for (let shard = 0; shard < 4; shard++) shards.toPublish()
  shards.taken(0, 'w', 0)
  shards.failed(0)
  t.equal(shards.nextOwn(0)?.index, 0)
  shards.returned(1, 'w')
  t.equal(shards.nextOwn(0)?.index, 3)
  t.end()
})

t.test('at the end the slowest shard is computed twice, if that may be sooner', (t) => {
  const shards = new ShardList(3, new Set([0]))
  for (const shard of [1, 2]) {
    shards.toPublish()
    shards.taken(shard, `w${shard}`, 0)
  }
  shards.ownTook(2_000)
  shards.progressed(1, 'w1', 0.9, 4_000)
  shards.progressed(2, 'w2', 0.7, 4_000)
  t.equal(shards.nextOwn(4_000), undefined, 'both will be sooner')
  shards.progressed(2, 'w2', 0.71, 8_000)
  shards.progressed(1, 'w1', 0.95, 8_000)
  t.equal(shards.nextOwn(8_000)?.index, 2)
  t.equal(shards.nextOwn(8_000), undefined)
  t.strictSame(shards.silent(14_000), [1])
  t.equal(shards.nextOwn(14_000)?.index, 1, 'its worker has been silent for long')
  shards.isDoneNow(1)
  t.notOk(shards.isOpen(1))
  t.end()
})

t.test('a shard that the queue did not take, or may have lost, is published under the same id', (t) => {
  const shards = new ShardList(2, new Set())
  t.strictSame(shards.toPublish(), { index: 0, attempt: 1 })
  shards.unpublished(0)
  t.strictSame(shards.toPublish(), { index: 0, attempt: 1 })
  shards.forgetPublished()
  t.strictSame(shards.toPublish(), { index: 0, attempt: 1 })
  t.end()
})

t.test('timings of shards are wall time', (t) => {
  const timings = { ingest: 1, fit: 41, predict: 8, write: 3 } as Parameters<typeof scaledTimings>[0]
  const parts = [{ fit: 20, predict: 4 }, { fit: 20, predict: 4 }]
  t.strictSame(scaledTimings(timings, parts, 24), { ingest: 1, fit: 21, predict: 4, write: 3 })
  t.strictSame(scaledTimings(timings, parts, 100), timings, 'one after the other')
  t.end()
})
