/**
 * A small number for each current worker; a new worker may get the number of one that is gone. Worker ids are new with
 * each start, so as labels they would create new series forever.
 */
export class WorkerNumbers {
  readonly #numbers = new Map<string, number>()

  /** `onNew` is called for each worker that gets a number. */
  of (workerIds: readonly string[], onNew: (workerId: string, number: number) => void): ReadonlyMap<string, number> {
    for (const workerId of this.#numbers.keys()) if (!workerIds.includes(workerId)) this.#numbers.delete(workerId)
    for (const workerId of workerIds) {
      if (this.#numbers.has(workerId)) continue
      const taken = new Set(this.#numbers.values())
      let number = 1
      while (taken.has(number)) number++
      this.#numbers.set(workerId, number)
      onNew(workerId, number)
    }
    return this.#numbers
  }
}
