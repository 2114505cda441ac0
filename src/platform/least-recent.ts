/**
 * Keeps a limited number of values that take time to make, by name. The one that was unused for longest is dropped
 * first.
 */
export class LeastRecent<T extends object> {
  readonly #values = new Map<string, T>()
  readonly #most: number

  constructor (most: number) {
    this.#most = most
  }

  get (name: string, make: () => T): T {
    return this.find(name) ?? this.keep(name, make())
  }

  find (name: string): T | undefined {
    const known = this.#values.get(name)
    return known === undefined ? undefined : this.keep(name, known)
  }

  keep (name: string, value: T): T {
    this.#values.delete(name)
    this.#values.set(name, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > this.#most && oldest !== undefined) this.#values.delete(oldest)
    return value
  }
}
