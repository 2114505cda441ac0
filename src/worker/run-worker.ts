import { rm } from 'node:fs/promises'
import type { Logger } from 'pino'
import { ulid } from 'ulid'
import { ConfigError, type Config } from '../platform/config.ts'
import { EventLoopWatch } from '../platform/event-loop/event-loop-watch.ts'
import { isRemoteStore } from '../platform/store/store-config.ts'
import { ConnectorDesk } from './connector-desk.ts'
import { Conversions } from './conversions.ts'
import { Deliveries } from './deliveries.ts'
import { inspectSources } from './inspect-sources.ts'
import { JobIntakeLoop } from './job-intake-loop.ts'
import { openRunContext } from './open-run-context.ts'
import { openSlotPool } from './open-slot-pool.ts'
import { Presence } from './presence.ts'
import { niceness } from './priority.ts'
import { QuickChecks } from './quick-checks.ts'
import { QuickPreviews } from './quick-previews.ts'
import { QuickProfiles } from './quick-profiles.ts'
import { QuickSlots } from './quick-slots.ts'
import type { RunContext } from './run-context.ts'
import { ShardIntakeLoop } from './shards/shard-intake-loop.ts'
import type { SlotPool } from './slot-pool.ts'
import { Vitals } from './vitals.ts'

/**
 * A quick task wears its process less than a job. Otherwise one tenant's many small previews would make another wait
 * for new processes again and again.
 */
const quickTasksPerJob = 10

/**
 * The worker process. Resolves when it has been asked to stop (SIGTERM, SIGINT, or the end of the process that started
 * it) and has finished its jobs or given them back. It moves bytes and messages; all computing happens in its slots.
 */
export async function runWorker (config: Config): Promise<void> {
  if (config.NATS_URL === '') throw new ConfigError('TABCAST_NATS_URL: a worker needs the address of the queue')
  const stopped = stopRequested()
  const context = await openRunContext(config, ulid())
  const { queue, log } = context
  warnIfAlone(config, log)

  const { slots, quickPool } = openPools(context)
  const quickSlots = new QuickSlots(context, quickPool)
  const checks = new QuickChecks(context, quickSlots)
  const previews = new QuickPreviews(context, quickSlots)
  const profiles = new QuickProfiles(context, quickSlots)
  const conversions = new Conversions(context)
  const connectors = new ConnectorDesk(context, inspectSources(quickSlots))
  const deliveries = new Deliveries(context)
  const jobs = new JobIntakeLoop(context, slots)
  const shards = new ShardIntakeLoop(context, slots, jobs)
  const eventLoop = new EventLoopWatch()
  const vitals = new Vitals([slots, quickPool], context.covariates.network.requests, eventLoop)
  const presence = new Presence(context, slots, jobs, shards, vitals)
  slots.onChange(() => {
    presence.changed()
    jobs.wake()
    shards.wake()
  })
  const stopServing = [
    queue.serveQuick((request) => checks.handle(request)),
    queue.serveQuickPreview((request) => previews.handle(request)),
    queue.serveQuickProfile((request) => profiles.handle(request)),
    queue.serveQuickConvert((request) => conversions.handle(request)),
    queue.serveQuickConnector((request) => connectors.handle(request)),
    queue.serveQuickDeliver((request) => deliveries.handle(request))
  ]
  const refresher = setInterval(() => {
    slots.refresh()
    quickPool.refresh()
    vitals.sample()
  }, config.HEARTBEAT_MS)
  queue.onConnection((connected) => {
    if (connected) presence.changed()
  })
  queue.onRollCall(() => presence.changed())
  log.info({ slots: config.SLOTS }, 'worker started')
  eventLoop.start(config.LOG_LEVEL, { role: 'worker', workerId: context.workerId })

  log.info({ reason: await stopped }, 'worker stops')
  await eventLoop.stop()
  for (const stop of stopServing) stop()
  presence.drain()
  await Promise.all([jobs.stop(config.DRAIN_MS), shards.stop(), quickSlots.idle(), conversions.idle(),
    connectors.idle(), deliveries.idle()])
  clearInterval(refresher)
  presence.stop()
  await queue.close()
  await Promise.all([jobs.ended(), shards.ended()])
  await Promise.all([slots.stop(), quickPool.stop()])
  await rm(context.scratch, { recursive: true, force: true })
  log.info({}, 'worker stopped')
}

function openPools (context: RunContext): { slots: SlotPool, quickPool: SlotPool } {
  const { config: { SLOTS, CHECK_SLOTS } } = context
  const nice = { small: niceness.quick, any: niceness.quick }
  return {
    slots: openSlotPool(context, { slots: SLOTS, smallOnly: SLOTS >= 2 ? 1 : 0, nice: niceness }),
    quickPool: openSlotPool(context, { slots: CHECK_SLOTS, smallOnly: 0, nice }, quickTasksPerJob)
  }
}

async function stopRequested (): Promise<string> {
  return await new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(name, () => resolve(name))
  })
}

/** Workers that `serve` starts have its data folder, and messages tell them when to stop. */
function warnIfAlone (config: Config, log: Logger): void {
  if (process.send !== undefined || isRemoteStore(config) || config.SHARED_DATA_DIR) return
  log.warn(
    'neither TABCAST_S3_ENDPOINT nor TABCAST_SHARED_DATA_DIR is set: files of an api on another host cannot be read'
  )
}
