import type { Config } from '../platform/config.ts'
import { machineMemory } from '../platform/process/machine-memory.ts'
import { residentBytes } from './resident-bytes.ts'

const [MiB, GiB] = [2 ** 20, 2 ** 30]
/** No task fits into less, so smaller settings count as this. */
const leastBytes = 64 * MiB
const lookMs = 100
/** The share of the machine's memory for all slots. The rest is for the processes that answer, and for files. */
const slotsShare = 0.75
/**
 * A process that has used more than this share of the memory of all slots is replaced, because it may keep memory that
 * it has freed. A process that has used at most `ordinaryBytes` is kept, because many jobs use that much.
 */
const largeShare = 1 / 8
const ordinaryBytes = 256 * MiB

export interface SlotMemoryBounds {
  /** The most resident memory of one slot process. */
  eachBytes: number
  /** The most resident memory of all slot processes with a task together. */
  allBytes: number
}

/** The limits of the slots. `memory`: the memory of the machine. */
export function slotMemoryBounds (
  { SLOT_MEMORY_BYTES: each, SLOTS_MEMORY_BYTES: all, WORKERS }: Pick<Config,
    'SLOT_MEMORY_BYTES' | 'SLOTS_MEMORY_BYTES' | 'WORKERS'>,
  memory = machineMemory()
): SlotMemoryBounds {
  const share = Math.floor(memory * slotsShare / Math.max(1, WORKERS))
  const allBytes = all > 0 ? Math.max(all, leastBytes) : Math.max(share, each, GiB)
  // A third stays for the others, or one large task would leave them nothing.
  const eachBytes = each > 0
    ? Math.max(each, leastBytes)
    : Math.max(GiB, Math.floor(Math.min(memory / 2, allBytes * 2 / 3)))
  return { eachBytes: Math.min(eachBytes, allBytes), allBytes }
}

/** `memory`: the process exceeds its own limit. `crowded`: all exceed theirs together, and this one was chosen. */
export type MemoryVerdict = 'memory' | 'crowded'

/** A slot process with a task. */
export interface WatchedSlot {
  readonly pid: number | undefined
  /** When the task started, on the clock of performance.now. */
  readonly startedMs: number
  /** Reports the current memory of the process. */
  seen(bytes: number): void
  end(verdict: MemoryVerdict): void
}

/**
 * Limits the memory of each slot of this worker, and of all together: each may take half of the machine, so all of
 * them at that limit would exhaust it. A slot's share is the limit of all minus the limit of one, divided among the
 * other slots, and at least what ordinary jobs use. If all slots together exceed their limit, one of those above
 * their share is ended: never the one with the oldest task, so that it can finish, and of the others the largest, so
 * that whoever runs several large tasks gives up one before a neighbour does. Ordinary ones stay.
 */
export class SlotMemory {
  readonly bounds: SlotMemoryBounds
  readonly #watched = new Set<WatchedSlot>()
  #timer: NodeJS.Timeout | undefined

  constructor (bounds: SlotMemoryBounds) {
    this.bounds = bounds
  }

  /** Watches the slot until the returned function is called. */
  watch (slot: WatchedSlot): () => void {
    this.#watched.add(slot)
    this.#timer ??= setInterval(() => this.#look(), lookMs)
    return () => this.#forget(slot)
  }

  /** Whether a process whose memory was once this large should be replaced. */
  isLarge (bytes: number): boolean {
    return bytes > Math.max(ordinaryBytes, this.bounds.allBytes * largeShare)
  }

  #forget (slot: WatchedSlot): void {
    this.#watched.delete(slot)
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look (): void {
    const sizes = [...this.#watched].map((slot) => ({ slot, bytes: residentBytes(slot.pid) }))
    const { eachBytes, allBytes } = this.bounds
    for (const { slot, bytes } of sizes) {
      slot.seen(bytes)
      if (bytes > eachBytes) this.#end(slot, 'memory')
    }
    const left = sizes.filter(({ slot }) => this.#watched.has(slot))
    const total = left.reduce((sum, { bytes }) => sum + bytes, 0)
    if (total <= allBytes) return
    const share = Math.max(Math.min(ordinaryBytes, allBytes * largeShare), (allBytes - eachBytes) / (left.length - 1))
    const beyond = left.filter(({ bytes }) => bytes > share)
      .sort((one, other) => one.slot.startedMs - other.slot.startedMs)
    const candidates = beyond.length > 1 ? beyond.slice(1) : beyond
    const [largest] = candidates.sort((one, other) => other.bytes - one.bytes)
    if (largest !== undefined) this.#end(largest.slot, 'crowded')
  }

  /** The slot no longer counts, because its memory will soon be free, and no other slot should be ended for it. */
  #end (slot: WatchedSlot, verdict: MemoryVerdict): void {
    this.#forget(slot)
    slot.end(verdict)
  }
}
