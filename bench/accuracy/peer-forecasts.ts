import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { namePeer, runPython } from '../peers/python.ts'

const cache = join('.cache', 'bench', 'peers')
const script = join('bench', 'peers', 'statsforecast_bands.py')
/** What computes the forecasts; other packages of the environment do not. */
const packages = ['statsforecast', 'coreforecast', 'numpy', 'scipy']

export interface PeerOptions {
  python: string
  trainPath: string
  horizon: number
  season: number
  sample: number
  models: string[]
  log: (line: string) => void
}

/**
 * Path of the peers' forecasts, which take minutes and are the same in every run: they are kept under a name that
 * depends on the data, the script, the packages that compute them and the options.
 */
export async function forecastPeers (
  { python, trainPath, horizon, season, sample, models, log }: PeerOptions
): Promise<string> {
  const options = [horizon, season, sample].map(String)
  const hash = createHash('sha256')
  for (const path of [trainPath, script]) hash.update(readFileSync(path))
  hash.update(JSON.stringify([...packages.map((name) => namePeer(name)), ...options, ...models]))
  const path = join(cache, `${hash.digest('hex')}.parquet`)
  if (existsSync(path)) return path
  mkdirSync(cache, { recursive: true })
  const unfinished = `${path}.unfinished`
  const { series, cpu_seconds: seconds } = await runPython<{ series: number, cpu_seconds: number }>(
    python,
    [script, trainPath, ...options, unfinished, ...models],
    { OMP_NUM_THREADS: '1' }
  )
  renameSync(unfinished, path)
  log(`statsforecast ${models.join(', ')}: ${series} series in ${seconds.toFixed(0)} CPU seconds`)
  return path
}
