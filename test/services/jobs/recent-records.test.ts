import { join } from 'node:path'
import t from 'tap'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { RecentRecords } from '../../../src/services/jobs/recent-records.ts'

t.test('a record is decoded once between two changes, and never seen as it was before', async (t) => {
  const metadata = await openMetadata({ path: join(t.testdir({}), 'metadata'), tables: ['things'] })
  t.teardown(() => metadata.close())
  const table = metadata.table<{ n: number }>('things')
  const recent = new RecentRecords(table, { maxEntries: 2 })
  const put = async (key: string, n: number) => {
    await metadata.transact((tx) => tx.put(table, ['acme', key], { n }))
  }

  t.equal(recent.get(['acme', 'a']), undefined)
  await put('a', 1)
  const first = recent.get(['acme', 'a'])
  t.strictSame(first, { n: 1 })
  t.equal(recent.get(['acme', 'a']), first, 'the same object')
  await put('a', 2)
  t.strictSame(recent.get(['acme', 'a']), { n: 2 })
  t.equal(recent.get(['other', 'a']), undefined, 'another tenant has none')

  await put('b', 1)
  await put('c', 1)
  const kept = recent.get(['acme', 'b'])
  recent.get(['acme', 'c'])
  t.equal(recent.get(['acme', 'b']), kept)
  t.strictSame(recent.get(['acme', 'a']), { n: 2 }, 'what was forgotten is read again')

  await metadata.transact((tx) => tx.delete(table, ['acme', 'a']))
  t.equal(recent.get(['acme', 'a']), undefined, 'gone is gone')
})

t.test('large records are few: what is kept has a bound in bytes', async (t) => {
  const metadata = await openMetadata({ path: join(t.testdir({}), 'metadata'), tables: ['things'] })
  t.teardown(() => metadata.close())
  const table = metadata.table<{ text: string }>('things')
  const recent = new RecentRecords(table, { maxBytes: 5_000 })
  await metadata.transact((tx) => {
    for (const key of ['a', 'b', 'c']) tx.put(table, [key], { text: key.repeat(2_000) })
  })
  const first = recent.get(['a'])
  const second = recent.get(['b'])
  t.equal(recent.get(['a']), first, 'two fit')
  recent.get(['c'])
  t.equal(recent.get(['b']), second)
  t.not(recent.get(['a']), first, 'the oldest made room')
})
