import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { repeat } from '../time/repeat.ts'
import { DueLanes } from './due-lanes.ts'
import type { DueTable, DueTask, Lane } from './due-table.ts'

/** How the tasks of a table are worked off, in lanes that must not hold each other up. */
export interface DueWork<Value> {
  /** For the log. */
  name: string
  table: Pick<DueTable<Value>, 'onDue' | 'lanes' | 'due' | 'nextDueMs'>
  /** How many of a lane are looked at, those under way among them; more than may be under way in it. */
  mostListed: number
  /**
   * How many may be under way: in all, and of one tenant. Who has none may start one beyond `most`, up to twice as
   * many: else two tenants whose attempts hang would hold up everybody.
   */
  most: number
  mostOfTenant: number
  /** Whether the tenant may start one now; left out: always. It is asked again at each look. */
  mayStart?(tenant: string): boolean
  /** Whether one more may start in this lane beside those under way; left out: always. */
  hasRoom?(lane: Lane, underWay: readonly Lane[]): boolean
  /** Whether this one may start now; left out: always. It is asked again when another one of its lane has ended. */
  isFree?(task: DueTask<Value>): boolean
  /** Makes one attempt and notes what it came to, so that the task is not due any more, or later. */
  attempt(task: DueTask<Value>, signal: AbortSignal): Promise<void>
}

const lookMs = 250
/** An attempt that could not be noted would be made again at once, and again. */
const notNotedMs = 5_000
/** What is announced is found when it is committed; until then its lane is looked at again, for so long. */
const commitMs = 10_000
/** Lanes that one look makes ready, and that it reads: the event loop has others to serve. */
const [mostTaken, mostServed] = [5_000, 200]
/** What attempts do before they wait for anybody, in one turn of the event loop. */
const startingMs = 5
/**
 * Lanes of the table that one look goes through: the first time to find those that an earlier process left, later any
 * that was missed. Each is a read of some microseconds.
 */
const walked = { first: 1_000, later: 100 }

/**
 * Works off what is due. The table is the queue: what is under way when the process dies is still there, and is done
 * again.
 */
export class DueRunner<Value> {
  readonly #work: DueWork<Value>
  readonly #log: Logger
  readonly #expected: DueLanes<Lane>
  /** Tenant -> its lanes in which something is due; both in the order of their turns. */
  readonly #ready = new Map<string, Map<string, Lane>>()
  /** Lane -> when something is due that may not be in the table yet. */
  readonly #announced = new Map<string, number>()
  readonly #inFlight = new Map<string, { lane: Lane, done: Promise<void> }>()
  /** Tenant -> its attempts under way. */
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

  /** Breaks off what is under way; it is done again after the next start. */
  async stop (): Promise<void> {
    this.#stopping.abort()
    await this.#looking.stop()
    await Promise.all([...this.#inFlight.values()].map(({ done }) => done))
    clearImmediate(this.#lookingAgain)
  }

  /** Something is being written to the lane that is due then. */
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

  /** A lane of each tenant in turn, as long as there is room: who has many lanes delays another one by a turn. */
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
        // Behind the others: its next turn comes after theirs.
        if (lanes.size > 0) this.#ready.set(tenant, lanes)
      }
    }
  }

  /** False when none of the tenant's lanes has room. */
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

  /** Starts what is due in the lane; true when some of it has to wait for room, or for the next turn. */
  #serve (lane: Lane, untilMs: number): boolean {
    const nowMs = Date.now()
    let isStarted = false
    const { table, mostListed, isFree } = this.#work
    for (const task of table.due(lane, nowMs, mostListed)) {
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

  /** What is under way ends with a look at its lane: only one in which nothing was found has to be looked at again. */
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
        // Its next attempt, and what came meanwhile.
        this.#makeReady(lane)
        this.#lookAgain()
      })
    this.#inFlight.set(id, { lane, done })
    this.#count(tenant, 1)
  }

  /** There is room again; what ends at the same moment shares one look. */
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
