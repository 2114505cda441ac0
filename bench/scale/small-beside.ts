import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import type { BenchOptions } from '../bench.ts'
import { buildForm, LoadClient, type Form } from '../http/load-client.ts'
import { generatePanel } from '../panel.ts'
import { quantile } from '../quantile.ts'
import { comparison, type Measurement } from '../result.ts'

const startLimitMs = 60_000

/** Small jobs at a steady rate, while nothing else runs and while a large job does. */
export async function measureSmallBeside ({ trial, folder, log }: BenchOptions): Promise<Measurement[]> {
  const service = await startPrivateService({ folder: join(folder, 'beside'), command: join('dist', 'cli.js') })
  const client = new LoadClient(service.baseUrl, await service.createKey('bench'))
  try {
    const small = buildForm({ presets: 'fast', prediction_length: '12' },
      generatePanel({ series: 10, length: 200, step: 'day', seasonLength: 7 }))
    const seconds = trial ? 3 : 60
    // What a new service does first is not counted.
    await steadily(client, small, trial ? 1 : 10)
    const idleMs = await steadily(client, small, seconds)
    const series = trial ? 5_000 : 100_000
    const large = await client.submit(
      buildForm({ presets: 'best', prediction_length: '12' },
        generatePanel({ series, length: 60, step: 'month', seasonLength: 12 }))
    )
    const deadline = performance.now() + startLimitMs
    while (await client.status(large) !== 'running') {
      if (performance.now() > deadline) throw new Error('the large job did not start')
      await sleep(50)
    }
    const besideMs = await steadily(client, small, seconds)
    if (await client.status(large) !== 'running') throw new Error('the large job ended too early: make it larger')
    await client.delete(large)
    log(`idle ${idleMs.length} jobs, beside ${besideMs.length} jobs`)
    const what = `${jobsPerSecond} jobs a second of 10 series x 200 points, fast, submit to completed`
    const [idle, beside] = [idleMs, besideMs].map((ms) => quantile(ms, 0.99)) as [number, number]
    return [
      {
        ...comparison({
          what: `${what}, p99 while a job of ${series.toLocaleString('en')} series runs, best`,
          figure: beside,
          unit: 'ms',
          peer: { name: 'the same on an idle service', figure: idle }
        }),
        gate: { atMost: 5 },
        aim: { atMost: 2 }
      },
      { what: `${what}, p50 beside that job`, figure: quantile(besideMs, 0.5), unit: 'ms' }
    ]
  } finally {
    client.close()
    await service.stop()
  }
}

const jobsPerSecond = 5

/** Starts a job at each tick, whether or not the one before is done; returns how long each took. */
async function steadily (client: LoadClient, form: Form, seconds: number): Promise<number[]> {
  const tookMs: number[] = []
  const jobs: Array<Promise<void>> = []
  const beganMs = performance.now()
  for (let number = 0; number < seconds * jobsPerSecond; number++) {
    await sleep(Math.max(0, beganMs + number * 1000 / jobsPerSecond - performance.now()))
    const submittedMs = performance.now()
    jobs.push(client.forecast(form).then(() => {
      tookMs.push(performance.now() - submittedMs)
    }))
  }
  await Promise.all(jobs)
  return tookMs
}
