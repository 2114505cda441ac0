import { mkdtemp, rm } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import type { Manifest } from '../../src/operations/backup/manifest.ts'
import type { Check } from '../../src/operations/doctor/check.ts'
import { launcher, runTabcast } from '../support/command.ts'
import { oneSlot } from '../support/long-job.ts'
import { startS3, whyNoS3 } from '../support/s3.ts'
import { Client, panelCsv, startService } from '../support/service.ts'

/*
 * An installation whose objects are in a bucket: its records are backed up, its objects listed; doctor asks the
 * bucket.
 */

t.test('with its objects in a bucket, an installation is backed up, restored beside it and looked after', {
  skip: whyNoS3('minio')
}, async (t) => {
  const s3 = await startS3(t)
  await s3.createBucket('forecasts')
  const bucket = s3.settings('forecasts')
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-bucket-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const first = await startService({ ...oneSlot, ...bucket })
  t.teardown(() => first.cleanup())
  const env = { TABCAST_DATA_DIR: join(first.folder, 'data'), ...bucket }
  const key = await first.createKey('acme')
  const client = new Client(first.baseUrl, key)
  const { job_id: jobId } = await client.submitted(panelCsv(2, 40), { prediction_length: '3' })
  t.equal((await client.ended(jobId)).status, 'completed')
  const table = await client.table(jobId)

  const diagnose = async (
    changes: Record<string, string> = {}
  ): Promise<{ status: number | null, checks: Map<string, Check> }> => {
    const { status, stdout } = await runTabcast(['doctor', '--json'], { ...env, ...changes })
    return { status, checks: new Map((JSON.parse(stdout) as { checks: Check[] }).checks.map((one) => [one.name, one])) }
  }
  const well = await diagnose()
  t.equal(well.status, 0, JSON.stringify([...well.checks.values()].filter(({ status }) => status !== 'ok')))
  t.equal(well.checks.get('store')?.status, 'ok')
  t.equal(well.checks.get('clock_store')?.status, 'ok')
  t.strictSame(await keysOf('doctor/'), [], 'its probe is gone')

  const withoutBucket = await runTabcast(['backup', '--out', join(folder, 'without')], {
    TABCAST_DATA_DIR: env.TABCAST_DATA_DIR
  })
  t.match(withoutBucket, { status: 1, stderr: /has a bucket, and the settings of this shell name none/ })
  t.notOk(existsSync(join(folder, 'without')))

  const backup = join(folder, 'backup')
  const keyring = join(folder, 'keyring.json')
  const made = await runTabcast(['backup', '--out', backup, '--keyring', keyring], env)
  t.match(made, { status: 0, stderr: '', stdout: /listed in objects\.jsonl and not copied/ })
  const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as Manifest
  t.match(manifest.objects, { gone: 0, damaged: 0, copied: 0 })
  t.ok(manifest.objects.listed > 0)
  t.notOk(existsSync(join(backup, 'objects')), 'no object is in it')
  const listed = readFileSync(join(backup, 'objects.jsonl'), 'utf8').trimEnd().split('\n').map((line) =>
    (JSON.parse(line) as { key: string }).key
  )
  const inBucket = await keysOf('')
  for (const one of listed) t.ok(inBucket.includes(one), `${one} is in the bucket`)

  await first.cleanup()
  const restored = join(folder, 'restored')
  t.match(
    await runTabcast(['restore', backup, '--keyring', keyring], {
      ...bucket,
      TABCAST_DATA_DIR: join(restored, 'data')
    }),
    { status: 0, stdout: /lost records 0 of \d+/ }
  )
  const second = await startPrivateService({
    folder: restored,
    command: 'dist/cli.js',
    launcher,
    settings: { ...oneSlot, ...bucket, TABCAST_LOG_LEVEL: 'info' }
  })
  t.teardown(() => second.stop())
  const again = new Client(second.baseUrl, key)
  t.equal(await again.table(jobId), table, 'an earlier result has the same bytes')
  const { job_id: next } = await again.submitted(panelCsv(2, 40), { prediction_length: '3' })
  t.equal((await again.ended(next)).status, 'completed')

  const wrong = await diagnose({ TABCAST_DATA_DIR: join(restored, 'data'), TABCAST_S3_BUCKET: 'elsewhere' })
  t.equal(wrong.status, 1)
  t.match(wrong.checks.get('store'), { status: 'fail', remedy: /TABCAST_S3_ENDPOINT, the bucket and its credentials/ })
  await s3.stop()
  const down = await diagnose({ TABCAST_DATA_DIR: join(restored, 'data'), TABCAST_S3_TIMEOUT_MS: '500' })
  t.equal(down.status, 1)
  t.equal(down.checks.get('store')?.status, 'fail')
  t.notOk(down.checks.has('clock_store'), 'one cause, one finding')

  async function keysOf (prefix: string): Promise<string[]> {
    const keys: string[] = []
    for await (const item of s3.client.listObjectsV2('forecasts', prefix, true) as AsyncIterable<{ name: string }>) {
      keys.push(item.name)
    }
    return keys
  }
})
