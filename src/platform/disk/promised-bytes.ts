/** Bytes that are not written yet, such as the results of open jobs, each under the id of what will write them. */
export class PromisedBytes {
  readonly #promises = new Map<string, { tenant: string, bytes: number }>()
  readonly #byTenant = new Map<string, number>()
  #sum = 0

  get sum (): number {
    return this.#sum
  }

  of (tenant: string): number {
    return this.#byTenant.get(tenant) ?? 0
  }

  add (tenant: string, id: string, bytes: number): void {
    this.delete(id)
    this.#promises.set(id, { tenant, bytes })
    this.#change(tenant, bytes)
  }

  delete (id: string): void {
    const promise = this.#promises.get(id)
    if (promise === undefined) return
    this.#promises.delete(id)
    this.#change(promise.tenant, -promise.bytes)
  }

  #change (tenant: string, by: number): void {
    this.#sum += by
    const bytes = this.of(tenant) + by
    if (bytes > 0) this.#byTenant.set(tenant, bytes)
    else this.#byTenant.delete(tenant)
  }
}
