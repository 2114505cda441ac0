import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ForecastClient, type Job } from '../forecast-client.ts'
import { readColumn, splitRow } from '../forecast-table.ts'
import { sparkline } from '../sparkline.ts'
import { loadIndustries } from './industries.ts'
import { startPrivateService, type PrivateService } from './private-service.ts'

const horizon = 12
const shownMonths = 48
const stageOrder = ['queue', 'ingest', 'validate', 'fit', 'predict', 'write', 'total']
/** Kept after the demo, so that the printed curl lines work as they are. */
const keptFolder = join('.cache', 'demo')

const print = (line = '') => process.stdout.write(line + '\n')

async function timed<T> (what: string, work: () => Promise<T>): Promise<T> {
  const startMs = performance.now()
  const result = await work()
  print(`${what.padEnd(44)} ${((performance.now() - startMs) / 1000).toFixed(3).padStart(8)} s`)
  return result
}

async function forecastIndustries (service: PrivateService): Promise<void> {
  const { csv, history } = loadIndustries()
  const inputPath = join(keptFolder, 'unemployment.csv')
  const outputPath = join(keptFolder, 'forecast.csv')
  mkdirSync(keptFolder, { recursive: true })
  writeFileSync(inputPath, csv)

  const client = new ForecastClient({ baseUrl: service.baseUrl, key: await service.createKey('demo') })
  const observations = csv.split('\n').length - 2
  const upload = { filename: 'unemployment.csv', body: new Blob([csv], { type: 'text/csv' }) }
  const submitted = await timed(`upload ${history.size} series, ${observations} rows`,
    async () => await client.submit(upload, { prediction_length: String(horizon) }))
  const job = await timed('wait for the forecast (long poll)',
    async () => await client.waitForForecast(submitted.job_id))
  const forecast = await timed('download the table', async () => await client.downloadCsv(job.job_id))
  writeFileSync(outputPath, forecast)

  printStages(job)
  print('\nFirst rows, rounded')
  const [header = '', ...rows] = forecast.split('\n').slice(0, 5)
  print(alignRow(splitRow(header)))
  for (const row of rows) {
    print(alignRow(splitRow(row).map((cell, column) => column < 2 ? cell : Number(cell).toFixed(1))))
  }
  print(`  all digits: ${outputPath}`)

  print(`\nUnemployed persons, the last ${shownMonths} months │ the next ${horizon}`)
  const means = readColumn(forecast, 'mean')
  const width = Math.max(...[...history.keys()].map((name) => name.length))
  for (const [name, values] of history) {
    const mean = means.get(name)
    if (!mean) throw new Error(`the forecast has no rows for ${name}`)
    print(
      `  ${name.padEnd(width)}  ${sparkline(values.slice(-shownMonths), mean)}  ${mean.at(-1)?.toFixed(0).padStart(5)}k`
    )
  }
  printCurlLines(inputPath)
}

function alignRow ([item = '', stamp = '', ...numbers]: string[]): string {
  return ['', item.padEnd(12), stamp.padEnd(19), ...numbers.map((cell) => cell.padStart(7))].join('  ')
}

function printStages (job: Job): void {
  print('\nStages of the job')
  for (const stage of stageOrder) {
    const seconds = job.timings?.[stage]
    if (seconds !== undefined) print(`  ${stage.padEnd(42)} ${seconds.toFixed(3).padStart(8)} s`)
  }
}

function printCurlLines (inputPath: string): void {
  print(`
The same by hand
  ./tabcast serve &
  KEY=$(./tabcast keys create --tenant demo | tail -1)
  curl -s -H "Authorization: Bearer $KEY" -F prediction_length=${horizon} -F file=@${inputPath} http://127.0.0.1:8080/forecast
  curl -s -H "Authorization: Bearer $KEY" 'http://127.0.0.1:8080/jobs/JOB_ID?wait=30'   # until "status":"completed"
  curl -s -H "Authorization: Bearer $KEY" 'http://127.0.0.1:8080/jobs/JOB_ID/download?format=csv'`)
}

/** Turns Ctrl-C into a failure, so that the service is stopped and its folder removed. */
async function interruption (): Promise<never> {
  return await new Promise((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM']) {
      process.once(signal, () => reject(new Error(`interrupted by ${signal}`)))
    }
  })
}

const folder = mkdtempSync(join(tmpdir(), 'tabcast-demo-'))
let service: PrivateService | undefined
const demonstrate = async (): Promise<void> => {
  service = await timed('start api, queue and worker', async () => await startPrivateService({ folder }))
  await forecastIndustries(service)
}
try {
  await Promise.race([demonstrate(), interruption()])
} catch (error) {
  process.stderr.write(`\nThe demo failed: ${(error as Error).message}\n${service ? service.logTail(20) + '\n' : ''}`)
  process.exitCode = 1
} finally {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
}
