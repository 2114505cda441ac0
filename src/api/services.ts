import type { FastifyBaseLogger } from 'fastify'
import type { DiskSpace } from '../platform/disk/disk-space.ts'
import type { MetadataStore } from '../platform/metadata/metadata-store.ts'
import type { ObjectStore } from '../platform/store/object-store.ts'
import type { Vault } from '../platform/vault/vault.ts'
import type { AgentService } from '../services/agent/agent-service.ts'
import type { AuditLog } from '../services/audit/audit-log.ts'
import type { BatchService } from '../services/batches/batch-service.ts'
import type { CallbackService } from '../services/callbacks/callback-service.ts'
import type { ConnectionService } from '../services/connections/connection-service.ts'
import type { EstimateService } from '../services/estimates/estimate-service.ts'
import type { Idempotency } from '../services/idempotency/idempotency.ts'
import type { JobService } from '../services/jobs/job-service.ts'
import type { KeyService } from '../services/keys/key-service.ts'
import type { Secrets } from '../services/keys/secrets.ts'
import type { FineTuningService } from '../services/models/fine-tuning-service.ts'
import type { ObjectService } from '../services/objects/object-service.ts'
import type { CpuBudgets } from '../services/quotas/cpu-budgets.ts'
import type { Quotas } from '../services/quotas/quotas.ts'
import type { Sandbox } from '../services/sandbox/sandbox.ts'
import type { CovariateDesk } from '../sources/covariates/covariate-desk.ts'

/** The services behind the routes. The process that builds the app opens them, and closes them after the app. */
export interface Services {
  jobs: JobService
  idempotency: Idempotency
  connections: ConnectionService
  covariates: CovariateDesk
  callbacks: CallbackService
  objects: ObjectService
  batches: BatchService
  fineTuning: FineTuningService
  estimates: EstimateService
  agent: AgentService
  /** undefined when the sandbox is off. */
  sandbox: Sandbox | undefined
  keys: KeyService
  audit: AuditLog
  store: ObjectStore
  room: DiskSpace
  /** undefined when there are no quotas. */
  quotas: Quotas | undefined
  /** Processor time of slots that callers wait for. */
  budgets: CpuBudgets
  /** Processor time of the api process. */
  apiBudgets: CpuBudgets
  metadata: MetadataStore
  secrets: Pick<Secrets, 'cursorKey' | 'urlKey'>
  vault: Vault
  log: FastifyBaseLogger
}
