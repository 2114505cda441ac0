import type { Logger } from 'pino'
import { renderJob } from '../api/render-job.ts'
import type { Services } from '../api/services.ts'
import type { ServiceObservers } from '../operations/metrics/service-observers.ts'
import { dataPaths, type Config } from '../platform/config.ts'
import { DiskSpace } from '../platform/disk/disk-space.ts'
import { RetrySchedule } from '../platform/due-work/retry-schedule.ts'
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
import { BatchLedger } from '../services/batches/batch-ledger.ts'
import { BatchService } from '../services/batches/batch-service.ts'
import { CallbackLedger } from '../services/callbacks/callback-ledger.ts'
import { createCallbackService } from '../services/callbacks/callback-service.ts'
import { EndpointLedger } from '../services/callbacks/endpoint-ledger.ts'
import { ConnectionFollower } from '../services/connections/connection-follower.ts'
import { createConnectionService,
  type RunningConnectionService } from '../services/connections/create-connection-service.ts'
import { DeliveryDesk } from '../services/deliveries/delivery-desk.ts'
import { DeliveryLedger } from '../services/deliveries/delivery-ledger.ts'
import { EstimateService } from '../services/estimates/estimate-service.ts'
import { TimingLedger } from '../services/estimates/timing-ledger.ts'
import { Idempotency } from '../services/idempotency/idempotency.ts'
import { createJobService, type RunningJobService } from '../services/jobs/create-job-service.ts'
import { jobAudit } from '../services/jobs/job-audit.ts'
import type { JobFollower } from '../services/jobs/job-ledger.ts'
import { jobBytes, jobQuotas } from '../services/jobs/job-quotas.ts'
import type { KeyService } from '../services/keys/key-service.ts'
import type { Secrets } from '../services/keys/secrets.ts'
import { FineTuningService } from '../services/models/fine-tuning-service.ts'
import { ModelLedger } from '../services/models/model-ledger.ts'
import { createObjectService, type RunningObjectService } from '../services/objects/create-object-service.ts'
import { ObjectLedger } from '../services/objects/object-ledger.ts'
import { objectBytes } from '../services/objects/object-record.ts'
import { CpuBudgets } from '../services/quotas/cpu-budgets.ts'
import { Quotas } from '../services/quotas/quotas.ts'
import { splitObserver, withoutSandbox } from '../services/sandbox/apart.ts'
import { DomainClaims } from '../services/sandbox/domain-claims.ts'
import { KeptBytes } from '../services/sandbox/kept-bytes.ts'
import { Sandbox } from '../services/sandbox/sandbox.ts'
import { CovariateDesk } from '../sources/covariates/covariate-desk.ts'
import { configuredRegistry } from '../sources/covariates/provider-registry.ts'

/** The share of a tenant's minute on the api's thread that may be used at once: 3 of 10 seconds. */
const savedShare = 0.3

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

