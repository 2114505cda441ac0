import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { BenchOptions } from '../bench.ts'
import { preparePanel } from '../engine/many-series.ts'
import { comparison, type Measurement } from '../result.ts'

interface Used {
  cpuSeconds: number
  mebibytes: number
}

/** One shard, whatever the panel. */
const wholeSeconds = '3600'
const usage = pathToFileURL(join('.cache', 'bench', 'bench', 'scale', 'usage.js')).href

/** Settings of the caller's shell must not reach the commands. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('TABCAST_'))
)

/**
 * `tabcast plan`, `shard` and `join`, one process after the other with one thread each, against one process for all
 * series: what it costs to cut a forecast into shards.
 */
export async function measureStages ({ trial, folder, log }: BenchOptions, python: string): Promise<Measurement[]> {
  const series = trial ? 2_500 : 250_000
  const file = await preparePanel(python, series, log)
  const run = async (args: string[], shardSeconds: string): Promise<Used> => {
    const path = join(folder, 'usage.json')
    await promisify(execFile)(process.execPath, ['--import', usage, join('dist', 'cli.js'), ...args], {
      env: { ...environment, TABCAST_SLOT_THREADS: '1', TABCAST_SHARD_SECONDS: shardSeconds, BENCH_USAGE_FILE: path }
    })
    const used = JSON.parse(readFileSync(path, 'utf8')) as Used
    log(`${args[0]}: ${JSON.stringify(used)}`)
    return used
  }
  const request = ['--horizon', '12', '--preset', 'fast']
  const alone = await run(['plan', file, ...request, '--out', join(folder, 'whole')], wholeSeconds)
  const planFolder = join(folder, 'plan')
  const plan = await run(['plan', file, ...request, '--out', planFolder], trial ? '0.1' : '15')
  const parts: Used[] = []
  const files = readdirSync(planFolder).filter((name) => name.startsWith('series-'))
  for (const [shard] of files.entries()) {
    const out = join(folder, 'parts', String(shard))
    mkdirSync(out, { recursive: true })
    parts.push(await run(
      ['shard', '--plan', join(planFolder, 'plan.bin'), '--shard', join(planFolder, `series-${shard}.bin`), '--out',
        out],
      wholeSeconds
    ))
  }
  const joined = await run(
    ['join', '--plan', join(planFolder, 'plan.bin'), '--parts', join(folder, 'parts'), '--out', join(folder, 'joined')],
    wholeSeconds
  )
  const all = [plan, ...parts, joined]
  const what = `fast: ${series.toLocaleString('en')} monthly series of 60 points`
  return [
    {
      ...comparison({
        what: `${what}, plan, ${parts.length} shards and join, a process each with one thread`,
        figure: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
        unit: 'CPU s',
        peer: { name: 'one process', figure: alone.cpuSeconds }
      }),
      gate: { atMost: 1.1 },
      aim: { atMost: 1.03 }
    },
    {
      what: `${what}: peak resident memory of a shard`,
      figure: Math.max(...parts.map(({ mebibytes }) => mebibytes)),
      unit: 'MiB'
    },
    { what: `${what}: peak resident memory of the plan`, figure: plan.mebibytes, unit: 'MiB' }
  ]
}
