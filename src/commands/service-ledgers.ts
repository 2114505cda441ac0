import type { Config } from '../platform/config.ts'
import { RetrySchedule } from '../platform/due-work/retry-schedule.ts'
import type { MetadataStore } from '../platform/metadata/metadata-store.ts'
import type { AuditLog } from '../services/audit/audit-log.ts'
import { BatchLedger } from '../services/batches/batch-ledger.ts'
import { CallbackLedger } from '../services/callbacks/callback-ledger.ts'
import { EndpointLedger } from '../services/callbacks/endpoint-ledger.ts'
import type { AuditTrail } from '../services/connections/audit-trail.ts'
import { ConnectionFollower } from '../services/connections/connection-follower.ts'
import { DeliveryLedger } from '../services/deliveries/delivery-ledger.ts'
import { TimingLedger } from '../services/estimates/timing-ledger.ts'
import { jobAudit } from '../services/jobs/job-audit.ts'
import type { JobFollower } from '../services/jobs/job-ledger.ts'
import { jobQuotas } from '../services/jobs/job-quotas.ts'
import { ModelLedger } from '../services/models/model-ledger.ts'
import { ObjectLedger } from '../services/objects/object-ledger.ts'
import type { Quotas } from '../services/quotas/quotas.ts'

interface LedgerParts {
  config: Config
  metadata: MetadataStore
  audit: AuditLog
  quotas: Quotas | undefined
}

export type Ledgers = ReturnType<typeof createLedgers>

/** The services' own records. `followers`: those that are written with a job's. */
export function createLedgers ({ config, metadata, audit, quotas }: LedgerParts, trail: AuditTrail) {
  const endpoints = new EndpointLedger(metadata, audit)
  const callbacks = new CallbackLedger({
    metadata,
    schedule: new RetrySchedule('CALLBACK_RETRY_SECONDS', config.CALLBACK_RETRY_SECONDS),
    endpoints,
    maxWaiting: config.CALLBACKS_PER_TENANT
  })
  const deliveries = new DeliveryLedger({
    metadata,
    schedule: new RetrySchedule('DELIVERY_RETRY_SECONDS', config.DELIVERY_RETRY_SECONDS),
    trail,
    announce: (tx, record, type) => callbacks.announce(tx, record, type)
  })
  const objects = new ObjectLedger(metadata, Date.now, (...held) => quotas?.hold(...held),
    config.MAX_OBJECTS_PER_TENANT)
  const batches = new BatchLedger(metadata)
  const models = new ModelLedger(metadata, {
    ttlMs: config.FINE_TUNE_MODEL_TTL * 1000,
    maxModels: config.FINE_TUNE_MAX_MODELS
  })
  const timings = new TimingLedger(metadata)
  const followers: JobFollower[] = [
    timings.follower,
    objects.follower,
    batches.follower,
    models.follower,
    new ConnectionFollower(metadata, trail),
    deliveries,
    callbacks,
    ...(quotas === undefined ? [] : [jobQuotas(quotas)]),
    jobAudit(audit)
  ]
  return { endpoints, callbacks, deliveries, objects, batches, models, timings, followers }
}
