/**
 * The most warnings and errors a minute with the same text and code: about one tenant, and about no tenant, where the
 * lines may concern all of them.
 */
const [ofTenant, ofNobody] = [300, 3_000]
const minuteMs = 60_000

export interface Line {
  text: string
  tenant: string | undefined
  code: string | undefined
  facts: object
}
/** The lines that were left out: how many, and the first of them. */
interface Lines extends Line {
  count: number
}

/**
 * Bounds the lines of the log. Writing a line blocks the process, and a tenant whose callbacks fail causes thousands a
 * minute: enough to fill a disk, or to wait for a slow reader.
 */
export class LineBound {
  readonly #now: () => number
  readonly #lines = new Map<string, Lines>()
  #untilMs = -Infinity

  constructor (now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Whether this line may be written. */
  take (line: Line): boolean {
    const name = JSON.stringify([line.text, line.tenant, line.code])
    const lines = this.#lines.get(name) ?? { ...line, count: -mostOf(line) }
    this.#lines.set(name, lines)
    if (++lines.count === 1) lines.facts = line.facts
    return lines.count <= 0
  }

  /** Returns the lines that were left out of the past minute, once. */
  over (): Lines[] {
    const nowMs = this.#now()
    if (nowMs < this.#untilMs) return []
    this.#untilMs = nowMs + minuteMs
    const lines = [...this.#lines.values()]
    this.#lines.clear()
    return lines.filter(({ count }) => count > 0)
  }
}

function mostOf ({ tenant }: Line): number {
  return tenant === undefined ? ofNobody : ofTenant
}
