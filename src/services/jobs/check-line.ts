import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import { sandboxTenant } from '../keys/scopes.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'
import { FairBacklog } from './fair-backlog.ts'
import { tenantBounds } from './tenant-bounds.ts'
import type { WorkerPresence } from './worker-presence.ts'

/**
 * Uploads that wait for their content check. Tenants take turns, and with two places or more no tenant gets all of
 * them. So neither a burst of uploads nor a slow file delays other tenants by more than one turn. The sandbox has one
 * place at most, and only when nobody else waits for it. The line is limited in length and time, because clients wait
 * for the answer.
 */
export class CheckLine {
  readonly #config: Config
  readonly #presence: WorkerPresence
  readonly #budgets: Pick<CpuBudgets, 'checkTurn'>
  readonly #line = new FairBacklog({ tenant: sandboxTenant, mayHaveTurn: () => !this.#running.has(sandboxTenant) })
  /** Job id -> starts its check. */
  readonly #starts = new Map<string, () => void>()
  /** Tenant -> checks in progress. */
  readonly #running = new Map<string, number>()

  constructor (deps: { config: Config, presence: WorkerPresence, budgets: Pick<CpuBudgets, 'checkTurn'> }) {
    this.#config = deps.config
    this.#presence = deps.presence
    this.#budgets = deps.budgets
  }

  /**
   * Runs `check` when its turn comes, and returns its result. Rejects with server_overloaded when the turn does not
   * come in time, and with rate_limited when the tenant is too far in debt by then.
   */
  async run<T> (tenant: string, jobId: string, check: () => Promise<T>): Promise<T> {
    await this.#turn(tenant, jobId)
    try {
      this.#budgets.checkTurn(tenant)
      return await check()
    } finally {
      this.#change(tenant, -1)
      this.pump()
    }
  }

  /** Starts the checks that have a place. Call it when workers may have appeared. */
  pump (): void {
    const places = this.#places()
    const share = Math.max(1, places - 1)
    for (let free = places - this.#underWay(); free > 0; free--) {
      const next = this.#line.take((tenant) => (this.#running.get(tenant) ?? 0) < share)
      if (next === undefined) return
      this.#change(next.tenant, 1)
      this.#starts.get(next.jobId)?.()
    }
  }

  async #turn (tenant: string, jobId: string): Promise<void> {
    const waiting = this.#line.sizeOf(tenant)
    const most = tenant === sandboxTenant
      ? tenantBounds(this.#config, tenant).maxWaiting
      : this.#config.CHECKS_WAITING_PER_TENANT
    if (waiting >= most) {
      const [whose, ofWhom] = tenant === sandboxTenant
        ? ['uploads of the sandbox', 'them']
        : ['of your uploads', 'one tenant']
      throw new TabcastError('server_overloaded',
        `${waiting} ${whose} wait to be checked, the most this deployment takes of ${ofWhom}; nothing was stored.`)
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#starts.delete(jobId)
        this.#line.delete(tenant, jobId)
        reject(this.#late())
      }, this.#config.CHECK_WAIT_MS)
      this.#starts.set(jobId, () => {
        clearTimeout(timer)
        this.#starts.delete(jobId)
        resolve()
      })
      this.#line.add(tenant, jobId)
      this.pump()
    })
  }

  #late (): TabcastError {
    if (this.#places() === 0) {
      return new TabcastError('compute_unavailable', 'No compute worker can be reached; nothing was stored.')
    }
    return new TabcastError('server_overloaded',
      `The check of this upload had no turn within ${this.#config.CHECK_WAIT_MS / 1000} s; nothing was stored.`)
  }

  #places (): number {
    return this.#presence.available().reduce((sum, { quick }) => sum + quick, 0)
  }

  #underWay (): number {
    return [...this.#running.values()].reduce((sum, count) => sum + count, 0)
  }

  #change (tenant: string, by: 1 | -1): void {
    const count = (this.#running.get(tenant) ?? 0) + by
    if (count > 0) this.#running.set(tenant, count)
    else this.#running.delete(tenant)
  }
}
