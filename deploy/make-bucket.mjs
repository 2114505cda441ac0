/*
 * Makes the bucket of TABCAST_S3_BUCKET on the store that the settings name, unless it is there: the service itself
 * never makes one. Runs inside the image, with the client that the service has.
 */
import { Client } from 'minio'

const setting = (name) => process.env[`TABCAST_${name}`] || fail(`TABCAST_${name} is empty`)

function fail (text) {
  process.stderr.write(`make-bucket: ${text}\n`)
  process.exit(78)
}

const endpoint = new URL(setting('S3_ENDPOINT'))
const [bucket, region] = [setting('S3_BUCKET'), setting('S3_REGION')]
const client = new Client({
  endPoint: endpoint.hostname,
  ...(endpoint.port === '' ? {} : { port: Number(endpoint.port) }),
  useSSL: endpoint.protocol === 'https:',
  region,
  accessKey: setting('S3_ACCESS_KEY_ID'),
  secretKey: setting('S3_SECRET_ACCESS_KEY')
})
const exists = await client.bucketExists(bucket)
if (!exists) await client.makeBucket(bucket, region)
process.stdout.write(`bucket ${bucket} ${exists ? 'was there' : 'is made'}\n`)
