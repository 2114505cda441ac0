import { TabcastError } from './errors.ts'
import { asFile, parseCsv, type Dataset, type Row } from './rows.ts'
import type { ClassificationFields, ForecastFields, Job, JobList, ObjectForecast, PresignedUpload, RegressionFields, StoredObject, TabularJob } from './schema.ts'
import { pause, Transport, type Call } from './transport.ts'

export type AnyJob = Job | TabularJob
export type ResultFormat = 'csv' | 'parquet' | 'zip'

export interface ClientOptions {
  /** Such as https://forecasts.example.com. */
  baseUrl: string
  apiKey: string
  /** How often a request is made before connection errors, 429 and 503 are thrown; 6. */
  attempts?: number
  /** Without an answer; 60,000. */
  timeoutMs?: number
}

export interface CallOptions {
  signal?: AbortSignal
  /** Left out: a new one for each call, which its repeats share, so that nothing is made twice. */
  idempotencyKey?: string
}

export interface WaitOptions {
  signal?: AbortSignal
  /** Left out: without end. */
  timeoutMs?: number
  /** Given the job every second or two. */
  onProgress?: (job: AnyJob) => void
}

export interface JobFilter {
  status?: AnyJob['status'] | Array<AnyJob['status']>
  jobType?: AnyJob['job_type']
  /** RFC 3339. */
  createdAfter?: string
}

/** As the routes have them; lists may be given as lists, too. */
type Fields<T> = { [Name in keyof T]?: T[Name] | ReadonlyArray<string | number> }

/** One key of a tabcast service. Everything throws TabcastError, or the reason of a signal that was aborted. */
export class Client {
  readonly #transport: Transport

  constructor ({ baseUrl, apiKey, attempts = 6, timeoutMs = 60_000 }: ClientOptions) {
    this.#transport = new Transport({ baseUrl, apiKey, attempts, timeoutMs })
  }

  /** Forecasts rows, a File, a named Blob or, on Node, the path of a file, and gives the rows of the forecast. */
  async forecast (data: Dataset, fields: Fields<ForecastFields> = {}, options: CallOptions & WaitOptions = {}): Promise<Row[]> {
    return await this.#rowsOf(await this.submit(data, fields, options), options)
  }

  /** Uploads the data; the job can be waited for. */
  async submit (data: Dataset, fields: Fields<ForecastFields> = {}, options: CallOptions = {}): Promise<Job> {
    return await this.#upload('/forecast', data, fields, options) as Job
  }

  async classify (data: Dataset, fields: Fields<ClassificationFields> = {}, options: CallOptions & WaitOptions = {}): Promise<Row[]> {
    return await this.#rowsOf(await this.#upload('/v2/classify', data, fields, options), options)
  }

  async regress (data: Dataset, fields: Fields<RegressionFields> = {}, options: CallOptions & WaitOptions = {}): Promise<Row[]> {
    return await this.#rowsOf(await this.#upload('/v2/regress', data, fields, options), options)
  }

  /** Stores a file for many forecasts. */
  async upload (data: Dataset, { signal }: { signal?: AbortSignal } = {}): Promise<StoredObject> {
    const { name, body } = await asFile(data)
    const asked = { filename: name, content_type: 'application/octet-stream', file_size: body.size }
    const { object_id: id, upload_url: url, required_headers: required } = await this.#post<PresignedUpload>('/storage/uploads/presign', asked, { signal })
    // fetch sets the length by itself.
    const headers = Object.fromEntries(Object.entries(required).filter(([header]) => header.toLowerCase() !== 'content-length'))
    try {
      await this.#transport.call(url, { method: 'PUT', body, headers, signal }, async (answer) => await answer.text())
    } catch (error) {
      // The address takes one upload: it was taken, and the answer was lost.
      if (!(error instanceof TabcastError) || error.status !== 412) throw error
    }
    return await this.#post<StoredObject>(`/storage/uploads/${id}/complete`, {}, { signal })
  }

  async forecastObject (objectId: string, fields: Omit<ObjectForecast, 'object_id'> = {}, options: CallOptions = {}): Promise<Job> {
    return await this.#post<Job>('/forecast/storage-object', { object_id: objectId, ...fields }, options)
  }

  /** The job as it is now, or after its next change of state, at most `waitSeconds` (0 to 30) later. */
  async job (jobId: string, { waitSeconds = 0, signal }: { waitSeconds?: number, signal?: AbortSignal | undefined } = {}): Promise<AnyJob> {
    return await this.#transport.json<AnyJob>(`/jobs/${encodeURIComponent(jobId)}?wait=${waitSeconds}`, { signal })
  }

