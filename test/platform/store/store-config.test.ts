import { join } from 'node:path'
import t from 'tap'
import { ConfigError, loadConfig } from '../../../src/platform/config.ts'
import { openStore } from '../../../src/platform/store/open-store.ts'
import { storeConfig } from '../../../src/platform/store/store-config.ts'
import { runTabcast } from '../../support/command.ts'

const s3 = {
  TABCAST_S3_ENDPOINT: 'https://s3.example.com',
  TABCAST_S3_BUCKET: 'forecasts',
  TABCAST_S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  TABCAST_S3_SECRET_ACCESS_KEY: 'canary-of-the-store',
  TABCAST_DATA_DIR: '/data'
}
const of = (env: Record<string, string>) => storeConfig(loadConfig(env))

t.test('the settings name a folder or a bucket', async (t) => {
  t.strictSame(of({ TABCAST_DATA_DIR: '/data' }), { driver: 'local', root: '/data/objects' })
  t.match(of(s3), {
    driver: 's3',
    endpoint: 'https://s3.example.com',
    publicEndpoint: 'https://s3.example.com',
    region: 'us-east-1',
    bucket: 'forecasts',
    timeoutMs: 30_000
  })
  const store = await openStore(
    of({
      ...s3,
      TABCAST_S3_ENDPOINT: 'http://10.0.0.7:9000/',
      TABCAST_S3_PUBLIC_ENDPOINT: 'https://files.example.com',
      TABCAST_S3_REGION: 'eu-central-1'
    })
  )
  const address = store.signGet('acme/job/file.csv', {
    expiresInSeconds: 60,
    filename: 'a.csv',
    contentType: 'text/csv',
    baseUrl: 'https://api.example.com'
  })
  t.match(address, 'https://files.example.com/forecasts/acme/job/file.csv?',
    'a signed address names the store as clients reach it')
  t.match(address, 'eu-central-1')
  t.notMatch(address, s3.TABCAST_S3_SECRET_ACCESS_KEY)
})

t.test('combinations that make no store are refused by the name of the setting, without the secret', async (t) => {
  const cases: Array<[Record<string, string>, RegExp]> = [
    [{ ...s3, TABCAST_S3_BUCKET: '' }, /TABCAST_S3_BUCKET is missing/],
    [{ ...s3, TABCAST_S3_ACCESS_KEY_ID: '' }, /TABCAST_S3_ACCESS_KEY_ID is missing/],
    [{ ...s3, TABCAST_S3_SECRET_ACCESS_KEY: '' }, /TABCAST_S3_SECRET_ACCESS_KEY is missing/],
    [{ ...s3, TABCAST_S3_ENDPOINT: '' }, /TABCAST_S3_BUCKET is set and TABCAST_S3_ENDPOINT is not/],
    [{ TABCAST_S3_PUBLIC_ENDPOINT: 'https://x.example' }, /TABCAST_S3_PUBLIC_ENDPOINT is set/],
    [{ ...s3, TABCAST_S3_BUCKET: 'No Bucket' }, /TABCAST_S3_BUCKET/],
    ...['s3.example.com', 'ftp://s3.example.com', 'https://user:canary-of-the-store@s3.example.com',
      'https://s3.example.com/path', 'https://s3.example.com?canary-of-the-store']
      .map((
        endpoint
      ): [Record<string, string>, RegExp] => [{ ...s3, TABCAST_S3_ENDPOINT: endpoint }, /TABCAST_S3_ENDPOINT/]),
    [{ ...s3, TABCAST_S3_PUBLIC_ENDPOINT: 'files' }, /TABCAST_S3_PUBLIC_ENDPOINT/]
  ]
  for (const [env, text] of cases) {
    t.throws(() => of(env), ConfigError)
    t.throws(() => of(env), text)
    try {
      of(env)
    } catch (error) {
      t.notMatch((error as Error).message, /canary/)
    }
  }
})

t.test('the commands refuse them for good, and no command prints a secret', async (t) => {
  const folder = t.testdir({ 'config.json': '{"S3_SECRET_ACCESS_KEY": ["canary-of-the-store"]}' })
  for (const role of ['serve', 'api']) {
    const { status, stderr } = await runTabcast([role], {
      ...s3,
      TABCAST_S3_BUCKET: '',
      TABCAST_DATA_DIR: join(folder, 'data'),
      TABCAST_PORT: '0',
      TABCAST_NATS_URL: 'nats://127.0.0.1:1'
    })
    t.equal(status, 78, stderr)
    t.match(stderr, /TABCAST_S3_BUCKET/)
  }
  const printed = await runTabcast(['config'], { ...s3, TABCAST_NATS_TOKEN: 'canary-of-the-queue' })
  t.equal(printed.status, 0)
  t.notMatch(printed.stdout, /canary/)
  t.match(printed.stdout, /TABCAST_S3_SECRET_ACCESS_KEY=<set, not shown>/)
  t.match(printed.stdout, /TABCAST_S3_BUCKET=forecasts/)
  t.match((await runTabcast(['config'])).stdout, /TABCAST_NATS_TOKEN=\n/)
  const wrong = await runTabcast(['config'], { TABCAST_CONFIG: join(folder, 'config.json') })
  t.equal(wrong.status, 78)
  t.match(wrong.stderr, /TABCAST_S3_SECRET_ACCESS_KEY/)
  t.notMatch(wrong.stderr, /canary/)
})
