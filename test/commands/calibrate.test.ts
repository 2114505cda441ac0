import t from 'tap'
import { runCalibrateCommand } from '../../src/commands/calibrate.ts'
import { calibrationJobs } from '../../src/services/estimates/calibration-jobs.ts'
import { runTabcast } from '../support/command.ts'
import { startService } from '../support/service.ts'

t.test('jobs of a calibration run through the service, and estimates learn from them', async (t) => {
  const service = await startService({ TABCAST_SLOT_THREADS: '1' })
  t.teardown(() => service.cleanup())
  const key = await service.createKey('acme')
  const jobs = calibrationJobs()
  const few = [jobs.find(({ name }) => name.startsWith('fast: 1 series')),
    jobs.find(({ name }) => name.startsWith('fast: 30 series')),
    jobs.find(({ name }) => name.startsWith('classification: 150'))]
    .filter((job) => job !== undefined)
  t.equal(few.length, 3)
  const lines: string[] = []
  await runCalibrateCommand({ baseUrl: service.baseUrl, key, jobs: few }, (line) => lines.push(line))
  t.equal(lines.length, 3)
  for (const [at, line] of lines.entries()) t.match(line, new RegExp(`^ ${at + 1}/3 +[0-9.]+ s  `))
  const ask = async (body: object): Promise<{ samples: number }> => {
    const answer = await fetch(`${service.baseUrl}/estimate/runtime`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
    return await answer.json() as { samples: number }
  }
  t.match(await ask({ num_items: 10, total_rows: 1500, presets: 'fast' }), { samples: 2 })
  t.match(await ask({ problem: 'classification', rows: 200, columns: 5 }), { samples: 1 })
})

t.test('a calibration without a key, and without a service', async (t) => {
  t.match(await runTabcast(['calibrate']), {
    status: 64,
    stderr: /--key KEY is missing; it may stand in TABCAST_API_KEY/
  })
  const env = { TABCAST_API_KEY: 'tbc_live_x', TABCAST_URL: 'http://127.0.0.1:65535' }
  t.match(await runTabcast(['calibrate'], env), {
    status: 1,
    stderr: /no answer from http:\/\/127\.0\.0\.1:65535 \(\w+\); --url or TABCAST_URL names another address/
  })
})

t.test('each job of a calibration has rows for what it asks', async (t) => {
  for (const { name, fields, csv } of calibrationJobs()) {
    const [header = '', ...rows] = csv().trimEnd().split('\n')
    const columns = header.split(',')
    t.ok(rows.length > 100 && rows.every((row) => row.split(',').length === columns.length), name)
    for (const covariate of fields['covariates']?.split(',') ?? []) {
      t.ok(columns.includes(covariate), `${name}: ${covariate}`)
    }
  }
})

t.test('without a key, and with one that is not valid, nothing is run', async (t) => {
  const service = await startService()
  t.teardown(() => service.cleanup())
  await t.rejects(
    runCalibrateCommand({ baseUrl: service.baseUrl, key: 'tbc_live_none' }, () => t.fail('nothing is run')),
    /answered 401/
  )
})
