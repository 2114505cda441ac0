import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { repeat } from '../time/repeat.ts'
import { DueLanes } from './due-lanes.ts'
import type { DueTable, DueTask, Lane } from './due-table.ts'

/** How to work off the tasks of a table, in lanes that must not hold each other up. */
export interface DueWork<Value> {
  /** The name in the log. */
  name: string
  table: Pick<DueTable<Value>, 'onDue' | 'lanes' | 'due' | 'nextDueMs'>
  /**
   * How many tasks of a lane are looked at, those in progress among them; must exceed the number that may be in
   * progress in a lane.
   */
  mostListed: number
  /**
   * How many attempts may be in progress: in all, and of one tenant. A tenant without one may start one beyond `most`,
   * up to twice as many in all. Otherwise two tenants whose attempts hang would hold up everybody.
   */
  most: number
  mostOfTenant: number
  /** Whether the tenant may start one now; absent: always. It is asked again at each look. */
  mayStart?: (tenant: string) => boolean
  /** Whether another task may start in this lane beside those in progress; absent: always. */
  hasRoom?: (lane: Lane, underWay: readonly Lane[]) => boolean
  /** When the lane's next task may start, by Date.now; absent: now. */
  pausedUntilMs?: (lane: Lane, nowMs: number) => number
  /** Whether this task may start now; absent: always. It is asked again when another task of its lane has ended. */
  isFree?: (task: DueTask<Value>) => boolean
  /** Makes one attempt and records its outcome, so that the task is no longer due, or due later. */
  attempt(task: DueTask<Value>, signal: AbortSignal): Promise<void>
}

const lookMs = 250
/**
 * Pause after an attempt whose outcome could not be recorded; without it, the attempt would be repeated at once, over
 * and over.
 */
const notNotedMs = 5_000
/** An announced task can be read only after its commit. Until then its lane is looked at again, for this long. */
const commitMs = 10_000
/** How many lanes one look makes ready, and how many it reads, because the event loop has other work too. */
const [mostTaken, mostServed] = [5_000, 200]
/** How long attempts may compute in one turn of the event loop, before they first wait for something. */
const startingMs = 5
/**
 * How many lanes of the table one look walks through: more at first, to find those that an earlier process left, fewer
 * later, to find any that was missed. Each costs a read of some microseconds.
 */
const walked = { first: 1_000, later: 100 }

/**
 * Works off due tasks. The table is the queue: tasks in progress when the process dies are still in it, and are
 * attempted again.
 */
export class DueRunner<Value> {
  readonly #work: DueWork<Value>
  readonly #log: Logger
  readonly #expected: DueLanes<Lane>
  /** Lanes with due tasks, by tenant; tenants and lanes in the order of their turns. */
  readonly #ready = new Map<string, Map<string, Lane>>()
  /** When something is due that may not be in the table yet, by lane. */
  readonly #announced = new Map<string, number>()
  readonly #inFlight = new Map<string, { lane: Lane, done: Promise<void> }>()
  /** Attempts in progress, by tenant. */
  readonly #ofTenant = new Map<string, number>()
  readonly #stopping = new AbortController()
  readonly #looking: { stop: () => Promise<void> }
  #walk: { after: Lane | undefined, most: number } = { after: undefined, most: walked.first }
  #lookingAgain: NodeJS.Immediate | undefined

