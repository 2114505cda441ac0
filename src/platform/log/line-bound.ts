/**
 * Warnings and errors of one text and code that a minute has: about one tenant, and about nobody, whose lines may be
 * those of all.
 */
const [ofTenant, ofNobody] = [300, 3_000]
const minuteMs = 60_000

export interface Line {
  text: string
  tenant: string | undefined
  code: string | undefined
  facts: object
}
/** What was left out: how many, and the first of them. */
interface Lines extends Line {
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
  take (line: Line): boolean {
    const name = JSON.stringify([line.text, line.tenant, line.code])
    const lines = this.#lines.get(name) ?? { ...line, count: -mostOf(line) }
    this.#lines.set(name, lines)
    if (++lines.count === 1) lines.facts = line.facts
    return lines.count <= 0
  }

  /** What was left out of the minute that is over, once. */
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
