import t from 'tap'
import { signal } from '../support/processes.ts'
import { Client, panelCsv, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/* Deployments that follow each other while a job runs that takes longer than a worker may take to stop. */

t.test('five orderly stops, one of them of the whole service, cost a long job its time and nothing else', async (t) => {
  const service = await startService({
    TABCAST_LEASE_MS: '2000',
    TABCAST_HEARTBEAT_MS: '300',
    TABCAST_RECONCILE_MS: '300',
    TABCAST_CLAIM_TIMEOUT_MS: '2000',
    TABCAST_DRAIN_MS: '100',
    TABCAST_WORKERS: '1',
    TABCAST_SLOTS: '2',
    TABCAST_SLOT_THREADS: '1',
    TABCAST_RATE_LIMITS: 'false'
  })
  t.teardown(service.cleanup)
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  const { job_id: jobId } = await client.submitted(panelCsv(800, 120), { prediction_length: '12', presets: 'balanced' })
  const lines = (text: string) => service.log().split('\n').filter((line) => line.includes(text)).length
  for (let stop = 1; stop <= 5; stop++) {
    // Of a run whose claim no api answered, the stage is not known.
    const knownMs = performance.now() + 4_000
    await until('the job computes', async () => {
      const job = await client.job(jobId).catch(() => undefined)
      if (job?.status === 'completed' || job?.status === 'failed') {
        throw new Error(`the job ended too early: ${job.status} ${job.error}`)
      }
      const { stage = 'queue' } = (job?.['progress'] ?? {}) as { stage?: string }
      return job?.status === 'running' && (!['queue', 'running'].includes(stage) || performance.now() > knownMs)
    }, 60_000)
    if (stop === 3) {
      await service.restart()
    } else {
      const old = service.pids('worker')
      for (const pid of old) signal(pid, 'SIGTERM')
      await until('another worker', () => service.pids('worker').some((pid) => !old.includes(pid)), 60_000)
    }
  }
  const job = await client.ended(jobId)
  t.match(job, { status: 'completed', error: null })
  t.equal(lines('job runs in a worker of its own'), 0, 'the job is in no quarantine')
  // Of a run that started while no api answered, the api knows nothing.
  t.ok(lines('"reason":"stopping","msg":"run given back"') >= 2)
})
