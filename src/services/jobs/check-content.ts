import type { ContentPlace } from '../../domain/content-error.ts'
import type { ModelFile } from '../../domain/files.ts'
import { isTabular, type JobSpec } from '../../domain/job.ts'
import { messageVersion } from '../../domain/message-version.ts'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import type { QuickCheckReply } from '../../platform/queue/quick-messages.ts'
import { sandboxTenant } from '../keys/scopes.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'
import { CheckStopped } from './check-line.ts'
import { contentRefusal } from './content-refusal.ts'
import type { JobRecord, StoredInput } from './job-record.ts'
import { sandboxCaps, tenantBounds } from './tenant-bounds.ts'
import { defined } from '../../platform/defined.ts'

/**
 * The worker's deadline is earlier, so that its answer gives the reason. These allow for finding a slot, and for the
 * slowest rate of fetching an input.
 */
const slackMs = 8_000
const bytesPerMs = 50_000

/** `cpuMs`: milliseconds of a core that the check took; absent if nothing was checked. */
export type Checked = Pick<JobRecord, 'profile' | 'warnings'> & { cpuMs?: number }

export interface ContentCheck {
  tenant: string
  input: Pick<StoredInput, 'key' | 'format' | 'bytes'>
  model?: ModelFile
  spec: JobSpec
  depth: 'full' | 'header'
  /** The fields of the request that hold the data and the options. */
  place: ContentPlace
  /** Throws when the input or the model was deleted in the meantime, which then explains a failed read. */
  assertThere?: () => void
}

interface ContentCheckDeps {
  config: Config
  queue: ApiQueue
  budgets: Pick<CpuBudgets, 'spend'>
}

/**
 * Asks a worker to read the file, because the api process never parses data. Throws the faults that it finds, and
 * CheckStopped if the check took more than `mostMs` milliseconds of a core.
 */
export async function checkContent ({ config, queue, budgets }: ContentCheckDeps,
  { tenant, input, model, spec, depth, place, assertThere }: ContentCheck, mostMs?: number): Promise<Checked> {
  const { key, format, bytes } = input
  const { tables, maxOutputBytes } = tenantBounds(config, tenant)
  const limits = { ...tables, maxForecastPoints: config.MAX_FORECAST_POINTS, maxOutputBytes }
  const answerMs = config.QUICK_TIMEOUT_MS + slackMs + bytes / bytesPerMs
  const request = {
    v: messageVersion,
    tenant,
    input: { key, format, bytes },
    ...defined({ model }),
    spec,
    limits,
    depth,
    ...defined({ mostMs })
  }
  const reply = await queue.quickCheck(request, answerMs)
  budgets.spend(tenant, 'check', reply.cpuMs)
  if (reply.ok) return { profile: reply.profile, warnings: reply.warnings, ...defined({ cpuMs: reply.cpuMs }) }
  if ('stopped' in reply) throw new CheckStopped()
  if ('failed' in reply) assertThere?.()
  throw refusal(reply, place, tenant, isTabular(spec) ? undefined : spec.columns.itemId)
}

const checkFailures = {
  storage_error: 'The stored file could not be read for its check; no job was made.',
  pipeline_failed:
    'The process that checks uploads crashed on this file, and on a second try as well; nothing was stored.',
  compute_unavailable: 'The process that checks uploads was held up; nothing was stored.'
} as const

function refusal (reply: Exclude<QuickCheckReply, { ok: true } | { stopped: true }>, place: ContentPlace,
  tenant: string, itemIdColumn: string | undefined): TabcastError {
  if ('busy' in reply) {
    return new TabcastError('server_overloaded',
      'Too many uploads are being checked at the moment; nothing was stored.')
  }
  if ('failed' in reply) {
    const { failed, message = checkFailures[failed], suggestion } = reply
    return new TabcastError(failed, message, defined({ suggestion }))
  }
  if (tenant === sandboxTenant && reply.error.status === 413) return tooLargeForSandbox(reply.error.message)
  const { code, column, suggestion } = reply.error
  if (code !== 'missing_column' || column === null || column !== itemIdColumn) return contentRefusal(reply.error, place)
  // The most common first file has only dates and values.
  const option = tenant === sandboxTenant ? 'one_series=true' : 'preparation={"series_columns": []}'
  return contentRefusal({
    ...reply.error,
    suggestion: `${suggestion ?? ''} If all rows are one series, send ${option}.`.trim()
  }, place)
}

export function tooLargeForSandbox (message: string): TabcastError {
  const { fileBytes, rows, series, columns } = sandboxCaps
  return new TabcastError('sandbox_dataset_too_large', message, {
    suggestion:
      `The sandbox takes files of at most ${fileBytes} bytes with ${rows} rows, ${series} series and ${columns} ` +
      'columns. Send a part of the data, or use a key of a tenant.'
  })
}
