import { auditTables } from '../audit/audit-log.ts'
import { idempotencyTables } from '../idempotency/tables.ts'
import { connectionTables } from '../connections/tables.ts'
import { callbackTables } from '../callbacks/tables.ts'
import { deliveryTables } from '../deliveries/tables.ts'
import { batchTables } from '../batches/batch-ledger.ts'
import { estimateTables } from '../estimates/timing-ledger.ts'
import { fineTuningTables } from '../fine-tuning/tables.ts'
import { jobTables } from '../jobs/tables.ts'
import { keyTables } from '../keys/key-record.ts'
import { quotaTables } from '../quotas/quota-ledger.ts'
import { objectTables } from '../objects/tables.ts'
import { claimTables } from '../sandbox/domain-claims.ts'
import { captchaTables } from '../sandbox/captcha/tables.ts'
import type { Migration } from '../metadata/metadata-store.ts'

/** Every table of the record; each room names its own. */
export const recordTables = [
  ...jobTables, ...keyTables, ...objectTables, ...batchTables, ...idempotencyTables, ...callbackTables, ...connectionTables, ...deliveryTables,
  ...fineTuningTables, ...estimateTables, ...quotaTables, ...auditTables, ...captchaTables, ...claimTables
] as const

/** How records of earlier releases become those of this one; the schema version of this release follows from their number. */
export const migrations: readonly Migration[] = []
