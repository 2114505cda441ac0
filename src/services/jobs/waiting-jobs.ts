/**
 * The jobs of one tenant in their order. A job's place is known without a walk: clients read it with each look at a job
 * that waits. They are numbered; the numbers have no gaps but where one was deleted in the middle, and are made anew
 * after that.
 */
export class WaitingJobs {
  /** Job -> its number, in their order. */
  #numbers: Map<string, number>
  #next = 1
  #hasGaps = false

  constructor (jobId: string) {
    this.#numbers = new Map([[jobId, 0]])
  }

  get size (): number {
    return this.#numbers.size
  }

  has (jobId: string): boolean {
    return this.#numbers.has(jobId)
  }

  first (): string | undefined {
    const [jobId] = this.#numbers.keys()
    return jobId
  }

  add (jobId: string): void {
    this.#numbers.set(jobId, this.#next++)
  }

  addFirst (jobId: string): void {
    this.#numbers = new Map([[jobId, this.#firstNumber() - 1], ...this.#numbers])
  }

  delete (jobId: string): boolean {
    if (jobId !== this.first()) this.#hasGaps = true
    return this.#numbers.delete(jobId)
  }

  /** Jobs before this one; undefined when it is not among them. */
  rank (jobId: string): number | undefined {
    if (!this.#numbers.has(jobId)) return undefined
    if (this.#hasGaps) this.#renumber()
    return (this.#numbers.get(jobId) ?? 0) - this.#firstNumber()
  }

  #firstNumber (): number {
    const [number = this.#next] = this.#numbers.values()
    return number
  }

  #renumber (): void {
    this.#next = 0
    for (const jobId of this.#numbers.keys()) this.#numbers.set(jobId, this.#next++)
    this.#hasGaps = false
  }
}
