import type { Logger } from 'pino'
import { renderJob } from '../api/render-job.ts'
import type { Services } from '../api/services.ts'
import type { ServiceObservers } from '../operations/metrics/service-observers.ts'
import type { Config } from '../platform/config.ts'
import type { MetadataStore } from '../platform/metadata/metadata-store.ts'
import { callbackPolicy } from '../platform/network/callback-policy.ts'
import type { ApiQueue } from '../platform/queue/index.ts'
import type { ObjectStore } from '../platform/store/object-store.ts'
import { repeatSweep } from '../platform/time/repeat-sweep.ts'
import type { Vault } from '../platform/vault/vault.ts'
import { AgentService } from '../services/agent/agent-service.ts'
import { languageModelOptions } from '../services/agent/language-model/language-model-options.ts'
import { LanguageModel } from '../services/agent/language-model/language-model.ts'
import { AuditLog } from '../services/audit/audit-log.ts'
import { BatchService } from '../services/batches/batch-service.ts'
import { createCallbackService, type RunningCallbackService } from '../services/callbacks/callback-service.ts'
import { createConnectionService,
  type RunningConnectionService } from '../services/connections/create-connection-service.ts'
import { DeliveryDesk } from '../services/deliveries/delivery-desk.ts'
import { EstimateService } from '../services/estimates/estimate-service.ts'
import { Idempotency } from '../services/idempotency/idempotency.ts'
import { createJobService, type RunningJobService } from '../services/jobs/create-job-service.ts'
import type { KeyService } from '../services/keys/key-service.ts'
import type { Secrets } from '../services/keys/secrets.ts'
import { FineTuningService } from '../services/models/fine-tuning-service.ts'
import { createObjectService, type RunningObjectService } from '../services/objects/create-object-service.ts'
import { splitObserver, withoutSandbox } from '../services/sandbox/apart.ts'
import { DomainClaims } from '../services/sandbox/domain-claims.ts'
import { KeptBytes } from '../services/sandbox/kept-bytes.ts'
import { Sandbox } from '../services/sandbox/sandbox.ts'
import { CovariateDesk } from '../sources/covariates/covariate-desk.ts'
import { configuredRegistry } from '../sources/covariates/provider-registry.ts'
import { createLedgers, type Ledgers } from './service-ledgers.ts'
import { createLimits, type ServiceLimits } from './service-limits.ts'

const auditSweepMs = 3_600_000

/** What the services are built on. The caller opens and closes it. */
export interface ServiceParts {
  config: Config
  metadata: MetadataStore
  keys: KeyService
  secrets: Secrets
  vault: Vault
  store: ObjectStore
  queue: ApiQueue
  engineVersion: string
  /** Counters of events; default: none. */
  observers?: ServiceObservers | undefined
  log: Logger
}

export interface RunningServices extends Services {
  jobs: RunningJobService
  connections: RunningConnectionService
  objects: RunningObjectService
  /** The claims of domains in the sandbox. */
  claims: DomainClaims
  /** Starts nothing new, and resolves when work in progress is finished. */
  stop(): Promise<void>
}

/** What several services share. */
type Shared = ServiceParts & ServiceLimits & { audit: AuditLog }

