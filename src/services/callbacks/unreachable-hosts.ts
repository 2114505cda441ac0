import type { Lane } from '../../platform/due-work/due-table.ts'

/** Attempts in a row without an answer, after which a host counts as unreachable. */
const mostUnanswered = 10
/** The interval between attempts to an unreachable host. */
const probeMs = 1_000
const remembered = 100_000

interface Host {
  unanswered: number
  begunMs: number
}

/**
 * Hosts that do not answer a tenant. Such a host gets one attempt a second, for all messages together, until one is
 * answered. With a schedule for each message alone, thousands of messages to a receiver that is gone took half of the
 * api's thread. After a restart a host is tried like any other.
 */
export class UnreachableHosts {
  readonly #hosts = new Map<string, Host>()

  /** An attempt begins. `nowMs`: by Date.now. */
  begun (lane: Lane, nowMs: number): void {
    const host = this.#hosts.get(idOf(lane))
    if (host !== undefined) host.begunMs = nowMs
  }

  ended (lane: Lane, isAnswered: boolean): void {
    const id = idOf(lane)
    const { unanswered, begunMs } = this.#hosts.get(id) ?? { unanswered: 0, begunMs: 0 }
    this.#hosts.delete(id)
    if (isAnswered) return
    this.#hosts.set(id, { unanswered: unanswered + 1, begunMs })
    const [oldest] = this.#hosts.keys()
    if (oldest !== undefined && this.#hosts.size > remembered) this.#hosts.delete(oldest)
  }

  /** When the next attempt may begin; not after `nowMs`: now. */
  pausedUntilMs (lane: Lane, nowMs: number): number {
    const host = this.#hosts.get(idOf(lane))
    if (host === undefined || host.unanswered < mostUnanswered) return nowMs
    // The clock was set back since, by more than `nowMs` may be old.
    return host.begunMs > nowMs + probeMs ? nowMs : host.begunMs + probeMs
  }
}

function idOf (lane: Lane): string {
  return lane.join(' ')
}
