/**
 * The jobs of one tenant in their order. A job's place is known without a walk: clients read it with each look at a job
 * that waits. They are numbered; numbers that were deleted in the middle are kept apart until they are too many.
 */
export class WaitingJobs {
  /** Job -> its number, in their order. */
  #numbers: Map<string, number>
  #next = 1
  /** Numbers behind the first job's that no job has, ascending. */
  #gaps: number[] = []

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
    const number = this.#numbers.get(jobId)
    if (number === undefined) return false
    this.#numbers.delete(jobId)
    this.#gaps.splice(this.#gapsBefore(number), 0, number)
    const gone = this.#gapsBefore(this.#firstNumber())
    if (gone > 0) this.#gaps.splice(0, gone)
    // As often as half of them were deleted, so each deletion has a small part in it.
    if (this.#gaps.length > this.#numbers.size) this.#renumber()
    return true
  }

  /** Jobs before this one; undefined when it is not among them. */
  rank (jobId: string): number | undefined {
    const number = this.#numbers.get(jobId)
    return number === undefined ? undefined : number - this.#firstNumber() - this.#gapsBefore(number)
  }

  #firstNumber (): number {
    const [number = this.#next] = this.#numbers.values()
    return number
  }

  #gapsBefore (number: number): number {
    let from = 0
    for (let to = this.#gaps.length; from < to;) {
      const middle = (from + to) >>> 1
      if (this.#gaps[middle]! < number) from = middle + 1
      else to = middle
    }
    return from
  }

  #renumber (): void {
    this.#next = 0
    for (const jobId of this.#numbers.keys()) this.#numbers.set(jobId, this.#next++)
    this.#gaps = []
  }
}
