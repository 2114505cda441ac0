import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { JobSize } from '../domain/job.ts'
import type { SlotMemory } from './slot-memory.ts'
import { SlotProcess } from './slot-process.ts'

export interface SlotPoolOptions {
  slots: number
  /** How many slots take only small jobs. */
  smallOnly: number
  memory: SlotMemory
  /** Nice values of the slots that take only small jobs, and of the others. */
  nice: { small: number, any: number }
  maxTasks: number
  maxAgeMs: number
  log: Logger
}

/** A seat for one computation at a time; its process is replaced now and then. */
export interface Slot {
  readonly smallOnly: boolean
  process: SlotProcess
}

interface Place extends Slot {
  state: 'starting' | 'idle' | 'busy'
  quickDeaths: number
}

const longestPauseMs = 5_000

/** Keeps slot processes started, hands slots out, and replaces processes that are dead, old or worn out. */
export class SlotPool {
  readonly #options: SlotPoolOptions
  readonly #places: Place[]
  readonly #stopping = new AbortController()
  readonly #listeners = new Set<() => void>()

  constructor (options: SlotPoolOptions) {
    this.#options = options
    this.#places = Array.from({ length: options.slots }, (_, index) => {
      const smallOnly = index < options.smallOnly
      const place: Place = { smallOnly, process: this.#start(smallOnly), state: 'starting', quickDeaths: 0 }
      this.#follow(place)
      return place
    })
  }

  /** Calls the listener after every change of which slots are free, until the returned function is called. */
  onChange (listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** The ids of the current processes. */
  pids (): number[] {
    return this.#places.flatMap(({ process }) => process.alive ? process.pid ?? [] : [])
  }

  /** Idle slots by the size of job that they take. */
  free (): { any: number, small: number } {
    const idle = this.#places.filter((place) => place.state === 'idle')
    const small = idle.filter((place) => place.smallOnly).length
    return { any: idle.length - small, small }
  }

  /** How many slots that take any size are in use. */
  get busy (): number {
    return this.#places.filter(({ smallOnly, state }) => !smallOnly && state === 'busy').length
  }

  /** An idle slot for a job of this size. Small jobs prefer the slots reserved for them. */
  take (size: JobSize): Slot | undefined {
    const idle = this.#places.filter((place) => place.state === 'idle' && (size === 'small' || !place.smallOnly))
    const place = idle.find((candidate) => candidate.smallOnly) ?? idle[0]
    if (place === undefined) return undefined
    place.state = 'busy'
    this.#tell()
    return place
  }

  /** Waits for a slot; undefined if none became free before `untilMs` on the clock of performance.now. */
  async takeUntil (size: JobSize, untilMs: number): Promise<Slot | undefined> {
    for (;;) {
      const slot = this.take(size)
      const waitMs = untilMs - performance.now()
      if (slot !== undefined || waitMs <= 0) return slot
      await new Promise<void>((resolve) => {
        const timer = setTimeout(end, waitMs)
        const unsubscribe = this.onChange(end)
        function end () {
          clearTimeout(timer)
          unsubscribe()
          resolve()
        }
      })
    }
  }

  /** Waits for a slot without a time limit; rejects with the signal's reason when the signal aborts. */
  async takeWhenFree (size: JobSize, signal: AbortSignal): Promise<Slot> {
    for (;;) {
      signal.throwIfAborted()
      const slot = this.take(size)
      if (slot !== undefined) return slot
      await new Promise<void>((resolve) => {
        const unsubscribe = this.onChange(end)
        signal.addEventListener('abort', end, { once: true })
        function end () {
          unsubscribe()
          signal.removeEventListener('abort', end)
          resolve()
        }
      })
    }
  }

  hasFree (size: JobSize): boolean {
    const { any, small } = this.free()
    return any > 0 || (size === 'small' && small > 0)
  }

  release (slot: Slot): void {
    const place = slot as Place
    if (place.state !== 'busy') return
    if (this.#isWorn(place)) {
      this.#replace(place)
    } else {
      place.state = 'idle'
      this.#tell()
    }
  }

  /** Starts a new process in a held slot whose process died. Rejects when the pool is stopping. */
  async revive (slot: Slot): Promise<void> {
    while (!slot.process.alive) {
      if (this.#stopping.signal.aborted) throw new Error('slots are stopping')
      slot.process = this.#start(slot.smallOnly)
      this.#follow(slot as Place)
      await slot.process.ready.catch(async (err: unknown) => {
        this.#options.log.error({ err }, 'slot process does not start')
        await sleep(longestPauseMs, undefined, { signal: this.#stopping.signal })
      })
    }
  }

  /** Replaces idle processes that are too old. Call it from time to time. */
  refresh (): void {
    for (const place of this.#places) if (place.state === 'idle' && this.#isWorn(place)) this.#replace(place)
  }

  async stop (): Promise<void> {
    this.#stopping.abort()
    for (const { process } of this.#places) process.kill()
    await Promise.all(this.#places.map(({ process }) => process.exited))
  }

  #start (smallOnly: boolean): SlotProcess {
    const { memory, nice } = this.#options
    return new SlotProcess({ memory, nice: smallOnly ? nice.small : nice.any })
  }

  #tell (): void {
    for (const listener of [...this.#listeners]) listener()
  }

  #isWorn ({ process }: Place): boolean {
    return !process.alive || process.isLarge || process.tasks >= this.#options.maxTasks ||
      performance.now() - process.bornMs >= this.#options.maxAgeMs
  }

  #replace (place: Place): void {
    place.state = 'starting'
    place.process.kill()
    if (this.#stopping.signal.aborted) return
    place.process = this.#start(place.smallOnly)
    this.#follow(place)
    this.#tell()
  }

  /** Marks the slot idle once its process is ready, and starts another process if this one dies while idle. */
  #follow (place: Place): void {
    const process = place.process
    process.ready.then(() => {
      if (place.process !== process || place.state !== 'starting') return
      place.state = 'idle'
      this.#tell()
    }, () => undefined)
    process.exited.then(async () => {
      if (place.process !== process || place.state === 'busy' || this.#stopping.signal.aborted) return
      place.state = 'starting'
      this.#tell()
      place.quickDeaths = process.tasks > 0 ? 0 : place.quickDeaths + 1
      this.#options.log.error({ pid: process.pid, deaths: place.quickDeaths }, 'idle slot process died')
      await sleep(Math.min(longestPauseMs, 50 * 2 ** place.quickDeaths), undefined, { signal: this.#stopping.signal })
      this.#replace(place)
    }).catch((err: unknown) => {
      if (!this.#stopping.signal.aborted) this.#options.log.error({ err }, 'slot process not replaced')
    })
  }
}
