import type { Job } from './forecast-client.ts'
import { printable } from './printable.ts'

export interface ProgressOutput {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

const barWidth = 24

/** Shows progress: a line that is overwritten on a terminal, and elsewhere a new line for each stage. */
export class ProgressLine {
  readonly #output: ProgressOutput
  #lastStage = ''
  #isOpen = false

  constructor (output: ProgressOutput) {
    this.#output = output
  }

  get isTerminal (): boolean {
    return this.#output.isTTY === true
  }

  /** `fraction` from 0 to 1; null: unknown. */
  show (given: string, fraction: number | null): void {
    const stage = printable(given)
    if (!this.isTerminal) {
      if (stage !== this.#lastStage) this.#output.write(`${stage}\n`)
      this.#lastStage = stage
      return
    }
    const full = Math.round(barWidth * Math.min(1, Math.max(0, fraction ?? 0)))
    const bar = fraction === null
      ? ''
      : ` ${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${String(Math.floor(100 * fraction)).padStart(3)} %`
    this.#output.write(`\r\u001B[K${`${stage.padEnd(10)}${bar}`.slice(0, (this.#output.columns ?? 80) - 1)}`)
    this.#isOpen = true
  }

  showJob ({ status, progress }: Job): void {
    if (status === 'pending') {
      const position = progress?.queue_position ?? null
      this.show(position === null ? 'in the queue' : `in the queue, position ${position}`, null)
    } else if (status === 'running') {
      this.show(progress?.stage ?? 'running', progress?.fraction ?? null)
    }
  }

  /** Prints a line that stays. */
  note (text: string): void {
    this.clear()
    this.#output.write(`${printable(text)}\n`)
  }

  clear (): void {
    if (this.#isOpen) this.#output.write('\r\u001B[K')
    this.#isOpen = false
  }
}
