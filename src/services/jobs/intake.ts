import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Logger } from 'pino'
import { encode } from 'cborg'
import type { ModelFile } from '../../domain/files.ts'
import { isTabular, type JobSpec } from '../../domain/job.ts'
import { tabularModelName } from '../../domain/tabular-spec.ts'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import { MetadataError } from '../../platform/metadata/metadata-error.ts'
import { newUlid, orderedUlids } from '../../platform/new-ulid.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import { inputKey, jobPrefix } from '../../platform/store/keys.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import { StoreError } from '../../platform/store/store-error.ts'
import { noSuchPreset } from '../forecasts/presets.ts'
import { sandboxTenant } from '../keys/scopes.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'
import type { Admission } from './admission.ts'
import { checkAll } from './check-all.ts'
import { checkContent, type Checked } from './check-content.ts'
import type { CheckLine } from './check-line.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { JobLedger, WithinAll } from './job-ledger.ts'
import { requestNote, storedInput, type JobRecord } from './job-record.ts'
import type { JobSubmission, SpooledFile, StagedUpload } from './job-service.ts'
import { jobSize } from './job-size.ts'
import { recordedType } from './job-types.ts'
import type { ResultSpace } from './result-space.ts'
import { tenantBounds } from './tenant-bounds.ts'
import { defined } from '../../platform/defined.ts'

/** Monotonic, because lists are sorted by id. */
const nextUlid = orderedUlids()
/** Everybody with the sandbox's key can read its jobs by their ids, so one id must not reveal the next. */
const newJobId = (tenant: string): string => `job_${tenant === sandboxTenant ? newUlid() : nextUlid()}`

interface IntakeDeps {
  config: Config
  ledger: JobLedger
  store: ObjectStore
  queue: ApiQueue
  admission: Admission
  resultSpace: ResultSpace
  checks: CheckLine
  budgets: Pick<CpuBudgets, 'spend'>
  dispatcher: Dispatcher
  findModel: FindModelFile
  assertObject: AssertObject
  /** Version of the engine, part of `model_version`. */
  engineVersion: string
  log: Logger
}

/** Limit on the stored specification, which is read with its job and travels to a worker in one message. */
export const maxSpecificationBytes = 128 * 1024

/** Concurrent checks of one request; the check line decides how many of them run. */
const checkWidth = 8

type Input = JobRecord['input']

/** Throws unless the tenant has the stored object with its bytes. */
export type AssertObject = (tenant: string, objectId: string) => void

/** undefined when the tenant has no such model, or no longer. */
export type FindModelFile = (tenant: string, modelId: string) => ModelFile | undefined

interface NewJob {
  jobId: string
  submission: JobSubmission
  configHash: string
  input: Input
  model: ModelFile | undefined
  /** `none`: only the job can reach the data, or the table is too large to be read before. */
  depth: 'full' | 'header' | 'none'
}

/** Accepts jobs: store, check, record. A submission that fails before its record leaves nothing behind. */
export class Intake {
  readonly #deps: IntakeDeps

  constructor (deps: IntakeDeps) {
    this.#deps = deps
  }

  async stage (tenant: string, upload: SpooledFile): Promise<StagedUpload> {
    const { bytes, sha256, format } = upload
    const jobId = newJobId(tenant)
    const key = inputKey(tenant, jobId)
    try {
      await this.#put(key, upload)
    } catch (error) {
      throw asTabcastError(error)
    }
    return { jobId, key, bytes, sha256, format }
  }

