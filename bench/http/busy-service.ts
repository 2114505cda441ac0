import { setTimeout as sleep } from 'node:timers/promises'
import { generatePanel } from '../panel.ts'
import { quantile } from '../quantile.ts'
import type { Measurement } from '../result.ts'
import { buildForm, type Form, type LoadClient } from './load-client.ts'

const startLimitMs = 60_000

async function startLargeJob (client: LoadClient, trial: boolean): Promise<string> {
  const series = trial ? 4_000 : 40_000
  const form = buildForm({ presets: 'best', prediction_length: '48' },
    generatePanel({ series, length: 250, step: 'day', seasonLength: 7 }))
  const jobId = await client.submit(form)
  const deadline = performance.now() + startLimitMs
  while (await client.status(jobId) !== 'running') {
    if (performance.now() > deadline) throw new Error('the large job did not start')
    await sleep(50)
  }
  return jobId
}

/** Submits small jobs one after the other, so that the second slot computes too, until the signal aborts. */
async function keepSmallSlotBusy (client: LoadClient, form: Form, signal: AbortSignal): Promise<number> {
  let jobs = 0
  while (!signal.aborted) {
    await client.forecast(form)
    jobs++
  }
  return jobs
}

/** Reads and small jobs while a job that runs for a long time holds the other slot. */
export async function measureBusyService (client: LoadClient, completedJobId: string,
  trial: boolean): Promise<Measurement[]> {
  const largeJobId = await startLargeJob(client, trial)
  const small = buildForm({ presets: 'fast', prediction_length: '12' },
    generatePanel({ series: 10, length: 200, step: 'day', seasonLength: 7 }))

  const behindMs: number[] = []
  for (let repetition = 0; repetition < (trial ? 3 : 15); repetition++) {
    const startMs = performance.now()
    await client.forecast(small)
    behindMs.push(performance.now() - startMs)
  }

  // Counts as small, but takes some half a second, so that the second slot computes most of the time.
  const filler = buildForm({ presets: 'balanced', prediction_length: '48' },
    generatePanel({ series: 23, length: 240, step: 'month', seasonLength: 12 }))
  const stop = new AbortController()
  const feeding = keepSmallSlotBusy(client, filler, stop.signal)
  const readsMs: number[] = []
  const endMs = performance.now() + (trial ? 3_000 : 20_000)
  while (performance.now() < endMs) {
    const startMs = performance.now()
    await client.status(completedJobId)
    readsMs.push(performance.now() - startMs)
    await sleep(5)
  }
  stop.abort()
  await feeding
  const state = await client.status(largeJobId)
  if (state !== 'running') throw new Error(`the large job was ${state} before the measurement ended: make it larger`)
  await client.delete(largeJobId)

  return [
    {
      what: `GET /jobs/{id} while both slots compute, p99 of ${readsMs.length}`,
      figure: quantile(readsMs, 0.99),
      unit: 'ms',
      gate: { atMost: 20 }
    },
    {
      what: `a small job behind a job of minutes to hours, slowest of ${behindMs.length}`,
      figure: quantile(behindMs, 1) / 1000,
      unit: 's',
      gate: { atMost: 2 }
    }
  ]
}