/** Connects everything behind the routes, for the api process and for the tests of the interface. */
export function createServices (parts: ServiceParts): RunningServices {
  const { config, metadata, keys, secrets, vault, store, queue, engineVersion, observers, log } = parts
  const room = new DiskSpace({
    folder: config.DATA_DIR,
    scratch: dataPaths(config).scratch,
    maxBytes: config.DATA_DIR_MAX_BYTES,
    minFreeBytes: config.DATA_DIR_MIN_FREE_BYTES,
    log
  })
  const quotas = config.QUOTAS_FILE === ''
    ? undefined
    : new Quotas({ path: config.QUOTAS_FILE, metadata, holders: [jobBytes, objectBytes], log })
  const cpuBudgets = (budget: 'slots' | 'api', perMinuteMs: number, saved: number) => {
    const limitMs = config.RATE_LIMITS ? perMinuteMs : Infinity
    return new CpuBudgets({
      perMinuteMs: limitMs,
      sandboxMs: perMinuteMs,
      savedShare: saved,
      budget,
      observer: observers?.cpu
    })
  }
  const budgets = cpuBudgets('slots', config.SYNC_CPU_MS_PER_MINUTE, 1)
  // All tenants share one thread, so none may save up enough to block it for long.
  const apiBudgets = cpuBudgets('api', config.API_CPU_MS_PER_MINUTE, savedShare)
  const audit = new AuditLog(metadata, { maxRecords: config.AUDIT_MAX_RECORDS })
  const endpoints = new EndpointLedger(metadata, audit)
  const callbackLedger = new CallbackLedger({
    metadata,
    schedule: new RetrySchedule('CALLBACK_RETRY_SECONDS', config.CALLBACK_RETRY_SECONDS),
    endpoints,
    maxWaiting: config.CALLBACKS_PER_TENANT
  })
  const connections = createConnectionService({ config, metadata, vault, audit, queue, budgets, apiBudgets, log })
  const deliveryLedger = new DeliveryLedger({
    metadata,
    schedule: new RetrySchedule('DELIVERY_RETRY_SECONDS', config.DELIVERY_RETRY_SECONDS),
    trail: connections.trail,
    announce: (tx, record, type) => callbackLedger.announce(tx, record, type)
  })
  const objectLedger = new ObjectLedger(metadata, Date.now, (...held) => quotas?.hold(...held),
    config.MAX_OBJECTS_PER_TENANT)
  const batchLedger = new BatchLedger(metadata)
  const modelLedger = new ModelLedger(metadata, {
    ttlMs: config.FINE_TUNE_MODEL_TTL * 1000,
    maxModels: config.FINE_TUNE_MAX_MODELS
  })
  const timings = new TimingLedger(metadata)
  const followersOfTenants: JobFollower[] = [
    timings.follower,
    objectLedger.follower,
    batchLedger.follower,
    modelLedger.follower,
    new ConnectionFollower(metadata, connections.trail),
    deliveryLedger,
    callbackLedger,
    ...(quotas === undefined ? [] : [jobQuotas(quotas)]),
    jobAudit(audit)
  ]
  // Even when the sandbox is off, because its jobs may still end.
  const claims = new DomainClaims({
    metadata,
    pepper: secrets.pepper,
    windowMs: config.SANDBOX_CLAIM_DAYS === 0 ? Infinity : config.SANDBOX_CLAIM_DAYS * 86_400_000
  })
  const kept = new KeptBytes(metadata, config.SANDBOX_MAX_STORED_BYTES)
  const sandbox = config.SANDBOX_ENABLED
    ? new Sandbox({ config, metadata, secret: secrets.pepper, claims, kept, log })
    : undefined
  const followers = [...followersOfTenants.map(withoutSandbox), claims.follower]
  const assertObject = (tenant: string, objectId: string) => objectLedger.assertUploaded(tenant, objectId)
  const models = {
    find: (tenant: string, modelId: string) => modelLedger.file(tenant, modelId),
    keptKey: (tenant: string, jobId: string) => modelLedger.keptKey(tenant, jobId)
  }
  const jobs = createJobService({
    config,
    metadata,
    store,
    queue,
    engineVersion,
    log,
    followers,
    room,
    quotas,
    budgets,
    findConnection: (...key) => connections.source(...key),
    assertObject,
    models,
    observer: splitObserver(observers?.jobs, kept)
  })
  const callbacks = createCallbackService({
    config,
    metadata,
    vault,
    ledger: callbackLedger,
    endpoints,
    jobs,
    policy: callbackPolicy(config),
    budgets: apiBudgets,
    render: (record) => renderJob(record, null),
    observer: observers?.callbacks,
    log
  })
  const deliveries = new DeliveryDesk({
    ledger: deliveryLedger,
    jobs,
    connection: (...key) => connections.destination(...key),
    queue,
    observer: observers?.deliveries,
    log
  })
  const objects = createObjectService({
    config,
    ledger: objectLedger,
    store,
    queue,
    takeTurn: (tenant, read) => jobs.takeTurn(tenant, read),
    budgets,
    room,
    quotas,
    log
  })
  const batches = new BatchService({ ledger: batchLedger, jobs, objects, audit })
  const fineTuning = new FineTuningService({ config, ledger: modelLedger, store, log })
  const covariates = new CovariateDesk(configuredRegistry(config), {
    budgets,
    waitMs: config.CHECK_WAIT_MS,
    limitMs: config.QUICK_TIMEOUT_MS
  })
  const estimates = new EstimateService({ config, ledger: timings, jobs, objects, covariates })
  const modelOptions = languageModelOptions(config)
  const agent = new AgentService({
    config,
    queue,
    jobs,
    budgets,
    estimates,
    covariates,
    model: modelOptions === null ? null : new LanguageModel(modelOptions, log)
  })
  const idempotency = new Idempotency({
    metadata,
    vault,
    secret: secrets.cursorKey,
    keepMs: config.IDEMPOTENCY_SECONDS * 1000,
    waitMs: config.IDEMPOTENCY_WAIT_MS,
    maxBytes: config.IDEMPOTENCY_MAX_BYTES
  })
  const auditSweep = repeatSweep('audit', auditSweepMs, log, async () => {
    await audit.sweep(Date.now() - config.AUDIT_RETENTION_DAYS * 86_400_000)
    for (const tenant of audit.full()) {
      log.warn({ tenant },
        'the audit log of a tenant is full: its oldest records are deleted early (TABCAST_AUDIT_MAX_RECORDS)')
    }
  })
  const forgettingClaims = repeatSweep('sandbox claims', config.SWEEP_MS, log, () => claims.sweep())
  const forgetting = repeatSweep('idempotency', config.SWEEP_MS, log, () => idempotency.sweep())
  return {
    jobs,
    objects,
    batches,
    fineTuning,
    estimates,
    agent,
    covariates,
    callbacks,
    connections,
    idempotency,
    sandbox,
    claims,
    keys,
    audit,
    store,
    room,
    quotas,
    budgets,
    apiBudgets,
    metadata,
    secrets,
    vault,
    log,
    async stop () {
      await forgetting.stop()
      await forgettingClaims.stop()
      await auditSweep.stop()
      await connections.stop()
      await callbacks.stop()
      await deliveries.stop()
      await objects.stop()
      await fineTuning.stop()
      await jobs.stop()
      await covariates.close()
      await sandbox?.stop()
      await room.stop()
      quotas?.close()
    }
  }
}