  /** What cannot be deleted now is found by the hourly sweep of inputs without a record. */
  async unstage (tenant: string, { jobId }: StagedUpload): Promise<void> {
    try {
      await this.#deps.store.deletePrefix(jobPrefix(tenant, jobId))
    } catch (error) {
      this.#deps.log.warn({ jobId, err: error },
        'cannot remove an upload without a job now; the hourly sweep removes it')
    }
  }

  /** Accepts all of them or none. */
  async submit (tenant: string, submissions: readonly JobSubmission[], within?: WithinAll): Promise<JobRecord[]> {
    const { admission, resultSpace, config, ledger, dispatcher } = this.#deps
    const jobs = this.#prepare(tenant, submissions)
    try {
      admission.enter(tenant, jobs.map(({ jobId }) => jobId))
      for (const job of jobs) await this.#store(job)
      const records = await checkAll(jobs, { width: checkWidth, startWithinMs: config.CHECK_WAIT_MS }, async (job) => {
        return this.#record(tenant, job, foundBefore(job.submission) ?? await this.#check(tenant, job))
      })
      resultSpace.keep(records)
      await ledger.create(records, (tx) => within?.(tx, records))
      for (const record of records) dispatcher.add(record)
      return records
    } catch (error) {
      for (const job of jobs) {
        admission.leave(job)
        resultSpace.end(job)
        await this.#undo(tenant, job)
      }
      throw asTabcastError(error)
    }
  }

  /** Small inputs get a full check; several in one request only as long as they are small together. */
  #prepare (tenant: string, submissions: readonly JobSubmission[]): NewJob[] {
    let fullBytes = tenantBounds(this.#deps.config, tenant).fullCheckBytes
    return submissions.map((submission) => {
      const configHash = hashOfSpecification(submission)
      const jobId = submission.source.kind === 'staged' ? submission.source.staged.jobId : newJobId(tenant)
      const input = inputOf(tenant, jobId, submission)
      const model = this.#model(tenant, submission.spec)
      if (!('key' in input)) return { jobId, submission, configHash, input, model, depth: 'none' }
      if (foundBefore(submission) !== undefined) return { jobId, submission, configHash, input, model, depth: 'full' }
      if (input.bytes <= fullBytes) {
        fullBytes -= input.bytes
        return { jobId, submission, configHash, input, model, depth: 'full' }
      }
      // The engine cannot check only the head of a table.
      return { jobId, submission, configHash, input, model, depth: isTabular(submission.spec) ? 'none' : 'header' }
    })
  }

  /** The model may have been deleted since the request was resolved. */
  #model (tenant: string, spec: JobSpec): ModelFile | undefined {
    if (isTabular(spec) || spec.modelId === undefined) return undefined
    const model = this.#deps.findModel(tenant, spec.modelId)
    if (model === undefined) throw noSuchPreset()
    return model
  }

  /** Stored objects are read in place. */
  async #store ({ submission: { source }, input }: NewJob): Promise<void> {
    if (source.kind === 'upload' && 'key' in input) {
      await this.#put(input.key, source.upload)
    }
  }

  async #put (key: string, { path, content }: SpooledFile): Promise<void> {
    if (content === undefined) await this.#deps.store.putFile(key, path, { move: true })
    else await this.#deps.store.putBytes(key, content)
  }

  #record (tenant: string, { jobId, submission, configHash, input, model, depth }: NewJob,
    checked: Checked): JobRecord {
    const { spec } = submission
    return {
      v: 1,
      jobId,
      tenant,
      keyId: submission.keyId,
      requestId: submission.requestId,
      ...defined({ traceparent: submission.traceparent }),
      jobType: recordedType(spec, submission.sandbox !== undefined),
      status: 'pending',
      // One slot of each worker only takes small jobs, so sandbox jobs are never small.
      size: submission.sandbox === undefined
        ? jobSize(depth === 'full' ? checked.profile : null, spec, checked.cpuMs, model, storedInput({ input })?.bytes)
        : 'large',
      createdAtMs: Date.now(),
      startedAtMs: null,
      completedAtMs: null,
      expiresAtMs: null,
      name: submission.name,
      metadata: submission.metadata,
      spec,
      configHash,
      input,
      ...defined({ model }),
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
      modelVersion: modelVersion(spec, this.#deps.engineVersion),
      timings: null,
      warnings: [...(submission.notes ?? []).map((message) => ({ code: requestNote, message, count: 1 })),
        ...checked.warnings],
      error: null,
      errorCode: null,
      ...(submission.callbackUrl === null ? {} : { callback: { url: submission.callbackUrl, status: 'pending' } }),
      ...defined({ delivery: submission.delivery, batch: submission.batch, sandbox: submission.sandbox })
    }
  }

  async #check (tenant: string,
    { jobId, submission: { spec, source, at = ['body'] }, input, model, depth }: NewJob): Promise<Checked> {
    if (!('key' in input) || depth === 'none') return unchecked
    const place = { data: [...at, source.kind === 'object' ? 'object_id' : 'file'], options: at }
    const assertThere = (): void => {
      if (input.objectId !== undefined) this.#deps.assertObject(tenant, input.objectId)
      this.#model(tenant, spec)
    }
    const check = { tenant, input, ...defined({ model }), spec, depth, place, assertThere }
    return await this.#deps.checks.run(tenant, jobId, input.bytes, (mostMs) => checkContent(this.#deps, check, mostMs),
      ({ cpuMs }) => cpuMs)
  }

  /** What cannot be deleted now is found by the hourly sweep of inputs without a record. */
  async #undo (tenant: string, { jobId, submission: { source } }: NewJob): Promise<void> {
    if (source.kind !== 'upload' && source.kind !== 'staged') return
    try {
      if (source.kind === 'upload' && source.upload.content === undefined) await rm(source.upload.path, { force: true })
      await this.#deps.store.deletePrefix(jobPrefix(tenant, jobId))
    } catch (error) {
      this.#deps.log.warn({ jobId, err: error }, 'cannot remove a refused upload now; the hourly sweep removes it')
    }
  }
}

