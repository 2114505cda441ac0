import type { Config } from '../../platform/config.ts'
import type { DiskSpace } from '../../platform/disk/disk-space.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import { sandboxTenant } from '../keys/scopes.ts'
import type { Quotas } from '../quotas/quotas.ts'
import type { JobRecord } from './job-record.ts'
import { tenantBounds } from './tenant-bounds.ts'
import type { WorkerPresence } from './worker-presence.ts'

/**
 * Counts waiting jobs, in all and by tenant, and decides whether to accept more. A place is reserved before the upload
 * is read and kept until the job starts, so that a burst cannot exceed the limits.
 */
export class Admission {
  readonly #config: Config
  readonly #queue: ApiQueue
  readonly #presence: WorkerPresence
  readonly #quotas: Pick<Quotas, 'check'> | undefined
  readonly #room: Pick<DiskSpace, 'check'> | undefined
  /** Waiting jobs: job id -> tenant. */
  readonly #waiting = new Map<string, string>()
  readonly #byTenant = new Map<string, number>()

  constructor (
    deps: { config: Config, queue: ApiQueue, presence: WorkerPresence, room?: Pick<DiskSpace, 'check'> | undefined,
      quotas?: Pick<Quotas, 'check'> | undefined }
  ) {
    this.#config = deps.config
    this.#queue = deps.queue
    this.#presence = deps.presence
    this.#room = deps.room
    this.#quotas = deps.quotas
  }

  /** Without the sandbox's jobs, which come after those of tenants. */
  get waitingOfTenants (): number {
    return this.#waiting.size - (this.#byTenant.get(sandboxTenant) ?? 0)
  }

  /** Throws when this many further jobs of the tenant would be refused. */
  check (tenant: string, count = 1): void {
    if (!this.#queue.connected) {
      throw new TabcastError('compute_unavailable', 'The queue cannot be reached; nothing was stored.')
    }
    if (this.#presence.available().length === 0) {
      throw new TabcastError('compute_unavailable', 'No compute worker can be reached; nothing was stored.')
    }
    const { MAX_QUEUED: most } = this.#config
    const mostOfTenant = tenantBounds(this.#config, tenant).maxWaiting
    const own = this.#byTenant.get(tenant) ?? 0
    // Two tenants can fill the queue. A tenant with hardly any waiting jobs still gets a place.
    const hasFew = tenant !== sandboxTenant && own + count <= Math.max(1, most / 100) &&
      this.#waiting.size + count <= 2 * most
    if (this.#waiting.size + count > most && !hasFew) {
      throw new TabcastError('server_overloaded',
        `${this.#waiting.size} jobs are waiting, and this deployment takes ${most}; nothing was stored.`)
    }
    if (own + count > mostOfTenant) {
      const [whose, ofWhom] = tenant === sandboxTenant
        ? ['jobs of the sandbox', 'them']
        : ['of your jobs', 'one tenant']
      throw new TabcastError('server_overloaded',
        `${own} ${whose} are waiting, and this deployment takes ${mostOfTenant} of ${ofWhom}; nothing was stored.`)
    }
    this.#room?.check(tenant)
    this.#quotas?.check(tenant, { jobs: count, bytes: 0 })
  }

  /** Reserves places for all jobs or for none; `leave` frees one. */
  enter (tenant: string, jobIds: readonly string[]): void {
    this.check(tenant, jobIds.length)
    for (const jobId of jobIds) this.restore(tenant, jobId)
  }

  /** Counts a job that an earlier process accepted. */
  restore (tenant: string, jobId: string): void {
    if (this.#waiting.has(jobId)) return
    this.#waiting.set(jobId, tenant)
    this.#byTenant.set(tenant, (this.#byTenant.get(tenant) ?? 0) + 1)
  }

  leave ({ jobId }: Pick<JobRecord, 'jobId'>): void {
    const tenant = this.#waiting.get(jobId)
    if (tenant === undefined) return
    this.#waiting.delete(jobId)
    const left = (this.#byTenant.get(tenant) ?? 1) - 1
    if (left > 0) this.#byTenant.set(tenant, left)
    else this.#byTenant.delete(tenant)
  }
}
