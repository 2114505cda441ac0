import { rm } from 'node:fs/promises'
import { loadConfig } from '../platform/config.ts'
import { startHeartbeat } from '../platform/liveness/heartbeat.ts'
import type { JobHandle } from '../platform/queue/index.ts'
import { untilAborted } from '../platform/time/until-aborted.ts'
import { JobRun } from './job-run.ts'
import type { FromLoneWorker, LoneJob, ToLoneWorker } from './lone-messages.ts'
import { openRunContext } from './open-run-context.ts'
import { openSlotPool } from './open-slot-pool.ts'
import { niceness } from './priority.ts'
import type { RunContext } from './run-context.ts'

/*
 * Entry point of a worker process for a single run of a single job. It has its own connections to queue and store. It
 * tells the worker that holds the message whether to acknowledge it or give it back.
 */

const config = loadConfig()
startHeartbeat(config.LEASE_MS, process.ppid)

function send (message: FromLoneWorker): void {
  process.send?.(message)
}

type Told<Type> = Extract<ToLoneWorker, { type: Type }>

async function told<Type extends ToLoneWorker['type']> (type: Type): Promise<Told<Type>> {
  return await new Promise((resolve) => {
    const look = (message: ToLoneWorker): void => {
      if (message.type !== type) return
      process.off('message', look)
      resolve(message as Told<Type>)
    }
    process.on('message', look)
  })
}

/** The worker reserves the space, so that it counts together with that of its other sources. */
const scratchSpace: RunContext['scratchSpace'] = {
  async take (_tenant, bytes) {
    const answer = told('room')
    send({ type: 'room', bytes })
    const { none } = await answer
    return none ?? (() => send({ type: 'room', bytes: null }))
  }
}

async function run ({ workerId, run: granted, ...delivered }: LoneJob): Promise<void> {
  const context = { ...await openRunContext(config, workerId), scratchSpace, isAlone: true as const }
  const pool = openSlotPool(context, { slots: 1, smallOnly: 0, nice: niceness })
  const handle: JobHandle = {
    ...delivered,
    working: () => undefined,
    ack: () => send({ type: 'ended', end: { type: 'settled', how: 'ack' } }),
    nak: () => send({ type: 'ended', end: { type: 'settled', how: 'nak' } })
  }
  const slot = await pool.takeUntil('large', performance.now() + delivered.message.budgetMs)
  if (slot === undefined) handle.nak()
  else {
    const job = new JobRun(context, pool, handle, slot, {
      granted,
      onDeath: (cause) => send({ type: 'ended', end: { type: 'died', cause } }),
      onReading: () => send({ type: 'source', state: 'begun' }),
      async mayCompute (signal) {
        const isFree = told('slot')
        send({ type: 'source', state: 'read' })
        await untilAborted(isFree, signal)
      }
    })
    process.on('message', (message: ToLoneWorker) => {
      if (message.type === 'stop') job.stop(message.reason)
    })
    await job.finish()
  }
  await Promise.all([context.queue.close(), pool.stop(), rm(context.scratch, { recursive: true, force: true })])
}

process.once('message', (message: ToLoneWorker) => {
  if (message.type !== 'job') return
  run(message.job).then(() => process.exit(0), (error: unknown) => {
    process.stderr.write(`worker: ${String(error)}\n`)
    process.exit(1)
  })
})
// Without its worker nobody keeps the lease, and another worker will run the job.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// A signal to the process group is for the worker to answer.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
