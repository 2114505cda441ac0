import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import type { BenchOptions } from '../bench.ts'
import { buildForm, LoadClient } from '../http/load-client.ts'
import { generatePanel } from '../panel.ts'
import { median } from '../quantile.ts'
import { comparison, type Measurement } from '../result.ts'

const clients = 16
const rounds = 5

/** How long the only job of a tenant waits while another one has thousands in the queue. */
export async function measureTenants ({ trial, folder, log }: BenchOptions): Promise<Measurement[]> {
  const queued = trial ? 50 : 10_000
  const service = await startPrivateService({
    folder: join(folder, 'tenants'),
    command: join('dist', 'cli.js'),
    settings: {
      TABCAST_MAX_QUEUED: '50000',
      TABCAST_MAX_QUEUED_PER_TENANT: '20000',
      TABCAST_RATE_LIMITS: 'false'
    }
  })
  const [many, single] = await Promise.all(
    ['many', 'single'].map(async (tenant) => new LoadClient(service.baseUrl, await service.createKey(tenant)))
  ) as [LoadClient, LoadClient]
  try {
    const form = buildForm({ presets: 'best', prediction_length: '28' },
      generatePanel({ series: 3, length: 400, step: 'day', seasonLength: 7 }))
    let left = queued
    await Promise.all(Array.from({ length: clients }, async () => {
      while (left-- > 0) await many.submit(form)
    }))
    const tookMs: number[] = []
    const waitedMs: number[] = []
    for (let round = 0; round < rounds; round++) {
      const submittedMs = performance.now()
      const jobId = await single.submit(form)
      while (await single.status(jobId) === 'pending') await sleep(5)
      const startedMs = performance.now()
      waitedMs.push(startedMs - submittedMs)
      while (await single.status(jobId, 30) !== 'completed');
      tookMs.push(performance.now() - startedMs)
    }
    log(`waited ${waitedMs.map(Math.round).join(' ')} ms, ran ${tookMs.map(Math.round).join(' ')} ms`)
    return [{
      ...comparison({
        what: `the only job of a tenant, submit to running, while another tenant has ${
          queued.toLocaleString('en')
        } in the queue, slowest of ${rounds}`,
        figure: Math.max(...waitedMs),
        unit: 'ms',
        peer: { name: 'its run', figure: median(tookMs) }
      }),
      gate: { atMost: 2 },
      aim: { atMost: 1 }
    }]
  } finally {
    many.close()
    single.close()
    await service.stop()
  }
}
