/** Warnings and errors of one text about one tenant that a minute has. */
const linesAMinute = 300
const minuteMs = 60_000

interface Lines {
  text: string
  tenant: string | undefined
  count: number
}

/**
 * Which lines of the log are one too many. A line is written before anything else goes on, and a tenant whose callbacks
 * fail makes thousands a minute: enough to fill a disk, or to wait for whoever reads them.
 */
export class LineBound {
  readonly #now: () => number
  readonly #lines = new Map<string, Lines>()
  #untilMs = -Infinity

  constructor (now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Whether this line may be written. */
  take (text: string, tenant: string | undefined): boolean {
    const name = JSON.stringify([text, tenant])
    const lines = this.#lines.get(name) ?? { text, tenant, count: 0 }
    this.#lines.set(name, lines)
    return ++lines.count <= linesAMinute
  }

  /** What was left out of the minute that is over, once. */
  over (): Lines[] {
    const nowMs = this.#now()
    if (nowMs < this.#untilMs) return []
    this.#untilMs = nowMs + minuteMs
    const lines = [...this.#lines.values()]
    this.#lines.clear()
    return lines.filter(({ count }) => count > linesAMinute).map((one) => ({ ...one, count: one.count - linesAMinute }))
  }
}
