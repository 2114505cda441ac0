import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { loadIndustries } from '../../src/commands/demo/industries.ts'
import { incoherent, nodesOf } from '../support/hierarchy.ts'
import { blocksOf, namedBlock } from '../support/page-blocks.ts'
import { startS3, whyNoS3 } from '../support/s3.ts'
import { panelCsv, startService } from '../support/service.ts'

const firstForecast = 'docs/get-started/first-forecast.md'
/** What the commands of other pages build on. */
const definitions = namedBlock(firstForecast, 'definitions', 'bash')
const sales = namedBlock(firstForecast, 'sales', 'bash')
const stores = namedBlock('docs/guides/hierarchies.md', 'stores', 'bash')

const service = await startService({ TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8' })
t.teardown(() => service.cleanup())

interface Circumstances {
  /** Commands of other pages that this one builds on. */
  after?: string[]
  /** What stands for the reader's own. */
  replacements?: Record<string, string>
  folder?: string
}

/**
 * Runs the commands of a page as a new tenant, in an empty folder; gives what each block printed. What one tenant may
 * send in a minute is limited, as it is for the reader.
 */
async function run (t: Test, page: string,
  { after = [definitions], replacements = {}, folder = t.testdir({}) }: Circumstances = {}): Promise<string[]> {
  const key = await service.createKey(basename(page, '.md').toLowerCase())
  const separator = '--- the next block ---'
  const script = [...after, ...blocksOf(page, 'bash')].join(`\necho; echo '${separator}'\n`)
  const own = { 'http://127.0.0.1:8080': service.baseUrl, ...replacements }
  const output = await bash(`KEY=${key}\n${replaced(script, own, page)}`, folder)
  return output.split(`${separator}\n`).slice(after.length)
}

function replaced (script: string, replacements: Record<string, string>, page: string): string {
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the commands of ${page} do not have ${from} any more`)
    return text.replaceAll(from, to)
  }, script)
}

async function bash (script: string, folder: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, timeout: 120_000 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`${error.message}\n${stdout}\n${stderr}`))
    })
  })
}

/** From the header on, cell by cell. */
function cells (output: string): string[][] {
  return output.slice(output.indexOf('item_id,')).trimEnd().split('\n').map((line) => line.split(','))
}

/** Other processors may differ in the last digits. */
function sameTable (t: Test, given: string[][], shown: string[][]): void {
  t.strictSame(given.map((row) => row.slice(0, 2)), shown.map((row) => row.slice(0, 2)))
  t.strictSame(given[0], shown[0])
  for (const [at, row] of given.slice(1).entries()) {
    for (const [column, cell] of row.slice(2).entries()) {
      const wanted = Number(shown[at + 1]?.[column + 2])
      t.ok(Math.abs(Number(cell) - wanted) <= 1e-6 * Math.abs(wanted), `${row[0]} ${row[1]}: ${cell}`)
    }
  }
}

t.test('the first page forecasts what `make demo` leaves behind, as it is shown there', async (t) => {
  const folder = t.testdir({})
  mkdirSync(join(folder, '.cache', 'demo'), { recursive: true })
  writeFileSync(join(folder, '.cache', 'demo', 'unemployment.csv'), loadIndustries().csv)
  const [output = ''] = await run(t, 'README.md', { after: [], folder })
  const shown = namedBlock('README.md', 'example-output', '')
  t.equal(output.split('\n')[0], shown.split('\n')[0], 'the headline')
  sameTable(t, cells(output), cells(shown))
})

t.test('the first forecast', async (t) => {
  const folder = t.testdir({})
  const [, , forecast = ''] = await run(t, 'docs/get-started/first-forecast.md', { after: [], folder })
  t.match(forecast, /"status":"completed"/)
  t.match(forecast, /^shop-3,2026-12-01 00:00:00,/m)
  t.equal(cells(forecast)[0]?.join(), blocksOf(firstForecast, '')[0]?.trimEnd(), 'the header that is shown')
  const refused = await bash(`KEY=${await service.createKey('acme')}
    ${definitions.replace('http://127.0.0.1:8080', service.baseUrl)}
    JOB=$(field '{"detail":"no"}' job_id) || ended job_none`, folder).then(String, String)
  t.match(refused, /\{"detail":"no"\}/, 'a refusal is shown')
  t.match(refused, /404/, 'and nothing is waited for that is not there')
  const unread = await bash(`KEY=${await service.createKey('acme')}
    ${definitions.replace('http://127.0.0.1:8080', service.baseUrl)}
    ${sales}
    JOB=$(field "$(curl -s -H "$AUTH" -F file=@sales.csv $API/forecast)" job_id)
    ended $JOB | true || true
    curl -s -H "$AUTH" $API/jobs/$JOB`, folder)
  t.match(unread, /"status":"completed"/, 'it ends with the job where nobody reads it')
})

t.test('the command line', async (t) => {
  const folder = t.testdir({})
  const [output = '', own = ''] = await run(t, 'docs/get-started/command-line.md', {
    after: [definitions, sales, `export TABCAST_URL=${service.baseUrl}`],
    replacements: { './tabcast': `env -u NODE_OPTIONS node ${resolve('dist/cli.js')}` },
    folder
  })
  t.match(output, /sales\.forecast\.csv: 12 steps of 3 series/)
  t.match(output, /^shop-1 {2}[▁-█]{48}│[▁-█]{12}$/m)
  t.match(output, /best\.csv: 12 steps of 3 series/)
  t.match(readFileSync(join(folder, 'best.report.html'), 'utf8'), /preset best/)
  t.equal(readFileSync(join(folder, 'sales.forecast.csv'), 'utf8').split('\n')[0], 'item_id,timestamp,mean,0.1,0.9')
  t.match(own, /promo\.forecast\.csv: 14 steps of 1 series/)
  const sold = readFileSync(join(folder, 'promo.forecast.csv'), 'utf8').trim().split('\n').slice(1).map((row) =>
    Number(row.split(',')[2])
  )
  // From a Sunday on.
  const isPromo = (at: number) => (83 + at) * 5 % 17 < 4
  const openDays = [...sold.keys()].filter((at) => at % 7 !== 0)
  const mean = (days: number[]) => days.reduce((total, at) => total + (sold[at] ?? NaN), 0) / days.length
  t.ok(mean(openDays.filter(isPromo)) > mean(openDays.filter((at) => !isPromo(at))) + 20, `promotions: ${sold.join()}`)
  t.ok(Math.abs(sold[0] ?? NaN) < 10 && Math.abs(sold[7] ?? NaN) < 10, `closed days: ${sold.join()}`)
})

t.test('a forecast in shards', async (t) => {
  const folder = t.testdir({})
  const [output = ''] = await run(t, 'docs/operate/own-scheduler.md', {
    after: [definitions, sales],
    replacements: { './tabcast': `env -u NODE_OPTIONS node ${resolve('dist/cli.js')}` },
    folder
  })
  t.match(output, /2 shards/)
  t.match(output, /forecast\.parquet: 36 rows of 3 series/)
  const table = readFileSync(join(folder, 'result', 'forecast.csv'), 'utf8').split('\n')
  t.equal(table[0], 'item_id,timestamp,mean,0.1,0.9')
})

t.test('a stored file', async (t) => {
  const [output = ''] = await run(t, 'docs/guides/stored-files.md', { after: [definitions, sales] })
  t.match(output, /"status":"uploaded"/)
  t.match(output, /"columns":\["item_id","timestamp","target"\]/, 'the preview')
  t.match(output, /"status":"completed"/)
})

t.test('a bucket, and back to it', { skip: whyNoS3('minio') }, async (t) => {
  const s3 = await startS3(t, 'minio')
  await s3.createBucket('sales')
  for (const part of [1, 2]) {
    await s3.client.putObject('sales', `history/part-${part}.csv`,
      panelCsv(2, 40, { seed: part }).replaceAll('series-', `shop-${part}-`))
  }
  const [output = ''] = await run(t, 'docs/guides/your-own-bucket.md', {
    replacements: {
      'https://s3.example.com': s3.endpoint,
      ACCESS_KEY: s3.accessKeyId,
      SECRET_KEY: s3.secretAccessKey
    }
  })
  t.match(output, /"ok":true/, 'the test')
  t.match(output, /"valid":true/, 'the validation')
  t.match(output, /"delivery_status":"delivered"/)
  t.match(output, /"action":"deliver","outcome":"success"/)
  t.match(output, /"action":"read","outcome":"success"/)
  const delivered = await s3.client.listObjectsV2('sales', 'service-forecasts/', true).toArray() as Array<
    { name: string }
  >
  t.match(delivered.map(({ name }) => name), [/^service-forecasts\/\d{4}-\d\d-\d\d\/job_[0-9A-Z]{26}\.parquet$/])
})

t.test('a hierarchy has the forecasts that are shown', async (t) => {
  const [, output = ''] = await run(t, 'docs/guides/hierarchies.md')
  sameTable(t, cells(output), cells(namedBlock('docs/guides/hierarchies.md', 'hierarchy-output', '')))
  t.strictSame(
    incoherent(nodesOf(output.slice(output.indexOf('item_id,'))),
      (id) => id === 'total' ? undefined : id.includes('/') ? id.split('/')[0] : 'total'),
    []
  )
})

t.test('a sentence', async (t) => {
  const [output = ''] = await run(t, 'docs/guides/ask-in-a-sentence.md', { after: [definitions, stores] })
  t.match(output, /"recommended_config":\{"prediction_length":3,/)
  t.match(output, /"status":"completed"/)
  t.strictSame(cells(output).map((row) => row[0]), ['item_id', 'north', 'north', 'north', 'south', 'south', 'south'],
    'by region, for a quarter')
  t.match(output, /^item_id,timestamp,mean,0\.1,0\.5,0\.9$/m)
})

t.test('rows that are combined', async (t) => {
  const [output = ''] = await run(t, 'docs/guides/prepare-rows.md', { after: [definitions, sales] })
  t.match(output, /"series_before":1,"series_after":1,"rows_combined":160,/)
  t.strictSame(cells(output).slice(1).map((row) => row[1]), ['2026-01-01 00:00:00', '2026-04-01 00:00:00',
    '2026-07-01 00:00:00', '2026-10-01 00:00:00'], 'quarters')
})

t.test('holidays', async (t) => {
  const [output = ''] = await run(t, 'docs/guides/covariates.md')
  t.match(JSON.parse(output), {
    status: 'completed',
    external_covariate_metadata: {
      columns_added: ['holidays_is_holiday', 'holidays_is_observance', 'holidays_is_bridge_day']
    }
  })
})

t.test('analyses of a forecast', async (t) => {
  const folder = t.testdir({})
  const [output = ''] = await run(t, 'docs/guides/explain-a-forecast.md', { after: [definitions, sales], folder })
  t.match(JSON.parse(output), {
    status: 'completed',
    explainability: { skipped_analyses: { rolling_regression: 'disabled_by_operator' } }
  })
  const zip = readFileSync(join(folder, 'sales.zip'), 'latin1')
  for (const name of ['report.html', 'explainability/forecast_plot.html', 'explainability/shap_summary.svg']) {
    t.ok(zip.includes(name), name)
  }
})

t.test('a model of your own', async (t) => {
  const [training = '', use = ''] = await run(t, 'docs/guides/models-of-your-own.md')
  t.match(training, /"status":"completed"/)
  t.match(training, /"model_id":"ft_[0-9A-Z]{26}","name":"shops"/)
  t.match(training, /"freq":"D","prediction_length":14/)
  t.match(use, /"status":"completed"/)
  t.match(use, /"code":"unseen_series","count":10,/)
  t.equal(use.match(/^branch-\d+,2026-07-\d\d 00:00:00,/gm)?.length, 70)
})

t.test('a table', async (t) => {
  const folder = t.testdir({})
  const [output = ''] = await run(t, 'docs/guides/tables.md', { folder })
  t.match(output, /"job_type":"classification"/)
  t.match(output, /"num_samples":200,/)
  const table = output.slice(output.indexOf('row_index,')).trim().split('\n')
  t.equal(table[0], 'row_index,split,actual,prediction,confidence,probability_no,probability_yes')
  t.equal(table.length, 41)
  const right = table.slice(1).filter((line) => line.split(',')[2] === line.split(',')[3])
  t.ok(right.length >= 34, `${right.length} of 40 are right`)
  t.match(readFileSync(join(folder, 'report.html'), 'utf8'), /churned/)
})

t.test('the events of a job end with it', async (t) => {
  const [output = ''] = await run(t, 'docs/guides/callbacks-and-events.md', { after: [definitions, sales] })
  t.match(output, /event: state\ndata: \{"job_id":"job_[0-9A-Z]{26}","status":"completed"/)
})
