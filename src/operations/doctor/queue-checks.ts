import type { ApiQueue } from '../../platform/queue/index.ts'
import type { JobService } from '../../services/jobs/job-service.ts'
import { check, fail, ok, skewCheck, warn, type Check } from './check.ts'

/** Checks of the queue and the workers that only a running api can make. */
export async function queueChecks ({ jobs, queue }: { jobs: JobService, queue: ApiQueue }): Promise<Check[]> {
  const { connected, workers, slots, freeSlots } = jobs.state()
  const workersCheck = workers > 0
    ? ok('workers',
      `workers: ${workers}; slots: ${slots}, of which ${freeSlots} are free and ${slots - freeSlots} busy`)
    : fail('workers', 'workers: 0: no job can run',
      'start tabcast worker, or raise TABCAST_WORKERS; a worker whose settings name another queue is not seen')
  if (!connected) {
    return [workersCheck,
      fail('queue', 'the api is not connected',
        'see its log for "queue not reachable"; check TABCAST_NATS_URL and TABCAST_NATS_TOKEN')]
  }
  const remedy = 'see the log of the api and of the nats-server'
  return [
    workersCheck,
    await check('queue', remedy, async () => {
      const { serverVersion, jobMessages, eventMessages, shardMessages, missingConsumers } = await queue.streamState()
      const message =
        `nats-server ${serverVersion}; ${jobMessages} job messages, ${eventMessages} events, ${shardMessages} shards`
      return missingConsumers.length === 0
        ? ok('queue', message)
        : fail('queue', `${message}; no consumer ${missingConsumers.join(', ')}`,
          'restart the api, which makes them anew')
    }),
    await check('clock_queue', remedy, async () => {
      const sentMs = Date.now()
      const { serverTimeMs } = await queue.streamState()
      if (serverTimeMs === null) {
        return warn('clock_queue', 'the server does not say its time', 'compare its clock by hand')
      }
      return skewCheck('clock_queue', 'the nats-server', serverTimeMs, (sentMs + Date.now()) / 2)
    }),
    await check('jobs', remedy, async () => {
      const { open, waiting, published, running, withoutMessage, withoutRecord, quarantined } = await jobs
        .compareWithQueue()
      const message = [
        `${open} open: ${running} running, ${published} in the queue, ${waiting} in the backlog`,
        ...withoutRecord === 0 ? [] : [`${withoutRecord} messages of jobs that are over, which workers drop`],
        ...quarantined.length === 0
          ? []
          : [`in quarantine, as workers were lost with them: ${quarantined.slice(0, 5).join(', ')}`]
      ].join('; ')
      if (withoutMessage.length === 0) return ok('jobs', message)
      return warn('jobs',
        `${message}; ${withoutMessage.length} without a message: ${withoutMessage.slice(0, 5).join(', ')}`,
        'the reconciler sends them again within a lease; tabcast redrive does it now')
    })
  ]
}
