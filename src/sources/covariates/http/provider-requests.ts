/** Counts the requests of one provider, retries included. */
export interface ProviderRequestCount {
  provider: string
  outcome: 'answered' | 'failed'
  count: number
}

/** How many requests went over the network to each provider since the process started; cached answers do not count. */
export class ProviderRequests {
  readonly #counts = new Map<string, ProviderRequestCount>()

  add (provider: string, outcome: ProviderRequestCount['outcome']): void {
    const key = `${outcome} ${provider}`
    const known = this.#counts.get(key)
    if (known === undefined) this.#counts.set(key, { provider, outcome, count: 1 })
    else known.count++
  }

  counts (): ProviderRequestCount[] {
    return [...this.#counts.values()].map((count) => ({ ...count }))
  }
}
