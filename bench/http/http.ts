import { join } from 'node:path'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import type { Bench } from '../bench.ts'
import { generatePanel } from '../panel.ts'
import type { Measurement } from '../result.ts'
import { measureBusyService } from './busy-service.ts'
import { measureIdleSockets } from './idle-sockets.ts'
import { buildForm, LoadClient } from './load-client.ts'
import { measureReadRate } from './read-rate.ts'
import { measureIdleLatency, measureSmallJobs } from './small-jobs.ts'
import { measureUploadMemory } from './upload-memory.ts'

/** The service as `tabcast serve` runs it, over real sockets; only the rate limits are off, and two slots are set. */
export const benchHttp: Bench = async ({ trial, folder, log }) => {
  const service = await startPrivateService({
    folder,
    command: join('dist', 'cli.js'),
    settings: { TABCAST_RATE_LIMITS: 'false', TABCAST_SLOTS: '2' }
  })
  const client = new LoadClient(service.baseUrl, await service.createKey('bench'))
  const rows: Measurement[] = []
  try {
    const form = buildForm({ prediction_length: '12' },
      generatePanel({ series: 1, length: 200, step: 'day', seasonLength: 7 }))
    const completedJobId = await client.forecast(form)
    // The first jobs pay for the compilation of the service's own code.
    for (let warmUp = 0; warmUp < 20; warmUp++) await client.forecast(form)

    log('latency of one job on an idle service')
    rows.push(...await measureIdleLatency(client, trial))
    log('rate of reads')
    rows.push(await measureReadRate(client, service.baseUrl, completedJobId, trial))
    log('reads beside idle connections')
    rows.push(await measureIdleSockets(client, service.baseUrl, completedJobId, trial))
    log('rate of small jobs')
    rows.push(...await measureSmallJobs(client, service.pid, trial))
    log('reads and small jobs beside a large job')
    rows.push(...await measureBusyService(client, completedJobId, trial))
    log('memory of a large upload')
    rows.push(...await measureUploadMemory(client, service.pid, trial))
    return rows
  } catch (error) {
    log(`the end of the service's log:\n${service.logTail(20)}`)
    throw error
  } finally {
    client.close()
    await service.stop()
  }
}
