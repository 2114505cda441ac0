import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ulid } from 'ulid'

/** What the fetch of a plan has brought. */
export interface PlanCopy<Fetched> {
  folder: string
  fetched: Fetched
}

interface Kept<Fetched> {
  folder: string
  users: number
  fetched: Promise<Fetched>
}

/**
 * Copies of plans in scratch. A copy stays while shards of the plan are computed, and until a shard of another plan
 * comes, because the next shard is most often of the same plan.
 */
export class PlanCopies<Fetched> {
  readonly #scratch: string
  readonly #kept = new Map<string, Kept<Fetched>>()

  constructor (scratch: string) {
    this.#scratch = scratch
  }

  /** Call `release` when the copy is no longer used. `fetch` fills the folder if there is no copy yet. */
  async use (prefix: string,
    fetch: (folder: string) => Promise<Fetched>): Promise<PlanCopy<Fetched> & { release: () => void }> {
    const kept = this.#kept.get(prefix) ?? this.#add(prefix, fetch)
    kept.users++
    await this.#dropUnused(prefix)
    try {
      const fetched = await kept.fetched
      let isReleased = false
      return {
        folder: kept.folder,
        fetched,
        release: () => {
          if (!isReleased) kept.users--
          isReleased = true
        }
      }
    } catch (error) {
      kept.users--
      if (this.#kept.get(prefix) === kept) this.#kept.delete(prefix)
      await remove(kept.folder)
      throw error
    }
  }

  /** Removes copies that nobody uses. */
  async dropUnused (): Promise<void> {
    await this.#dropUnused(undefined)
  }

  async #dropUnused (except: string | undefined): Promise<void> {
    for (const [prefix, { folder, users }] of this.#kept) {
      if (users > 0 || prefix === except) continue
      this.#kept.delete(prefix)
      await remove(folder)
    }
  }

  #add (prefix: string, fetch: (folder: string) => Promise<Fetched>): Kept<Fetched> {
    const folder = join(this.#scratch, `plan-${ulid()}`)
    const kept = { folder, users: 0, fetched: mkdir(folder, { mode: 0o700 }).then(() => fetch(folder)) }
    kept.fetched.catch(() => undefined)
    this.#kept.set(prefix, kept)
    return kept
  }
}

async function remove (folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}
