/**
 * A small number for each worker that is there, given again once its worker is gone: ids are new with each start, and
 * as labels they would make new series for ever.
 */
export class WorkerNumbers {
  readonly #numbers = new Map<string, number>()

  /** `onNew` hears which worker got which number. */
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
