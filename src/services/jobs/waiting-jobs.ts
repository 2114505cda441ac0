/**
 * The waiting jobs of one tenant in order. Clients read a job's position often, so it is known without a walk: jobs are
 * numbered, and the numbers of deleted jobs are kept as gaps until there are too many.
 */
export class WaitingJobs {
  /** Job id -> its number, in order. */
  #numbers: Map<string, number>
  #next = 1
  /** Ascending numbers after the first job's that no job has. */
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
    // After half of the jobs were deleted, so the cost is spread over the deletions.
    if (this.#gaps.length > this.#numbers.size) this.#renumber()
    return true
  }

  /** The number of jobs before this one; undefined when it does not wait. */
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
