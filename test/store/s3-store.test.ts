import t from 'tap'
import { s3StoreConfig, startS3, whyNoS3, type S3Kind } from '../support/s3.ts'
import { objectStoreConformance } from './conformance.ts'

for (const kind of ['minio', 'versitygw'] satisfies S3Kind[]) {
  t.test(kind, { skip: whyNoS3(kind) }, async (t) => {
    const server = await startS3(t, kind)
    let buckets = 0
    objectStoreConformance(t, kind, async () => {
      const bucket = `bucket-${++buckets}`
      await server.createBucket(bucket)
      return s3StoreConfig(server, bucket)
    })
  })
}