  /** All jobs, newest first, fetched as they are asked for. */
  async * jobs ({ status = [], jobType, createdAfter }: JobFilter = {}): AsyncGenerator<AnyJob, void, undefined> {
    const query = new URLSearchParams({ limit: '200' })
    for (const one of [status].flat()) query.append('status', one)
    if (jobType !== undefined) query.set('job_type', jobType)
    if (createdAfter !== undefined) query.set('created_after', createdAfter)
    for (;;) {
      const { jobs, next_cursor: cursor } = await this.#transport.json<JobList>(`/jobs?${query.toString()}`)
      yield * jobs
      if (cursor === null) return
      query.set('cursor', cursor)
    }
  }

  /** The job when it has completed; one that failed is a TabcastError with its code. */
  async wait (job: string | Pick<AnyJob, 'job_id'>, { signal, timeoutMs = Infinity, onProgress }: WaitOptions = {}): Promise<AnyJob> {
    const jobId = typeof job === 'string' ? job : job.job_id
    const endMs = performance.now() + timeoutMs
    for (;;) {
      const leftMs = endMs - performance.now()
      const waitSeconds = Math.max(0, Math.floor(Math.min(onProgress === undefined ? 20 : 1, leftMs / 1000)))
      const now = await this.job(jobId, { waitSeconds, signal })
      onProgress?.(now)
      if (now.status === 'completed') return now
      if (now.status === 'failed') throw new TabcastError(now.error_code ?? 'pipeline_failed', now.error ?? 'the job failed', { requestId: now.request_id, jobId })
      if (performance.now() >= endMs) throw new TabcastError('timeout', `job ${jobId} is ${now.status} after ${timeoutMs} ms; it goes on`, { retryable: true, jobId })
      if (waitSeconds === 0) await pause(Math.max(0, Math.min(leftMs, 200)), signal)
    }
  }

  /** The table of a completed job. */
  async result (jobId: string, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<Row[]> {
    return parseCsv(await this.#transport.call(resultPath(jobId, 'csv'), { signal }, async (answer) => await answer.text()))
  }

  /** The result as it comes: its `body` is a stream. */
  async download (jobId: string, format: ResultFormat = 'csv', { signal }: { signal?: AbortSignal } = {}): Promise<Response> {
    return await this.#transport.call(resultPath(jobId, format), { signal }, async (answer) => answer)
  }

  /** Cancels what has not ended, and deletes the job with its files. */
  async delete (jobId: string): Promise<void> {
    await this.#transport.call(`/jobs/${encodeURIComponent(jobId)}`, { method: 'DELETE' }, async (answer) => await answer.text())
  }

  /** What callbacks are signed with, for `verifyWebhook`; the key needs the scope `admin`. */
  async webhookSecret (): Promise<string> {
    return (await this.#transport.json<{ secret: string }>('/webhooks/secret')).secret
  }

  async #upload (route: string, data: Dataset, fields: Fields<object>, { signal, idempotencyKey }: CallOptions): Promise<AnyJob> {
    const { name, body } = await asFile(data)
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) {
      if (value !== undefined && value !== null) form.append(field, typeof value === 'object' ? JSON.stringify(value) : String(value))
    }
    form.append('file', body, name)
    return await this.#transport.json<AnyJob>(route, { method: 'POST', body: form, headers: onceOnly(idempotencyKey), signal })
  }

  async #post<T> (path: string, value: object, { signal, idempotencyKey }: { signal?: AbortSignal | undefined, idempotencyKey?: string }): Promise<T> {
    const call: Call = { method: 'POST', body: JSON.stringify(value), headers: { ...onceOnly(idempotencyKey), 'content-type': 'application/json' }, signal }
    return await this.#transport.json<T>(path, call)
  }

  async #rowsOf ({ job_id: jobId }: AnyJob, options: WaitOptions): Promise<Row[]> {
    await this.wait(jobId, options)
    return await this.result(jobId, options)
  }
}

function resultPath (jobId: string, format: ResultFormat): string {
  return `/jobs/${encodeURIComponent(jobId)}/download?format=${format}`
}

function onceOnly (idempotencyKey: string = crypto.randomUUID()): Record<string, string> {
  return { 'idempotency-key': idempotencyKey }
}
