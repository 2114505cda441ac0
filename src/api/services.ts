import type { FastifyBaseLogger } from 'fastify'
import type { AgentService } from '../agent/agent-service.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { Idempotency } from '../idempotency/idempotency.ts'
import type { ConnectionService } from '../connections/connection-service.ts'
import type { CovariateDesk } from '../covariates/covariate-desk.ts'
import type { CallbackService } from '../callbacks/callback-service.ts'
import type { DiskRoom } from '../disk-room/disk-room.ts'
import type { EstimateService } from '../estimates/estimate-service.ts'
import type { FineTuningService } from '../fine-tuning/fine-tuning-service.ts'
import type { BatchService } from '../batches/batch-service.ts'
import type { JobService } from '../jobs/job-service.ts'
import type { KeyService } from '../keys/key-service.ts'
import type { Secrets } from '../keys/secrets.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import type { ObjectService } from '../objects/object-service.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'
import type { Quotas } from '../quotas/quotas.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { ObjectStore } from '../store/object-store.ts'
import type { Vault } from '../vault/vault.ts'

/** What the routes stand on. The process that builds the app opens them and closes them after it. */
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
  /** undefined: there is none. */
  sandbox: Sandbox | undefined
  keys: KeyService
  audit: AuditLog
  store: ObjectStore
  room: DiskRoom
  /** undefined: there are none. */
  quotas: Quotas | undefined
  /** Of what workers compute while a caller waits. */
  budgets: CpuBudgets
  /** Of what the api process does itself. */
  apiBudgets: CpuBudgets
  metadata: MetadataStore
  secrets: Pick<Secrets, 'cursorKey' | 'urlKey'>
  vault: Vault
  log: FastifyBaseLogger
}
