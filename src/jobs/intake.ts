import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Logger } from 'pino'
import { encode } from 'cborg'
import { monotonicFactory } from 'ulid'
import type { Config } from '../config.ts'
import { contentErrorCode, contentFieldError } from '../content-error.ts'
import { TabcastError, type TabcastErrorOptions } from '../errors.ts'
import { MetadataError } from '../metadata/metadata-error.ts'
import { QueueError, type ApiQueue } from '../queue/index.ts'
import { messageVersion, type ContentError, type FileFormat, type ForecastSpec, type QuickCheckReply } from '../queue/messages.ts'
import { inputKey, jobPrefix } from '../store/keys.ts'
import type { ObjectStore } from '../store/object-store.ts'
import { StoreError } from '../store/store-error.ts'
import type { Admission } from './admission.ts'
import type { CheckLine } from './check-line.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { JobLedger } from './job-ledger.ts'
import { tableLimits } from './job-message.ts'
import type { JobRecord } from './job-record.ts'
import type { ForecastSubmission, Within } from './job-service.ts'
import { jobSize } from './job-size.ts'

/** Ids of the same millisecond are in order too: lists are sorted by them. */
const nextUlid = monotonicFactory()

/** The worker gives up first, so that its answer says why: time to find a slot, and the least bytes of an input that it fetches in a millisecond. */
const slackMs = 8_000
const bytesPerMs = 50_000

interface IntakeDeps {
  config: Config
  ledger: JobLedger
  store: ObjectStore
  queue: ApiQueue
  admission: Admission
  checks: CheckLine
  dispatcher: Dispatcher
  /** Version of the engine, part of `model_version`. */
  engineVersion: string
  log: Logger
}

/** Takes a job in: store, check, record. Until the record is on disk nothing of it may stay behind. */
export class Intake {
  readonly #deps: IntakeDeps

  constructor (deps: IntakeDeps) {
    this.#deps = deps
  }

  async submit (tenant: string, submission: ForecastSubmission, within?: Within): Promise<JobRecord> {
    const { admission, ledger, dispatcher } = this.#deps
    const jobId = `job_${nextUlid()}`
    try {
      admission.enter(tenant, jobId)
      const record = await this.#store(tenant, jobId, submission)
      await ledger.create([record], (tx) => within?.(tx, record))
      dispatcher.add(record)
      return record
    } catch (error) {
      admission.leave({ jobId })
      await this.#undo(tenant, jobId, submission)
      throw asTabcastError(error)
    }
  }

  async #store (tenant: string, jobId: string, submission: ForecastSubmission): Promise<JobRecord> {
    const { store, config, engineVersion } = this.#deps
    const { upload, spec } = submission
    const key = inputKey(tenant, jobId)
    await store.putFile(key, upload.path, { move: true })
    const input = { key, format: upload.format, bytes: upload.bytes, sha256: upload.sha256 }
    const checked = await this.#deps.checks.run(tenant, jobId, () => this.#check(input, spec))
    return {
      v: 1,
      jobId,
      tenant,
      keyId: submission.keyId,
      requestId: submission.requestId,
      jobType: 'forecast',
      status: 'pending',
      size: jobSize(input.bytes <= config.SYNC_CHECK_MAX_BYTES ? checked.profile : null, spec),
      createdAtMs: Date.now(),
      startedAtMs: null,
      completedAtMs: null,
      expiresAtMs: null,
      name: submission.name,
      metadata: submission.metadata,
      spec,
      configHash: configHash(spec),
      input,
      profile: checked.profile,
      dispatch: 1,
      streamSequence: null,
      attempt: 0,
      run: null,
      slotDeaths: 0,
      lostWorkers: 0,
      winner: null,
      files: [],
      numItems: null,
      datasetHash: null,
      modelVersion: `${engineVersion}+${spec.preset}`,
      timings: null,
      warnings: checked.warnings,
      error: null,
      errorCode: null,
      ...(submission.callbackUrl === null ? {} : { callback: { url: submission.callbackUrl, status: 'pending' } })
    }
  }

  /** Asks a worker to read the file; the api process itself never parses data. */
  async #check (input: { key: string, format: FileFormat, bytes: number }, spec: ForecastSpec) {
    const { config, queue } = this.#deps
    const limits = { ...tableLimits(config), maxForecastPoints: config.MAX_FORECAST_POINTS, maxOutputBytes: config.MAX_OUTPUT_BYTES }
    const depth = input.bytes <= config.SYNC_CHECK_MAX_BYTES ? 'full' : 'header'
    const answerMs = config.QUICK_TIMEOUT_MS + slackMs + input.bytes / bytesPerMs
    const reply = await queue.quickCheck({ v: messageVersion, input, spec, limits, depth }, answerMs)
    if (reply.ok) return { profile: reply.profile, warnings: reply.warnings }
    throw refusal(reply)
  }

  /** A leftover that cannot be deleted now is found by the hourly sweep of inputs without a record. */
  async #undo (tenant: string, jobId: string, { upload }: ForecastSubmission): Promise<void> {
    try {
      await rm(upload.path, { force: true })
      await this.#deps.store.deletePrefix(jobPrefix(tenant, jobId))
    } catch (error) {
      this.#deps.log.warn({ jobId, err: error }, 'a refused upload could not be removed yet')
    }
  }
}

/** cborg sorts map keys, so equal specifications have equal hashes. */
function configHash (spec: ForecastSpec): string {
  return createHash('sha256').update(encode(spec)).digest('hex')
}

const checkFailures = {
  storage_error: 'The stored upload could not be read for its check; nothing was stored.',
  pipeline_failed: 'The process that checks uploads crashed on this file, and on a second try as well; nothing was stored.',
  compute_unavailable: 'The process that checks uploads was held up; nothing was stored.'
} as const

function refusal (reply: Exclude<QuickCheckReply, { ok: true }>): TabcastError {
  if ('busy' in reply) return new TabcastError('server_overloaded', 'Too many uploads are being checked at the moment; nothing was stored.')
  if ('failed' in reply) return new TabcastError(reply.failed, checkFailures[reply.failed])
  return contentRefusal(reply.error)
}

export function contentRefusal (error: ContentError): TabcastError {
  const options: TabcastErrorOptions = { status: error.status }
  if (error.suggestion !== null) options.suggestion = error.suggestion
  if (error.status === 422) options.fields = [contentFieldError(error)]
  return new TabcastError(contentErrorCode(error), error.message, options)
}

function asTabcastError (error: unknown): unknown {
  if (error instanceof StoreError) {
    const text = error.code === 'no_space' ? 'The disk is full; nothing was stored.' : 'The object store did not take the upload.'
    return new TabcastError('storage_error', text, { cause: error })
  }
  if (error instanceof MetadataError) {
    const text = error.code === 'no_space' ? 'The disk is full; the job was not taken.' : 'The record could not be written; the job was not taken.'
    return new TabcastError('storage_error', text, { cause: error })
  }
  if (error instanceof QueueError) return new TabcastError('compute_unavailable', 'No compute worker answered; nothing was stored.', { cause: error })
  return error
}
