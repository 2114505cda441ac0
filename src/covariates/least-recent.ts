/** Values that take time to make, by name; at most so many, and the longest unused goes first. */
export class LeastRecent<T extends object> {
  readonly #values = new Map<string, T>()
  readonly #most: number

  constructor (most: number) {
    this.#most = most
  }

  get (name: string, make: () => T): T {
    const known = this.#values.get(name)
    this.#values.delete(name)
    const value = known ?? make()
    this.#values.set(name, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > this.#most && oldest !== undefined) this.#values.delete(oldest)
    return value
  }
}
