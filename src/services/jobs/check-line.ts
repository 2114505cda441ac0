import type { JobSize } from '../../domain/job.ts'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import { QueueError } from '../../platform/queue/index.ts'
import { sandboxTenant } from '../keys/scopes.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'
import { FairBacklog } from './fair-backlog.ts'
import { SlowTenants } from './slow-tenants.ts'
import { tenantBounds } from './tenant-bounds.ts'
import type { WorkerPresence } from './worker-presence.ts'

/** The largest small input. */
const smallInputBytes = 1024 * 1024

/**
 * A check of a small input takes milliseconds, in most cases. One that takes longer is stopped, and has its turn among
 * large ones then; so have all of its tenant for a while.
 */
const smallCheckMs = 250

/** A check that was stopped counts as if it had taken this long, so its tenant is slow for a minute. */
const stoppedMs = 3_000

/** What a check among the large ones is expected to take, if its tenant had none yet. */
const largeCheckMs = 1_000

const sandboxLine = lineOf(sandboxTenant, 'small')

/** A check was stopped, because it took longer than it may. */
export class CheckStopped extends Error {}

interface Turn {
  tenant: string
  jobId: string
  /** Of the line that it waits in. */
  size: JobSize
  /** Whether its input is small. */
  isSmall: boolean
}

/**
 * Uploads that wait for their content check. Tenants take turns by time (`fair-backlog.ts`), and with two places or
 * more no tenant gets all of them. So neither a burst of uploads nor a slow file delays other tenants by more than one
 * turn. One of them is then for small inputs only, so that their checks, which take milliseconds, do not wait for those
 * of large ones. A few bytes can take long when they are packed or when rows are prepared, so the check of a small
 * input is stopped when it takes long, and waits again among the large ones. The sandbox has one place at most, and
 * only when nobody else waits for it. The line is limited in length and time, because clients wait for the answer.
 */
export class CheckLine {
  readonly #config: Config
  readonly #presence: WorkerPresence
  readonly #budgets: Pick<CpuBudgets, 'checkTurn'>
  /** A tenant's small and large checks take turns like two tenants, so that neither size waits for the other. */
  readonly #waiting = new FairBacklog(
    { tenant: sandboxLine, mayHaveTurn: () => !this.#running.has(sandboxLine) },
    (jobId) => this.#expectedMs.get(jobId) ?? 0
  )
  readonly #slow = new SlowTenants(smallCheckMs)
  /** Job id -> what a check in its line takes. Tenants whose checks were quick go before newcomers. */
  readonly #expectedMs = new Map<string, number>()
  /** Job id -> starts its check. */
  readonly #starts = new Map<string, () => void>()
  /** Line -> checks in progress. */
  readonly #running = new Map<string, number>()

  constructor (deps: { config: Config, presence: WorkerPresence, budgets: Pick<CpuBudgets, 'checkTurn'> }) {
    this.#config = deps.config
    this.#presence = deps.presence
    this.#budgets = deps.budgets
  }

  /**
   * Runs `check`, which reads `bytes` of input, when its turn comes, and returns its result. Rejects with
   * server_overloaded when the turn does not come in time, with rate_limited when the tenant is too far in debt by
   * then, and with compute_unavailable when the queue cannot be asked. `check` throws CheckStopped if it took more than
   * `mostMs` milliseconds of a core. `cpuMsOf`: what it took, in the same unit; by default its time counts, which is
   * longer on a busy machine.
   */
  async run<T> (tenant: string, jobId: string, bytes: number, check: (mostMs?: number) => Promise<T>,
    cpuMsOf: (result: T) => number | undefined = () => undefined): Promise<T> {
    const isSmall = bytes <= smallInputBytes
    const turn = { tenant, jobId, isSmall }
    // The sandbox has a line of its own, whatever its files may have.
    if (tenant === sandboxTenant) return await this.#run({ ...turn, size: 'small' }, check, cpuMsOf)
    if (isSmall && !this.#slow.has(tenant)) {
      try {
        return await this.#run({ ...turn, size: 'small' }, () => check(smallCheckMs), cpuMsOf)
      } catch (error) {
        if (!(error instanceof CheckStopped)) throw error
        this.#slow.ran(tenant, stoppedMs)
      }
    }
    return await this.#run({ ...turn, size: 'large' }, check, cpuMsOf)
  }

  async #run<T> ({ tenant, jobId, size, isSmall }: Turn, check: () => Promise<T>,
    cpuMsOf: (result: T) => number | undefined): Promise<T> {
    const line = lineOf(tenant, size)
    this.#expectedMs.set(jobId, size === 'small' ? smallCheckMs : largeCheckMs)
    await this.#turn(tenant, line, jobId).finally(() => this.#expectedMs.delete(jobId))
    const beganMs = performance.now()
    let cpuMs: number | undefined
    let isCut = true
    try {
      this.#budgets.checkTurn(tenant)
      const result = await check()
      cpuMs = cpuMsOf(result)
      isCut = false
      return result
    } catch (error) {
      throw error instanceof QueueError
        ? new TabcastError('compute_unavailable', 'No compute worker answered; nothing was stored.', { cause: error })
        : error
    } finally {
      const tookMs = cpuMs ?? performance.now() - beganMs
      // The check of a large input may take long.
      if (isSmall) this.#slow.ran(tenant, tookMs)
      this.#waiting.ended(line, jobId, tookMs, isCut)
      this.#change(line, -1)
      this.pump()
    }
  }

  /** Starts the checks that have a place. Call it when workers may have appeared. */
  pump (): void {
    const places = this.#places()
    const share = Math.max(1, places - 1)
    for (let free = places - this.#underWay(() => true); free > 0; free--) {
      const mayBeLarge = this.#underWay(isLarge) < share
      const next = this.#waiting.take((line) =>
        (mayBeLarge || !isLarge(line)) && this.#underWay((other) => tenantOf(other) === tenantOf(line)) < share
      )
      if (next === undefined) return
      this.#change(next.tenant, 1)
      this.#starts.get(next.jobId)?.()
    }
  }

  async #turn (tenant: string, line: string, jobId: string): Promise<void> {
    const waiting = this.#waiting.sizeOf(lineOf(tenant, 'small')) + this.#waiting.sizeOf(lineOf(tenant, 'large'))
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
        this.#waiting.delete(line, jobId)
        reject(this.#late())
      }, this.#config.CHECK_WAIT_MS)
      this.#starts.set(jobId, () => {
        clearTimeout(timer)
        this.#starts.delete(jobId)
        resolve()
      })
      this.#waiting.add(line, jobId)
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

  #underWay (counts: (line: string) => boolean): number {
    let sum = 0
    for (const [line, count] of this.#running) if (counts(line)) sum += count
    return sum
  }

  #change (line: string, by: 1 | -1): void {
    const count = (this.#running.get(line) ?? 0) + by
    if (count > 0) this.#running.set(line, count)
    else this.#running.delete(line)
  }
}

function lineOf (tenant: string, size: JobSize): string {
  return `${size}/${tenant}`
}

function isLarge (line: string): boolean {
  return line.startsWith('large/')
}

function tenantOf (line: string): string {
  return line.slice(line.indexOf('/') + 1)
}