  constructor (work: DueWork<Value>, log: Logger) {
    this.#work = work
    this.#log = log
    this.#expected = new DueLanes(idOf)
    work.table.onDue((lane, dueMs) => this.#announce(lane, dueMs))
    this.#looking = repeat(work.name, lookMs, log, async () => this.#look())
  }

  /** Aborts the attempts in progress; they are made again after the next start. */
  async stop (): Promise<void> {
    this.#stopping.abort()
    await this.#looking.stop()
    await Promise.all([...this.#inFlight.values()].map(({ done }) => done))
    clearImmediate(this.#lookingAgain)
  }

  /** A task that is due then is being written to the lane. */
  #announce (lane: Lane, dueMs: number): void {
    const id = idOf(lane)
    this.#announced.set(id, Math.min(dueMs, this.#announced.get(id) ?? Infinity))
    this.#expected.expect(lane, dueMs)
  }

  #look (): void {
    this.#walkOn()
    for (const lane of this.#expected.take(Date.now(), mostTaken)) this.#makeReady(lane)
    this.#startDue()
  }

  #walkOn (): void {
    const { after, most } = this.#walk
    let left = most
    for (const { lane, dueMs } of this.#work.table.lanes(after)) {
      this.#expected.expect(lane, dueMs)
      this.#walk = { after: lane, most }
      if (--left === 0) return
    }
    this.#walk = { after: undefined, most: walked.later }
  }

  #makeReady (lane: Lane): void {
    const [tenant] = lane
    const lanes = this.#ready.get(tenant)
    if (lanes === undefined) this.#ready.set(tenant, new Map([[idOf(lane), lane]]))
    else lanes.set(idOf(lane), lane)
  }

  /**
   * Serves one lane of each tenant in turn while there is room. A tenant with many lanes delays another by one turn
   * only.
   */
  #startDue (): void {
    let served = 0
    const untilMs = performance.now() + startingMs
    for (let before = -1; before < served;) {
      before = served
      for (const [tenant, lanes] of [...this.#ready]) {
        if (this.#inFlight.size >= 2 * this.#work.most) return
        if (served >= mostServed || (served > 0 && performance.now() > untilMs)) return this.#lookAgain()
        if (!this.#serveOne(tenant, lanes, untilMs)) continue
        served++
        this.#ready.delete(tenant)
        // Re-inserted at the end, so that other tenants come first.
        if (lanes.size > 0) this.#ready.set(tenant, lanes)
      }
    }
  }

  /** False if none of the tenant's lanes has room. */
  #serveOne (tenant: string, lanes: Map<string, Lane>, untilMs: number): boolean {
    if (!this.#hasPlace(tenant)) return false
    for (const [id, lane] of lanes) {
      if (!this.#hasRoom(lane)) continue
      lanes.delete(id)
      if (this.#serve(lane, untilMs)) lanes.set(id, lane)
      return true
    }
    return false
  }

  /** Starts the lane's due tasks; true if some have to wait for room, or for the next turn of the event loop. */
  #serve (lane: Lane, untilMs: number): boolean {
    const nowMs = Date.now()
    let isStarted = false
    const { table, mostListed, isFree } = this.#work
    for (const task of table.due(lane, nowMs, mostListed)) {
      const pausedUntilMs = this.#work.pausedUntilMs?.(lane, nowMs) ?? nowMs
      if (pausedUntilMs > nowMs) {
        this.#expected.expect(lane, pausedUntilMs)
        return false
      }
      if (this.#inFlight.has(task.id) || isFree?.(task) === false) continue
      if (!this.#hasRoom(lane) || (isStarted && performance.now() > untilMs)) return true
      this.#start(task)
      isStarted = true
    }
    const nextMs = table.nextDueMs(lane, nowMs)
    if (nextMs !== undefined) this.#expected.expect(lane, nextMs)
    this.#expectAnnounced(lane, nowMs, isStarted)
    return false
  }

  /**
   * A task in progress makes its lane ready when it ends. So only a lane in which nothing was found is looked at again.
   */
  #expectAnnounced (lane: Lane, nowMs: number, isFound: boolean): void {
    const id = idOf(lane)
    const dueMs = this.#announced.get(id)
    if (dueMs === undefined) return
    if (isFound || nowMs > dueMs + commitMs) this.#announced.delete(id)
    else this.#expected.expect(lane, Math.max(dueMs, nowMs + lookMs))
  }

  #hasRoom (lane: Lane): boolean {
    const { hasRoom } = this.#work
    if (!this.#hasPlace(lane[0])) return false
    return hasRoom?.(lane, [...this.#inFlight.values()].map((task) => task.lane)) ?? true
  }

  #hasPlace (tenant: string): boolean {
    const { most, mostOfTenant, mayStart } = this.#work
    if (mayStart?.(tenant) === false) return false
    const own = this.#ofTenant.get(tenant) ?? 0
    return own < mostOfTenant && this.#inFlight.size < (own === 0 ? 2 * most : most)
  }

  #count (tenant: string, by: 1 | -1): void {
    const count = (this.#ofTenant.get(tenant) ?? 0) + by
    if (count === 0) this.#ofTenant.delete(tenant)
    else this.#ofTenant.set(tenant, count)
  }

  #start (task: DueTask<Value>): void {
    const { id, lane } = task
    const [tenant] = lane
    const done = this.#work.attempt(task, this.#stopping.signal)
      .catch(async (error: unknown) => {
        if (this.#stopping.signal.aborted) return
        this.#log.error({ err: error, task: this.#work.name, id, tenant }, 'an attempt could not be made or noted')
        // Stopping ends the pause.
        await sleep(notNotedMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      })
      .then(() => {
        this.#inFlight.delete(id)
        this.#count(tenant, -1)
        // The task may be due again, and others may have arrived.
        this.#makeReady(lane)
        this.#lookAgain()
      })
    this.#inFlight.set(id, { lane, done })
    this.#count(tenant, 1)
  }

  /** An attempt has ended, so there is room. Attempts that end at the same moment share one look. */
  #lookAgain (): void {
    this.#lookingAgain ??= setImmediate(() => {
      this.#lookingAgain = undefined
      try {
        if (!this.#stopping.signal.aborted) this.#startDue()
      } catch (error) {
        this.#log.error({ err: error, task: this.#work.name }, 'due tasks could not be read')
      }
    })
  }
}

function idOf (lane: Lane): string {
  return lane.join(' ')
}
