import type { Migration } from '../platform/metadata/metadata-store.ts'
import { auditTables } from '../services/audit/audit-log.ts'
import { batchTables } from '../services/batches/batch-ledger.ts'
import { callbackTables } from '../services/callbacks/tables.ts'
import { connectionTables } from '../services/connections/tables.ts'
import { deliveryTables } from '../services/deliveries/tables.ts'
import { estimateTables } from '../services/estimates/timing-ledger.ts'
import { idempotencyTables } from '../services/idempotency/tables.ts'
import { jobTables } from '../services/jobs/tables.ts'
import { keyTables } from '../services/keys/key-record.ts'
import { fineTuningTables } from '../services/models/tables.ts'
import { objectTables } from '../services/objects/tables.ts'
import { quotaTables } from '../services/quotas/quota-ledger.ts'
import { captchaTables } from '../services/sandbox/captcha/tables.ts'
import { claimTables } from '../services/sandbox/domain-claims.ts'

/** All tables of the record, named by the services that own them. */
export const recordTables = [
  ...jobTables,
  ...keyTables,
  ...objectTables,
  ...batchTables,
  ...idempotencyTables,
  ...callbackTables,
  ...connectionTables,
  ...deliveryTables,
  ...fineTuningTables,
  ...estimateTables,
  ...quotaTables,
  ...auditTables,
  ...captchaTables,
  ...claimTables
] as const

/** Migrate the records of earlier releases. The schema version of this release follows from their number. */
export const migrations: readonly Migration[] = []
