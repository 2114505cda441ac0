import t from 'tap'
import { openStore } from '../../../src/platform/store/open-store.ts'
import { s3StoreConfig, startS3, whyNoS3, type S3Kind } from '../../support/s3.ts'
import { keysOf, objectStoreConformance, refused } from './conformance.ts'
import { signedAddressConformance } from './s3-signing.ts'

for (const kind of ['minio', 'versitygw'] satisfies S3Kind[]) {
  t.test(kind, { skip: whyNoS3(kind) }, async (t) => {
    const server = await startS3(t, kind)
    let buckets = 0
    const bucket = async () => {
      const name = `bucket-${++buckets}`
      await server.createBucket(name)
      return s3StoreConfig(server, name)
    }
    objectStoreConformance(t, kind, bucket)
    signedAddressConformance(t, kind, async () => await openStore(await bucket()))

    void t.test(`${kind}: a bucket that is not there is unavailable, and never an empty store`, async (t) => {
      const store = await openStore(s3StoreConfig(server, 'no-such-bucket'))
      await refused(t, 'unavailable', store.putBytes('t/j/input', Buffer.from('x')))
      await refused(t, 'unavailable', store.getBytes('t/j/input', 10))
      await refused(t, 'unavailable', store.openRead('t/j/input'))
      await refused(t, 'unavailable', store.stat('t/j/input'))
      await refused(t, 'unavailable', keysOf(store, 't/'))
      await refused(t, 'unavailable', store.deleteKey('t/j/input'))
      await refused(t, 'unavailable', store.deletePrefix('t/'))
      await refused(t, 'unavailable', store.probe())
      const wrongKey = await openStore({ ...await bucket(), secretAccessKey: 'another-secret' })
      await refused(t, 'unavailable', wrongKey.stat('t/j/input'), 'a wrong secret')
      await refused(t, 'unavailable', wrongKey.putBytes('t/j/input', Buffer.from('x')))
    })

    void t.test(`${kind}: more objects than a page of a listing are listed, swept and deleted`, async (t) => {
      const store = await openStore(await bucket())
      const numbers = Array.from({ length: 1_203 }, (_, number) => String(number).padStart(5, '0'))
      const putAll = async (prefix: string): Promise<void> => {
        const waiting = [...numbers]
        await Promise.all(Array.from({ length: 4 }, async () => {
          for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
            await store.putBytes(prefix + number, Buffer.from('x'))
          }
        }))
      }
      await putAll('t/many/n')
      t.same(await keysOf(store, 't/'), numbers.map((number) => `t/many/n${number}`))
      await store.putBytes('t/other', Buffer.from('x'))
      t.same(await keysOf(store, 't/', { maxSegments: 1 }), ['t/other'])
      await putAll('t/foreign/é')
      t.same(await keysOf(store, 't/', { maxSegments: 1 }), ['t/other'], 'whatever the keys that are skipped look like')
      t.equal(await store.deletePrefix('t/foreign/'), 1_203)
      t.equal(await store.deletePrefix('t/many/'), 1_203)
      t.same(await keysOf(store, ''), ['t/other'])
    })
  })
}
