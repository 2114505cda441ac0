import t from 'tap'
import { csv, series } from '../support/csv.ts'
import { signal } from '../support/processes.ts'
import { Client, startService, type Job } from '../support/service.ts'
import { until } from '../support/until.ts'

/*
 * Each process is asked to end, one after the other, while clients work: whoever is not served is told when to come
 * again.
 */

const service = await startService({ TABCAST_RATE_LIMITS: 'false', TABCAST_SLOT_THREADS: '1' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))
const table = csv(series({ length: 30 }))

interface Tally {
  served: number
  postponed: number
  wrong: string[]
  jobs: string[]
}

/** Creates and reads jobs until it is told to stop, over connections that are kept. */
async function work (tally: Tally, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      const answer = tally.jobs.length > 0 && tally.served % 4 !== 0
        ? await client.request('GET', `/jobs/${tally.jobs.at(-1)}`)
        : await client.submit(table, { prediction_length: '2', presets: 'fast' })
      const body = await answer.json() as Job
      if (answer.status === 202) tally.jobs.push(body.job_id)
      if (answer.ok) tally.served++
      else if (answer.status === 503 && answer.headers.get('retry-after') !== null) tally.postponed++
      else tally.wrong.push(`${answer.status} ${JSON.stringify(body)}`)
    } catch (error) {
      tally.wrong.push(`${(error as Error).message}: ${String((error as Error).cause)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

t.test('api, worker and queue are restarted under load', async (t) => {
  const tally: Tally = { served: 0, postponed: 0, wrong: [], jobs: [] }
  let isOver = false
  const working = Promise.all(Array.from({ length: 6 }, async () => await work(tally, () => isOver)))
  const progress = async (): Promise<void> => {
    const before = tally.served
    await until('requests are served', () => tally.served > before + 20, 60_000)
  }
  await progress()
  for (const role of ['api', 'worker', 'nats', 'api'] as const) {
    const old = service.pids(role)
    for (const pid of old) signal(pid, 'SIGTERM')
    await until(`another ${role}`, () => service.pids(role).some((pid) => !old.includes(pid)), 60_000)
    await progress()
    const wrong = tally.wrong.splice(0)
    t.strictSame(wrong.slice(0, 3), [],
      `${role}: ${wrong.length} answers that are neither the service's nor a 503 that says when to come again`)
  }
  isOver = true
  await working
  t.comment(`${tally.served} served, ${tally.postponed} asked to come again, ${tally.jobs.length} jobs`)
  for (const jobId of tally.jobs) {
    if ((await client.ended(jobId)).status !== 'completed') t.fail(`${jobId} did not complete`)
  }
})
