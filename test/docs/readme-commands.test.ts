import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { incoherent, nodesOf } from '../support/hierarchy.ts'
import { startS3, whyNoS3 } from '../support/s3.ts'
import { panelCsv, startService, type TestService } from '../support/service.ts'

/** The code between two markers of the README. */
function block (section: string, language: string): string {
  const readme = readFileSync('README.md', 'utf8')
  const text = new RegExp(`<!-- ${section}:begin -->\\n\`\`\`${language}\\n([^]*?)\`\`\`\\n<!-- ${section}:end -->`)
    .exec(readme)?.[1]
  if (text === undefined) throw new Error(`README.md has no ${language || 'text'} named ${section}`)
  return text
}

/** What the README's commands share, for a tenant of the service. */
async function definitions (service: TestService, tenant = 'acme'): Promise<string> {
  return `KEY=${await service.createKey(tenant)}\n${
    commands('definitions', { 'http://127.0.0.1:8080': service.baseUrl })
  }`
}

/** Commands of the README, with what stands for the reader's own replaced. */
function commands (section: string, replacements: Record<string, string>): string {
  const text = block(section, 'bash')
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the commands named ${section} do not have ${from} any more`)
    return text.replaceAll(from, to)
  }, text)
}

async function bash (script: string, folder: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, timeout: 120_000 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`${error.message}\n${stdout}\n${stderr}`))
    })
  })
}

// A tenant for each test: what one may send in a minute is limited, as it is for the reader.
const service = await startService({ TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8' })
t.teardown(() => service.cleanup())

t.test('the commands of the README forecast a stored file, and a bucket and back', { skip: whyNoS3('minio') },
  async (t) => {
    const s3 = await startS3(t, 'minio')
    await s3.createBucket('sales')
    for (const part of [1, 2]) {
      await s3.client.putObject('sales', `history/part-${part}.csv`,
        panelCsv(2, 40, { seed: part }).replaceAll('series-', `shop-${part}-`))
    }
    const folder = t.testdir({})
    writeFileSync(join(folder, 'sales.csv'), panelCsv(3, 60))
    const bucket = commands('bucket', {
      'https://s3.example.com': s3.endpoint,
      ACCESS_KEY: s3.accessKeyId,
      SECRET_KEY: s3.secretAccessKey
    })
    const output = await bash(`${await definitions(service)}\n${commands('stored', {})}\necho; echo ===\n${bucket}`,
      folder)
    const [first = '', second = ''] = output.split('\n===\n')
    t.match(first, /"status":"uploaded"/)
    t.match(first, /"columns":\["item_id","timestamp","target"\]/, 'the preview')
    t.match(first, /"status":"completed"/)
    t.match(second, /"ok":true/, 'the test')
    t.match(second, /"valid":true/, 'the validation')
    t.match(second, /"delivery_status":"delivered"/)
    t.match(second, /"action":"deliver","outcome":"success"/)
    t.match(second, /"action":"read","outcome":"success"/)
    const delivered = await s3.client.listObjectsV2('sales', 'service-forecasts/', true).toArray() as Array<
      { name: string }
    >
    t.match(delivered.map(({ name }) => name), [/^service-forecasts\/\d{4}-\d\d-\d\d\/job_[0-9A-Z]{26}\.parquet$/])
  })

t.test('the hierarchy of the README has the forecasts that are shown there, and its regions are forecast on demand ' +
  'in words', async (t) => {
  const folder = t.testdir({})
  const script = commands('hierarchy', {})
  const output = await bash(`
    ${await definitions(service, 'regions')}
    ${script}
    echo ===
    ${commands('agent', {})}
    echo ===
    ${commands('covariates', {})}`, folder)
  const [hierarchy = '', agent = '', covariates = ''] = output.split('===\n')
  t.match(JSON.parse(covariates), {
    status: 'completed',
    external_covariate_metadata: {
      columns_added: ['holidays_is_holiday', 'holidays_is_observance', 'holidays_is_bridge_day']
    }
  })
  const table = hierarchy.slice(hierarchy.indexOf('item_id,'))
  const cells = (text: string) => text.trimEnd().split('\n').map((line) => line.split(','))
  const shown = cells(block('hierarchy-output', ''))
  const given = cells(table)
  t.strictSame(given.map((row) => row.slice(0, 2)), shown.map((row) => row.slice(0, 2)))
  t.strictSame(given[0], shown[0])
  // Other processors may differ in the last digits.
  for (const [at, row] of given.slice(1).entries()) {
    for (const [column, cell] of row.slice(2).entries()) {
      const wanted = Number(shown[at + 1]?.[column + 2])
      t.ok(Math.abs(Number(cell) - wanted) <= 1e-6 * Math.abs(wanted), `${row[0]} ${row[1]}: ${cell}`)
    }
  }
  t.strictSame(
    incoherent(nodesOf(table), (id) => id === 'total' ? undefined : id.includes('/') ? id.split('/')[0] : 'total'),
    []
  )

  t.match(agent, /"recommended_config":\{"prediction_length":3,/)
  t.match(agent, /"status":"completed"/)
  t.strictSame(cells(agent.slice(agent.indexOf('item_id,'))).map((row) => row[0]), ['item_id', 'north', 'north',
    'north', 'south', 'south', 'south'], 'by region, for a quarter')
  t.match(agent, /^item_id,timestamp,mean,0\.1,0\.5,0\.9$/m)
})

t.test('the commands of the README train a model and forecast with it', async (t) => {
  const folder = t.testdir({})
  const output = await bash(`
    ${await definitions(service, 'branches')}
    ${commands('tuning', {})}
    echo; echo ===
    ${commands('tuned', {})}`, folder)
  const [training = '', use = ''] = output.split('\n===\n')
  t.match(training, /"status":"completed"/)
  t.match(training, /"model_id":"ft_[0-9A-Z]{26}","name":"shops"/)
  t.match(training, /"freq":"D","prediction_length":14/)
  t.match(use, /"status":"completed"/)
  t.match(use, /"code":"unseen_series","count":10,/)
  t.equal(use.match(/^branch-\d+,2026-07-\d\d 00:00:00,/gm)?.length, 70)
})

t.test('the commands of the README learn a table, and forecast from the command line', async (t) => {
  const folder = t.testdir({})
  const output = await bash(`
    ${await definitions(service, 'customers')}
    ${commands('table', {})}`, folder)
  t.match(output, /"job_type":"classification"/)
  t.match(output, /"num_samples":200,/)
  const table = output.slice(output.indexOf('row_index,')).trim().split('\n')
  t.equal(table[0], 'row_index,split,actual,prediction,confidence,probability_no,probability_yes')
  t.equal(table.length, 41)
  const right = table.slice(1).filter((line) => line.split(',')[2] === line.split(',')[3])
  t.ok(right.length >= 34, `${right.length} of 40 are right`)
  t.match(readFileSync(join(folder, 'report.html'), 'utf8'), /churned/)

  // On the same service, since a start takes longer than the forecasts.
  const forecasts = await bash(`
    ${await definitions(service, 'customers')}
    ${commands('quick', {})}
    export TABCAST_URL=${service.baseUrl}
    ${commands('command-line', { 'npx tabcast': `env -u NODE_OPTIONS node ${resolve('dist/cli.js')}` })}`, folder)
  t.match(forecasts, /^shop-3,2026-12-01 00:00:00,/m)
  t.match(forecasts, /sales\.forecast\.csv: 12 steps of 3 series/)
  t.match(forecasts, /^shop-1 {2}[▁-█]{48}│[▁-█]{12}$/m)
  t.match(forecasts, /sales\.forecast\.zip: 12 steps of 3 series/)
  const refused = await bash(`${await definitions(service)}\nJOB=$(field '{"detail":"no"}' job_id) || ended job_none`,
    folder).then(String, String)
  t.match(refused, /\{"detail":"no"\}/, 'a refusal is shown')
  t.match(refused, /404/, 'and nothing is waited for that is not there')
  t.equal(readFileSync(join(folder, 'sales.forecast.csv'), 'utf8').split('\n')[0], 'item_id,timestamp,mean,0.1,0.9')
})