function foundBefore ({ source }: JobSubmission): Checked | undefined {
  return source.kind === 'staged' ? source.checked : undefined
}

const unchecked: Checked = { profile: null, warnings: [] }

function inputOf (tenant: string, jobId: string, { source }: JobSubmission): Input {
  if (source.kind === 'connection') return { connectionId: source.connectionId }
  if (source.kind === 'object') return { ...source.object, sha256: null }
  if (source.kind === 'staged') {
    const { key, format, bytes, sha256 } = source.staged
    return { key, format, bytes, sha256 }
  }
  const { format, bytes, sha256 } = source.upload
  return { key: inputKey(tenant, jobId), format, bytes, sha256 }
}

/** null for a training, because the trained model will have its own version. */
function modelVersion (spec: JobSpec, engineVersion: string): string | null {
  if (isTabular(spec)) return `${engineVersion}+${tabularModelName}`
  const { preset, modelId, training } = spec
  return training === undefined ? modelId ?? `${engineVersion}+${preset}` : null
}

/**
 * cborg sorts map keys, so equal specifications have equal hashes. Throws validation_error for a specification that is
 * too large.
 */
function hashOfSpecification ({ spec, at = ['body'] }: JobSubmission): string {
  const encoded = encode(spec)
  if (encoded.length > maxSpecificationBytes) {
    const place = at.length > 1 ? `, in ${at.slice(1).join('.')}` : ''
    throw new TabcastError('validation_error',
      `The options come to ${encoded.length} bytes${place}; a job takes ${maxSpecificationBytes}.`, {
      status: 413,
      suggestion: 'Send shorter lists and names. max_specification_bytes in GET /limits is the most.'
    })
  }
  return createHash('sha256').update(encoded).digest('hex')
}

function asTabcastError (error: unknown): unknown {
  if (error instanceof StoreError) {
    const text = error.code === 'no_space'
      ? 'The disk is full; nothing was stored.'
      : 'The object store did not take the upload.'
    return new TabcastError('storage_error', text, { cause: error })
  }
  if (error instanceof MetadataError) {
    const text = error.code === 'no_space'
      ? 'The disk is full; the job was not taken.'
      : 'The record could not be written; the job was not taken.'
    return new TabcastError('storage_error', text, { cause: error })
  }
  return error
}
