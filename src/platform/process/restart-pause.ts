/** A process that lived at least this long had started well. */
const stableMs = 10_000
const [firstMs, longestMs] = [100, 5_000]

/**
 * How long a process that died waits before it is started again: not at all the first time, then twice as long each
 * time that it dies young.
 */
export class RestartPause {
  #youngDeaths = 0

  next (livedMs: number): number {
    this.#youngDeaths = livedMs > stableMs ? 0 : this.#youngDeaths + 1
    return this.#youngDeaths < 2 ? 0 : Math.min(longestMs, firstMs * 2 ** this.#youngDeaths)
  }
}