/** Connects everything behind the routes, for the api process and for the tests of the interface. */
export function createServices (parts: ServiceParts): RunningServices {
  const { config, metadata, vault, secrets, observers, log } = parts
  const limits = createLimits(parts)
  const audit = new AuditLog(metadata, { maxRecords: config.AUDIT_MAX_RECORDS })
  const shared: Shared = { ...parts, ...limits, audit }
  const connections = createConnectionService(shared)
  const ledgers = createLedgers(shared, connections.trail)
  const { claims, kept, sandbox } = createSandbox(parts)
  const jobs = createJobs(shared, ledgers, connections, { claims, kept })
  const callbacks = createCallbacks(shared, ledgers, jobs)
  const deliveries = new DeliveryDesk({
    ...shared,
    ledger: ledgers.deliveries,
    jobs,
    connection: (...key) => connections.destination(...key),
    observer: observers?.deliveries
  })
  const objects = createObjectService({
    ...shared,
    ledger: ledgers.objects,
    takeTurn: (tenant, bytes, read) => jobs.takeTurn(tenant, bytes, read)
  })
  const batches = new BatchService({ ledger: ledgers.batches, jobs, objects, audit })
  const fineTuning = new FineTuningService({ ...shared, ledger: ledgers.models })
  const covariates = new CovariateDesk(configuredRegistry(config), {
    budgets: limits.budgets,
    waitMs: config.CHECK_WAIT_MS,
    limitMs: config.QUICK_TIMEOUT_MS
  })
  const estimates = new EstimateService({ config, ledger: ledgers.timings, jobs, objects, covariates })
  const modelOptions = languageModelOptions(config)
  const model = modelOptions === null ? null : new LanguageModel(modelOptions, log)
  const agent = new AgentService({ ...shared, jobs, estimates, covariates, model })
  const idempotency = new Idempotency({
    metadata,
    vault,
    secret: secrets.cursorKey,
    keepMs: config.IDEMPOTENCY_SECONDS * 1000,
    waitMs: config.IDEMPOTENCY_WAIT_MS,
    maxBytes: config.IDEMPOTENCY_MAX_BYTES
  })
  const sweeps = startSweeps(shared, claims, idempotency)
  return {
    ...shared,
    ...{ jobs, objects, batches, fineTuning, estimates, agent, covariates, callbacks, connections, idempotency },
    ...{ sandbox, claims },
    async stop () {
      for (const part of [...sweeps, connections, callbacks, deliveries, objects, fineTuning, jobs]) await part.stop()
      await covariates.close()
      await sandbox?.stop()
      await limits.room.stop()
      limits.quotas?.close()
    }
  }
}

function createJobs (shared: Shared, ledgers: Ledgers, connections: RunningConnectionService,
  { claims, kept }: { claims: DomainClaims, kept: KeptBytes }): RunningJobService {
  return createJobService({
    ...shared,
    followers: [...ledgers.followers.map(withoutSandbox), claims.follower],
    findConnection: (...key) => connections.source(...key),
    assertObject: (tenant, objectId) => ledgers.objects.assertUploaded(tenant, objectId),
    models: {
      find: (tenant, modelId) => ledgers.models.file(tenant, modelId),
      keptKey: (tenant, jobId) => ledgers.models.keptKey(tenant, jobId)
    },
    observer: splitObserver(shared.observers?.jobs, kept)
  })
}

function createCallbacks (shared: Shared, { callbacks: ledger, endpoints }: Ledgers,
  jobs: RunningJobService): RunningCallbackService {
  return createCallbackService({
    ...shared,
    ledger,
    endpoints,
    jobs,
    policy: callbackPolicy(shared.config),
    budgets: shared.apiBudgets,
    render: (record) => renderJob(record, null),
    observer: shared.observers?.callbacks
  })
}

/** Claims and kept bytes are counted even when the sandbox is off, because its jobs may still end. */
function createSandbox ({ config, metadata, secrets, log }: ServiceParts) {
  const claims = new DomainClaims({
    metadata,
    pepper: secrets.pepper,
    windowMs: config.SANDBOX_CLAIM_DAYS === 0 ? Infinity : config.SANDBOX_CLAIM_DAYS * 86_400_000
  })
  const kept = new KeptBytes(metadata, config.SANDBOX_MAX_STORED_BYTES)
  const sandbox = config.SANDBOX_ENABLED
    ? new Sandbox({ config, metadata, secret: secrets.pepper, claims, kept, log })
    : undefined
  return { claims, kept, sandbox }
}

function startSweeps ({ config, audit, log }: Shared, claims: DomainClaims, idempotency: Idempotency) {
  return [
    repeatSweep('idempotency', config.SWEEP_MS, log, () => idempotency.sweep()),
    repeatSweep('sandbox claims', config.SWEEP_MS, log, () => claims.sweep()),
    repeatSweep('audit', auditSweepMs, log, async () => {
      await audit.sweep(Date.now() - config.AUDIT_RETENTION_DAYS * 86_400_000)
      for (const tenant of audit.full()) {
        log.warn({ tenant },
          'the audit log of a tenant is full: its oldest records are deleted early (TABCAST_AUDIT_MAX_RECORDS)')
      }
    })
  ]
}
