import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { checkSettings } from '../../src/commands/check-settings.ts'
import { troubleshooting } from '../../src/domain/troubleshooting.ts'
import { checkNames, skewCheck, type Check } from '../../src/operations/doctor/check.ts'
import { nodeCheck } from '../../src/operations/doctor/machine-checks.ts'
import { conditionalPutCheck } from '../../src/operations/doctor/store-checks.ts'
import { syncIntervalCheck } from '../../src/operations/doctor/sync-interval-check.ts'
import { loadConfig } from '../../src/platform/config.ts'
import { openStore } from '../../src/platform/store/open-store.ts'
import { runTabcast } from '../support/command.ts'
import { holdSlot, oneSlot } from '../support/long-job.ts'
import { blocksOf } from '../support/page-blocks.ts'
import { signal } from '../support/processes.ts'
import { startS3, whyNoS3 } from '../support/s3.ts'
import { Client, panelCsv, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/* `tabcast doctor` and `tabcast redrive` on a service that runs, and on one that does not. */

async function diagnose (t: Test, service: TestService): Promise<{ status: number, checks: Map<string, Check> }> {
  const { status, stdout, stderr } = await runTabcast(['doctor', '--json'], {
    TABCAST_DATA_DIR: join(service.folder, 'data')
  })
  t.equal(stderr, '')
  const { checks } = JSON.parse(stdout) as { checks: Check[] }
  for (const one of checks) {
    t.equal(one.remedy === undefined, one.status === 'ok',
      `${one.name}: a remedy exactly where there is something to do`)
    t.equal(one.help, one.status === 'ok' ? undefined : troubleshooting(one.name), 'and the page that says more')
    t.ok(checkNames.includes(one.name), one.name)
  }
  return { status, checks: new Map(checks.map((one) => [one.name, one])) }
}

t.test('doctor and redrive', async (t) => {
  const service = await startService({ ...oneSlot, TABCAST_MAX_SLOT_DEATHS: '1' })
  t.teardown(() => service.cleanup())
  const env = { TABCAST_DATA_DIR: join(service.folder, 'data') }
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  const redrive = async (...args: string[]) => await runTabcast(['redrive', ...args], env)
  const submit = async () =>
    ((await (await client.submit(panelCsv(2, 40), { prediction_length: '3' }, 'data.csv', {
      'idempotency-key': String(Math.random())
    })).json()) as { job_id: string }).job_id
  const done = await submit()
  t.equal((await client.ended(done)).status, 'completed')
  await t.test('while it runs', async (t) => {
    const held = await holdSlot(t, client)
    const jobs: string[] = []
    for (let count = 0; count < 5; count++) jobs.push(await submit())

    await t.test('a service that runs is in order, from the machine to the queue', async (t) => {
      const { status, checks } = await diagnose(t, service)
      t.equal(status, 0, JSON.stringify([...checks.values()].filter((one) => one.status !== 'ok')))
      t.match(checks.get('service'), { status: 'ok', message: 'runs' })
      for (const name of ['node', 'addon', 'owner', 'clock_disk', 'store', 'queue_sync', 'workers', 'queue',
        'clock_queue', 'jobs', 'settings', 'room', 'records', 'secrets', 'keyring']) {
        t.equal(checks.get(name)?.status, 'ok', name)
      }
      t.match(checks.get('jobs')?.message, /^6 open: 1 running, 1 in the queue, 4 in the backlog/)
      t.match(checks.get('workers')?.message, /^workers: 1; slots: 1, of which 0 are free and 1 busy/)
      t.match(checks.get('keyring')?.message, /all 6 sealed records can be opened/)
      const lines = (await runTabcast(['doctor'], env)).stdout.trimEnd().split('\n')
      t.ok(lines.length > 12 && lines.every((line) => /^(ok|warn) +[a-z_]+ +\S/.test(line)), 'a line each')
    })

    await t.test('secrets that are lost while it runs are missed before the next start', async (t) => {
      const path = join(env.TABCAST_DATA_DIR, 'secrets.json')
      renameSync(path, `${path}.aside`)
      const lost = await diagnose(t, service)
      renameSync(`${path}.aside`, path)
      t.equal(lost.status, 1)
      t.match(lost.checks.get('secrets'), { status: 'fail', message: /ENOENT/, remedy: /last backup/ })
    })

    await t.test('the commands of the documentation make and restore a backup', async (t) => {
      const script = blocksOf('docs/operate/backup-and-restore.md', 'bash').join('\n')
      t.match(script, './tabcast backup')
      const folder = join(service.folder, 'documentation')
      mkdirSync(folder)
      const command = `/usr/bin/env -u NODE_OPTIONS ${process.execPath} ${resolve('dist/cli.js')}`
      const output = execFileSync('bash', ['-euc', script.replaceAll('./tabcast', command)], {
        cwd: folder,
        env: { ...process.env, ...env },
        encoding: 'utf8'
      })
      t.match(output,
        /records \(7 jobs\)[^]*lost records 0 of \d+[^]*jobs: 1 completed, 0 failed, 6 open[^]*ok +service/)
    })

    await t.test('what waits in the queue is sent again under another number; what runs, waits or has ended is left ' +
      'alone', async (t) => {
      const all = await redrive('--tenant', 'acme')
      t.match(all, { status: 0, stdout: /^1 sent again, 4 waiting, 1 running, 0 ended, 0 unknown$/m })
      t.match(all.stdout, `${jobs[0]}: sent to the queue again, dispatch 2`)
      t.match(await redrive('--tenant', 'other'), { status: 0, stdout: /^0 sent again, 0 waiting/ })
      t.match(await redrive(done, held.job_id), {
        status: 0,
        stdout: new RegExp(`${done}: completed[^]*0 sent again, 0 waiting, 1 running, 1 ended`)
      })
      t.match(await redrive('job_none'), { status: 1, stdout: /job_none: no such job/ })
      t.match(await redrive('--failed-with', 'bad_luck'), {
        status: 64,
        stderr: /--failed-with bad_luck: no such error code/
      })
    })

    await t.test('a failed job stays failed, and all others complete once', async (t) => {
      for (const pid of service.pids('slot')) signal(pid, 'SIGKILL')
      t.match(await client.ended(held.job_id), { status: 'failed', error_code: 'pipeline_failed' })
      t.match(await redrive('--failed-with', 'pipeline_failed'), {
        status: 0,
        stdout: new RegExp(`${held.job_id}: failed with pipeline_failed, which stays; its client submits it again`)
      })
      for (const jobId of jobs) t.equal((await client.ended(jobId)).status, 'completed')
      t.equal((await client.job(held.job_id)).status, 'failed')
      await until('no message is left',
        async () => /^0 open: .* in the backlog$/.test((await diagnose(t, service)).checks.get('jobs')?.message ?? ''))
    })
  })

  await t.test('without a service, the folder is looked at, and what is wrong is said with what to do', async (t) => {
    await service.stop()
    const sound = await diagnose(t, service)
    t.match(sound, { status: 0 })
    t.match(sound.checks.get('service'), { status: 'warn', message: /does not run/ })
    t.match(await runTabcast(['doctor', '--running'], env), { status: 1, stdout: /^fail +service +does not run/m })
    t.match(await runTabcast(['doctor'], { ...env, TABCAST_DATA_DIR_MAX_BYTES: '1' }), {
      status: 1,
      stdout: /^fail +room +uploads and jobs are refused: The service stores \d+ bytes, and may store 1\./m
    })
    for (const [name, value] of [['QUOTAS_FILE', '/nope.json'], ['STATIC_KEYS_FILE', '/nope.json'], ['COVARIATES_DIR',
      '/nope'], ['S3_BUCKET', 'forecasts']] as const) {
      const { status, stdout } = await runTabcast(['doctor'], { ...env, [`TABCAST_${name}`]: value })
      t.equal(status, 1)
      t.match(stdout, new RegExp(`^fail +settings +TABCAST_${name}.*-> correct the setting`, 'm'))
    }
    t.match(sound.checks.get('keyring')?.message, /all 6 sealed records can be opened/)
    t.match(await redrive(), { status: 1, stderr: /no service runs on TABCAST_DATA_DIR=.*; start it/ })
    const path = join(env.TABCAST_DATA_DIR, 'keyring.json')
    const good = readFileSync(path, 'utf8')
    writeFileSync(path, JSON.stringify({ active: 'other', keys: { other: Buffer.alloc(32, 1).toString('base64') } }))
    const wrong = await diagnose(t, service)
    t.equal(wrong.status, 1)
    t.match(wrong.checks.get('keyring'), {
      status: 'fail',
      message: /6 times: the keyring has no key k-/,
      remedy: /tabcast backup --keyring/
    })
    writeFileSync(path, '{')
    t.match((await diagnose(t, service)).checks.get('service'), {
      status: 'fail',
      message: /TABCAST_KEYRING_FILE: .*not JSON/
    })
    writeFileSync(path, good)
    t.match(await runTabcast(['doctor'], { TABCAST_DATA_DIR: join(service.folder, 'none') }), {
      status: 1,
      stdout: /fail +disk_data .*-> name the data folder.* \(\/docs\/operate\/troubleshooting#disk_data\)\n/
    })
    t.throws(() => statSync(join(service.folder, 'none')), { code: 'ENOENT' }, 'a look makes nothing')
  })
})

t.test('on a host of workers, doctor tries the bucket', { skip: whyNoS3('minio') }, async (t) => {
  const s3 = await startS3(t)
  const folder = t.testdir({})
  const doctor = async () =>
    await runTabcast(['doctor'], {
      TABCAST_DATA_DIR: folder,
      ...s3.settings('forecasts'),
      TABCAST_NATS_URL: 'nats://one:4222'
    })
  t.match(await doctor(), { status: 1, stdout: /^fail +store +.*bucket/m })
  await s3.createBucket('forecasts')
  t.match(await doctor(), { status: 0, stdout: /^ok +store +takes an object, and refuses to replace it/m })
})

t.test('single checks', async (t) => {
  t.equal(nodeCheck('20.19.0').status, 'ok')
  t.match(nodeCheck('20.18.3'), { status: 'fail', remedy: /20\.19 or later/ })
  t.equal(skewCheck('clock_store', 'x', 10_000, 6_000).status, 'ok')
  t.match(skewCheck('clock_store', 'the store', 0, 60_000), {
    status: 'fail',
    message: /60000 ms behind/,
    remedy: /NTP/
  })

  const folder = t.testdir({ nats: {} })
  const store = await openStore({ driver: 'local', root: join(folder, 'objects') })
  t.match(await conditionalPutCheck(store), { status: 'ok' })
  const put = store.putFile.bind(store)
  // What a server does that does not know If-None-Match.
  store.putFile = async (key, path) => await put(key, path)
  t.match(await conditionalPutCheck(store), {
    status: 'fail',
    message: /an object was replaced .* no forecast is computed in shards \(TABCAST_SHARDS\)/,
    remedy: /honours If-None-Match/
  })
  const left: string[] = []
  for await (const { key } of store.list('')) left.push(key)
  t.strictSame(left, [], 'probes are deleted')

  t.throws(() => checkSettings(loadConfig({ TABCAST_NATS_REPLICAS: '3' })),
    /TABCAST_NATS_REPLICAS: .* name a cluster in TABCAST_NATS_URL/)
  const config = loadConfig({ TABCAST_DATA_DIR: folder })
  t.match(await syncIntervalCheck(config), { status: 'ok', message: /has not been started yet/ })
  mkdirSync(join(folder, 'nats'), { recursive: true })
  writeFileSync(join(folder, 'nats', 'nats-server.conf'), 'jetstream {\n  sync_interval: "2m"\n}\n')
  t.match(await syncIntervalCheck(config), { status: 'fail', message: /sync_interval "2m"/ })
  t.match(await syncIntervalCheck(loadConfig({ TABCAST_NATS_URL: 'nats://queue:4222' })), {
    status: 'warn',
    remedy: /sync_interval: always/
  })
})
