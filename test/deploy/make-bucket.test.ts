import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { findFreePort } from '../../src/commands/demo/private-service.ts'
import { findNatsServer } from '../../src/platform/queue/index.ts'
import { findS3Server, whyNoS3 } from '../support/s3.ts'
import { until } from '../support/until.ts'

const { services } = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as {
  services: { s3: { command: string[], healthcheck: { test: string[] } } }
}

/** The store as compose.yaml starts it, on a port and a folder of this test. */
async function startStore (t: Test, secret: string): Promise<string> {
  const port = await findFreePort()
  const folder = t.testdir({ data: {}, sidecar: {} })
  mkdirSync(join(folder, 'data'), { recursive: true })
  // Not every temporary folder takes extended attributes, as the volume of compose.yaml does.
  const replaced: Record<string, string[]> = {
    ':7070': [`127.0.0.1:${port}`],
    '/data': ['--sidecar', join(folder, 'sidecar'), join(folder, 'data')]
  }
  const child = spawn(findS3Server('versitygw') ?? '', services.s3.command.flatMap((word) => replaced[word] ?? [word]),
    {
      env: { ROOT_ACCESS_KEY_ID: 'tabcast', ROOT_SECRET_ACCESS_KEY: secret },
      stdio: 'ignore'
    })
  t.teardown(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const health = new URL(services.s3.healthcheck.test.at(-1) ?? '').pathname
  await until('the store is healthy',
    async () => await fetch(`http://127.0.0.1:${port}${health}`).then(({ ok }) => ok, () => false))
  return `http://127.0.0.1:${port}`
}

async function makeBucket (
  settings: Record<string, string>
): Promise<{ code: number, stdout: string, stderr: string }> {
  const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`TABCAST_${name}`, value]))
  return await new Promise((resolve) =>
    execFile(process.execPath, ['deploy/make-bucket.mjs'], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  )
}

t.test('the store of compose.yaml starts with its command, and gets its bucket once', { skip: whyNoS3('versitygw') },
  async (t) => {
    const settings = {
      S3_ENDPOINT: await startStore(t, 'secret-of-the-test'),
      S3_REGION: 'us-east-1',
      S3_BUCKET: 'tabcast',
      S3_ACCESS_KEY_ID: 'tabcast',
      S3_SECRET_ACCESS_KEY: 'secret-of-the-test'
    }
    t.strictSame(await makeBucket(settings), { code: 0, stdout: 'bucket tabcast is made\n', stderr: '' })
    t.strictSame(await makeBucket(settings), { code: 0, stdout: 'bucket tabcast was there\n', stderr: '' })
    t.match(await makeBucket({ ...settings, S3_SECRET_ACCESS_KEY: 'another' }), {
      code: 1,
      stdout: '',
      stderr: /S3Error/
    })
    t.match(await makeBucket({ ...settings, S3_BUCKET: '' }), {
      code: 78,
      stderr: 'make-bucket: TABCAST_S3_BUCKET is empty\n'
    })
  })

t.test('nats-server takes nats.conf, and not without a token', async (t) => {
  const { path } = await findNatsServer('')
  const check = (env: Record<string, string>) =>
    spawnSync(path, ['-t', '-c', resolve('deploy/nats.conf')], { env, encoding: 'utf8' })
  t.match(check({ TABCAST_NATS_TOKEN: 'tok_a' }), { status: 0, stderr: /is valid/ })
  t.match(check({}), { status: 1, stderr: /'TABCAST_NATS_TOKEN' on line \d+ can not be found/ })
})
