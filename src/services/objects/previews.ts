import { messageVersion } from '../../domain/message-version.ts'
import type { TablePreview } from '../../domain/table-preview.ts'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import type { QuickPreviewReply } from '../../platform/queue/quick-messages.ts'
import { contentRefusal } from '../jobs/content-refusal.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'
import { mediaType } from './content-types.ts'
import type { ObjectLedger } from './object-ledger.ts'
import type { StoredObject } from './object-record.ts'

/** Runs `read` when it is the tenant's turn among everything that workers read for callers who wait. */
export type TakeTurn = <T extends { cpuMs?: number }>(tenant: string, bytes: number,
  read: () => Promise<T>) => Promise<T>

/** The worker's deadline is earlier by this much, so that its answer gives the reason. */
const slackMs = 8_000

/** The first rows of a stored CSV file. A worker reads them, because this process never parses data. */
export class Previews {
  readonly #config: Config
  readonly #queue: ApiQueue
  readonly #ledger: Pick<ObjectLedger, 'assertUploaded'>
  readonly #takeTurn: TakeTurn
  readonly #budgets: Pick<CpuBudgets, 'spend'>

  constructor (
    deps: { config: Config, queue: ApiQueue, ledger: Pick<ObjectLedger, 'assertUploaded'>, takeTurn: TakeTurn,
      budgets: Pick<CpuBudgets, 'spend'> }
  ) {
    this.#budgets = deps.budgets
    this.#ledger = deps.ledger
    this.#config = deps.config
    this.#queue = deps.queue
    this.#takeTurn = deps.takeTurn
  }

  assertCsv ({ contentType }: StoredObject): void {
    if (mediaType(contentType) === 'text/csv') return
    throw new TabcastError('validation_error', `Only text/csv objects have a preview, and this one is ${contentType}.`,
      {
        status: 415,
        suggestion: 'Store the table as CSV with the content type text/csv, or download the object.'
      })
  }

  async read ({ tenant, objectId, key, fileSize }: StoredObject): Promise<TablePreview> {
    const { PREVIEW_MAX_BYTES: maxBytes, PREVIEW_MAX_ROWS: maxRows, QUICK_TIMEOUT_MS: timeoutMs } = this.#config
    const request = { v: messageVersion, tenant, input: { key, bytes: fileSize ?? 0 }, maxBytes, maxRows }
    const reply = await this.#takeTurn(tenant, Math.min(request.input.bytes, maxBytes),
      () => this.#queue.quickPreview(request, timeoutMs + slackMs))
    this.#budgets.spend(tenant, 'preview', reply.cpuMs)
    if (reply.ok) return reply.preview
    if ('failed' in reply) this.#ledger.assertUploaded(tenant, objectId)
    throw refusal(reply)
  }
}

const failures = {
  storage_error: 'The stored file could not be read.',
  pipeline_failed: 'The process that reads files crashed on this one.',
  compute_unavailable: 'The process that reads files was held up.'
} as const

function refusal (reply: Exclude<QuickPreviewReply, { ok: true }>): TabcastError {
  if ('busy' in reply) return new TabcastError('server_overloaded', 'Too many files are being read at the moment.')
  if ('failed' in reply) return new TabcastError(reply.failed, failures[reply.failed])
  return contentRefusal(reply.error, { data: ['path', 'object_id'], options: ['path'] })
}
