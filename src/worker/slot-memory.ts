import type { Config } from '../platform/config.ts'
import { machineMemory } from '../platform/process/machine-memory.ts'
import { residentBytes } from './resident-bytes.ts'

const [MiB, GiB] = [2 ** 20, 2 ** 30]
const lookMs = 100
/** Of the memory, for all slots of the machine: the rest is for the processes that answer, and for files. */
const slotsShare = 0.75
/**
 * A process that had more than this of the memory of all slots is replaced, as it may keep what it has freed; but not
 * for what every other job takes.
 */
const largeShare = 1 / 8
const ordinaryBytes = 256 * MiB

export interface SlotMemoryBounds {
  /** Resident memory of one slot process. */
  eachBytes: number
  /** The same of all with a task together. */
  allBytes: number
}

/** `memory`: of the machine. */
export function slotMemoryBounds (
  { SLOT_MEMORY_BYTES: each, SLOTS_MEMORY_BYTES: all, WORKERS }: Pick<Config,
    'SLOT_MEMORY_BYTES' | 'SLOTS_MEMORY_BYTES' | 'WORKERS'>,
  memory = machineMemory()
): SlotMemoryBounds {
  const share = Math.floor(memory * slotsShare / Math.max(1, WORKERS))
  const allBytes = all > 0 ? all : Math.max(share, each, GiB)
  const eachBytes = each > 0 ? each : Math.max(GiB, Math.floor(memory / 2))
  return { eachBytes: Math.min(eachBytes, allBytes), allBytes }
}

/** `memory`: it has more than one process may. `crowded`: all have too much together, and it was chosen. */
export type MemoryVerdict = 'memory' | 'crowded'

/** A slot process with a task. */
export interface WatchedSlot {
  readonly pid: number | undefined
  /** Of the task, on the clock of performance.now. */
  readonly startedMs: number
  /** What it has just now. */
  seen(bytes: number): void
  end(verdict: MemoryVerdict): void
}

/**
 * What the slots of this worker may have in memory: each, and all together, because one that may take half of the
 * machine does not leave that to every other. The share of a slot is what is left for it beside one that has all it
 * may. So where there is too much, two at least have more than their share, of which the youngest goes: the oldest
 * comes to its end, and what is small stays.
 */
export class SlotMemory {
  readonly bounds: SlotMemoryBounds
  readonly #watched = new Set<WatchedSlot>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  constructor (bounds: SlotMemoryBounds) {
    this.bounds = bounds
  }

  /** Until the returned function is called. */
  watch (slot: WatchedSlot): () => void {
    this.#watched.add(slot)
    this.#timer ??= setInterval(() => {
      void this.#look()
    }, lookMs)
    return () => this.#forget(slot)
  }

  /** Whether a process that had so much at a time is better replaced. */
  isLarge (bytes: number): boolean {
    return bytes > Math.max(ordinaryBytes, this.bounds.allBytes * largeShare)
  }

  #forget (slot: WatchedSlot): void {
    this.#watched.delete(slot)
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #look (): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const sizes = await Promise.all([...this.#watched].map(async (slot) => {
      return { slot, bytes: await residentBytes(slot.pid) }
    }))
    this.#isLooking = false
    this.#judge(sizes.filter(({ slot }) => this.#watched.has(slot)))
  }

  #judge (sizes: Array<{ slot: WatchedSlot, bytes: number }>): void {
    const { eachBytes, allBytes } = this.bounds
    for (const { slot, bytes } of sizes) {
      slot.seen(bytes)
      if (bytes > eachBytes) this.#end(slot, 'memory')
    }
    const left = sizes.filter(({ slot }) => this.#watched.has(slot))
    const total = left.reduce((sum, { bytes }) => sum + bytes, 0)
    if (total <= allBytes) return
    const share = (allBytes - eachBytes) / (left.length - 1)
    const beyond = left.filter(({ bytes }) => bytes > share).map(({ slot }) => slot)
    this.#end(beyond.reduce((youngest, slot) => slot.startedMs > youngest.startedMs ? slot : youngest), 'crowded')
  }

  /** It counts no more: its memory is free in a moment, and nobody else has to go for it. */
  #end (slot: WatchedSlot, verdict: MemoryVerdict): void {
    this.#forget(slot)
    slot.end(verdict)
  }
}
