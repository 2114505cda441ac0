import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import { messageVersion } from '../../domain/message-version.ts'
import type { ModelQuestion } from '../../domain/model-question.ts'
import type { KnownColumns } from '../../domain/prompt-reading.ts'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import { defined } from '../../platform/defined.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import type { QuickProfileReply, QuickProfileRequest } from '../../platform/queue/quick-messages.ts'
import { CheckStopped } from '../jobs/check-line.ts'
import { contentRefusal } from '../jobs/content-refusal.ts'
import type { JobService, StagedUpload } from '../jobs/job-service.ts'
import { tenantBounds } from '../jobs/tenant-bounds.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'

/**
 * The worker gives up before the caller, so that its answer tells why. The slack covers the wait for a slot;
 * `bytesPerMs` is the lowest speed at which a worker fetches its input.
 */
const slackMs = 8_000
const bytesPerMs = 50_000

export interface DatasetReading {
  profile: DataProfile
  /** What the prompt asks for. */
  intent: ForecastIntent
  /** The question to a language model; null: it could add nothing. */
  question: ModelQuestion | null
  generatedBy: 'rules' | 'model'
}

export interface ReadingWish extends Pick<QuickProfileRequest, 'asksModel' | 'answer'> {
  prompt: string
  columns: KnownColumns
}

interface ReadingDeps {
  config: Config
  queue: ApiQueue
  jobs: JobService
  budgets: Pick<CpuBudgets, 'spend'>
}

/** Has a worker read the file and the prompt, because this process parses neither. Throws if the file has an error. */
export async function readDataset ({ config, queue, jobs, budgets }: ReadingDeps, tenant: string,
  { key, bytes, format }: StagedUpload, wish: ReadingWish): Promise<DatasetReading> {
  const request: QuickProfileRequest = {
    v: messageVersion,
    tenant,
    input: { key, bytes, format },
    ...wish,
    limits: tenantBounds(config, tenant).tables
  }
  const answerMs = config.QUICK_TIMEOUT_MS + slackMs + bytes / bytesPerMs
  const reply = await jobs.takeTurn(tenant, bytes, async (mostMs) => {
    const reply = await queue.quickProfile({ ...request, ...defined({ mostMs }) }, answerMs)
    budgets.spend(tenant, 'profile', reply.cpuMs)
    if ('stopped' in reply) throw new CheckStopped()
    return reply
  })
  if (!reply.ok) throw refusal(reply)
  if (reply.intent === null) throw new Error('a prompt was sent, and no intent came back')
  const { profile, intent, question = null, isByModel = false } = reply
  return { profile, intent, question, generatedBy: isByModel ? 'model' : 'rules' }
}

const failures = {
  storage_error: 'The file could not be read back from the object store.',
  pipeline_failed: 'The process that reads files crashed on this one, and on a second try as well.',
  compute_unavailable: 'The process that reads files was held up.'
} as const

function refusal (reply: Exclude<QuickProfileReply, { ok: true } | { stopped: true }>): TabcastError {
  if ('busy' in reply) return new TabcastError('server_overloaded', 'Too many files are being read at the moment.')
  if ('failed' in reply) return new TabcastError(reply.failed, failures[reply.failed])
  return contentRefusal(reply.error, { data: ['body', 'file'], options: ['body'] })
}
