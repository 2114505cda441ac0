import { TabcastError } from './errors.ts'
import { asFile, parseCsv, type Dataset, type Row } from './rows.ts'
import type { ClassificationFields, ForecastFields, Job, JobList, ObjectForecast, PresignedUpload, RegressionFields,
  StoredObject, TabularJob } from './schema.ts'
import { pause, Transport, type Call } from './transport.ts'

export type AnyJob = Job | TabularJob
export type ResultFormat = 'csv' | 'parquet' | 'zip'

export interface ClientOptions {
  /** Such as https://forecasts.example.com. */
  baseUrl: string
  apiKey: string
  /** How often a request is made before connection errors, 429 and 503 are thrown; 6. */
  attempts?: number
  /**
   * For a request, its repeats and the pauses before them included, unless it sends a file; 60,000. No longer pause
   * that the service asks for is waited.
   */
  timeoutMs?: number
}

export interface CallOptions {
  signal?: AbortSignal
  /** Left out: a new one for each call, which its repeats share, so that nothing is made twice. */
  idempotencyKey?: string
}

export interface WaitOptions {
  signal?: AbortSignal
  /** For all of it: upload, job, result and every pause between; left out: without end. */
  timeoutMs?: number
  /** Given the job, which has its `job_id`, every second or two, and when it has ended. */
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
  async forecast (data: Dataset, fields: Fields<ForecastFields> = {},
    options: CallOptions & WaitOptions = {}): Promise<Row[]> {
    return await this.#rowsOf('/forecast', data, fields, options)
  }

  /** Uploads the data; the job can be waited for. */
  async submit (data: Dataset, fields: Fields<ForecastFields> = {},
    options: CallOptions & { timeoutMs?: number } = {}): Promise<Job> {
    return await this.#upload('/forecast', data, fields, options, endOf(options)) as Job
  }

  async classify (data: Dataset, fields: Fields<ClassificationFields> = {},
    options: CallOptions & WaitOptions = {}): Promise<Row[]> {
    return await this.#rowsOf('/v2/classify', data, fields, options)
  }

  async regress (data: Dataset, fields: Fields<RegressionFields> = {},
    options: CallOptions & WaitOptions = {}): Promise<Row[]> {
    return await this.#rowsOf('/v2/regress', data, fields, options)
  }

  /** Stores a file for many forecasts. */
  async upload (data: Dataset, { signal }: { signal?: AbortSignal } = {}): Promise<StoredObject> {
    const { name, body } = await asFile(data)
    const asked = { filename: name, content_type: 'application/octet-stream', file_size: body.size }
    const { object_id: id, upload_url: url, required_headers: required } = await this.#post<PresignedUpload>(
      '/storage/uploads/presign',
      asked,
      { signal }
    )
    // fetch sets the length by itself.
    const headers = Object.fromEntries(
      Object.entries(required).filter(([header]) => header.toLowerCase() !== 'content-length')
    )
    try {
      await this.#transport.call(url, { method: 'PUT', body, headers, signal }, async (answer) => await answer.text())
    } catch (error) {
      // The address takes one upload: it was taken, and the answer was lost.
      if (!(error instanceof TabcastError) || error.status !== 412) throw error
    }
    return await this.#post<StoredObject>(`/storage/uploads/${id}/complete`, {}, { signal })
  }

  async forecastObject (objectId: string, fields: Omit<ObjectForecast, 'object_id'> = {},
    options: CallOptions = {}): Promise<Job> {
    return await this.#post<Job>('/forecast/storage-object', { object_id: objectId, ...fields }, options)
  }

  /** The job as it is now, or after its next change of state, at most `waitSeconds` (0 to 30) later. */
  async job (jobId: string,
    { waitSeconds = 0, signal }: { waitSeconds?: number, signal?: AbortSignal | undefined } = {}): Promise<AnyJob> {
    return await this.#transport.json<AnyJob>(jobPath(jobId, waitSeconds), { signal })
  }

  /** All jobs, newest first, fetched as they are asked for. */
  async *jobs ({ status = [], jobType, createdAfter }: JobFilter = {}): AsyncGenerator<AnyJob, void, undefined> {
    const query = new URLSearchParams({ limit: '200' })
    for (const one of [status].flat()) query.append('status', one)
    if (jobType !== undefined) query.set('job_type', jobType)
    if (createdAfter !== undefined) query.set('created_after', createdAfter)
    for (;;) {
      const { jobs, next_cursor: cursor } = await this.#transport.json<JobList>(`/jobs?${query.toString()}`)
      yield* jobs
      if (cursor === null) return
      query.set('cursor', cursor)
    }
  }

  /** The job when it has completed; one that failed is a TabcastError with its code. */
  async wait (job: string | Pick<AnyJob, 'job_id'>, options: WaitOptions = {}): Promise<AnyJob> {
    const jobId = typeof job === 'string' ? job : job.job_id
    return await knownAs(jobId, this.#wait(jobId, options, endOf(options)))
  }

  async #wait (jobId: string, { signal, timeoutMs = Infinity, onProgress }: WaitOptions,
    endMs: number): Promise<AnyJob> {
    for (;;) {
      const leftMs = endMs - performance.now()
      // The client's own timeout does not end a long poll.
      const longestSeconds = onProgress === undefined ? Math.min(20, this.#transport.timeoutMs / 2000) : 1
      const waitSeconds = Math.max(0, Math.floor(Math.min(longestSeconds, leftMs / 1000)))
      const now = await this.#transport.json<AnyJob>(jobPath(jobId, waitSeconds), {
        signal,
        endMs: Math.max(endMs, performance.now() + 1000)
      })
      onProgress?.(now)
      if (now.status === 'completed') return now
      if (now.status === 'failed') {
        throw new TabcastError(now.error_code ?? 'pipeline_failed', now.error ?? 'the job failed', {
          requestId: now.request_id,
          jobId
        })
      }
      if (performance.now() >= endMs) {
        throw new TabcastError('timeout', `job ${jobId} is ${now.status} after ${timeoutMs} ms; it goes on`, {
          retryable: true,
          jobId
        })
      }
      if (waitSeconds === 0) await pause(Math.max(0, Math.min(leftMs, 200)), signal)
    }
  }

  /** The table of a completed job. */
  async result (jobId: string, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<Row[]> {
    return await this.#result(jobId, { signal })
  }

  async #result (jobId: string, call: Pick<Call, 'signal' | 'endMs'>): Promise<Row[]> {
    return parseCsv(
      await this.#transport.call(resultPath(jobId, 'csv'), { ...call, isDownload: true },
        async (answer) => await answer.text())
    )
  }

  /** The result as it comes: its `body` is a stream. */
  async download (jobId: string, format: ResultFormat = 'csv',
    { signal }: { signal?: AbortSignal } = {}): Promise<Response> {
    return await this.#transport.call(resultPath(jobId, format), { signal, isDownload: true }, async (answer) => answer)
  }

  /** The report of a completed job, a page. */
  async report (jobId: string, { signal }: { signal?: AbortSignal } = {}): Promise<string> {
    return await this.#transport.call(`/jobs/${encodeURIComponent(jobId)}/artifacts/report.html`, {
      signal,
      isDownload: true
    }, async (answer) => await answer.text())
  }

  /** Cancels what has not ended, and deletes the job with its files. */
  async delete (jobId: string): Promise<void> {
    await this.#transport.call(`/jobs/${encodeURIComponent(jobId)}`, { method: 'DELETE' },
      async (answer) => await answer.text())
  }

  /** What callbacks are signed with, for `verifyWebhook`; the key needs the scope `admin`. */
  async webhookSecret (): Promise<string> {
    return (await this.#transport.json<{ secret: string }>('/webhooks/secret')).secret
  }

  async #upload (route: string, data: Dataset, fields: Fields<object>, { signal, idempotencyKey }: CallOptions,
    endMs: number): Promise<AnyJob> {
    const { name, body } = await asFile(data)
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) {
      if (value !== undefined && value !== null) {
        form.append(field, typeof value === 'object' ? JSON.stringify(value) : String(value))
      }
    }
    form.append('file', body, name)
    return await this.#transport.json<AnyJob>(route, {
      method: 'POST',
      body: form,
      headers: onceOnly(idempotencyKey),
      signal,
      endMs
    })
  }

  async #post<T> (path: string, value: object,
    { signal, idempotencyKey }: { signal?: AbortSignal | undefined, idempotencyKey?: string }): Promise<T> {
    const call: Call = {
      method: 'POST',
      body: JSON.stringify(value),
      headers: { ...onceOnly(idempotencyKey), 'content-type': 'application/json' },
      signal
    }
    return await this.#transport.json<T>(path, call)
  }

  async #rowsOf (route: string, data: Dataset, fields: Fields<object>,
    options: CallOptions & WaitOptions): Promise<Row[]> {
    const endMs = endOf(options)
    const { job_id: jobId } = await this.#upload(route, data, fields, options, endMs)
    return await knownAs(jobId,
      this.#wait(jobId, options, endMs).then(() => this.#result(jobId, { signal: options.signal, endMs })))
  }
}

function endOf ({ timeoutMs = Infinity }: { timeoutMs?: number }): number {
  return performance.now() + timeoutMs
}

/** Its job goes on when a call about it fails, and can be asked for again. */
async function knownAs<T> (jobId: string, work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    throw error instanceof TabcastError ? error.with({ jobId }) : error
  })
}

function jobPath (jobId: string, waitSeconds: number): string {
  return `/jobs/${encodeURIComponent(jobId)}?wait=${waitSeconds}`
}

function resultPath (jobId: string, format: ResultFormat): string {
  return `/jobs/${encodeURIComponent(jobId)}/download?format=${format}`
}

function onceOnly (idempotencyKey: string = crypto.randomUUID()): Record<string, string> {
  return { 'idempotency-key': idempotencyKey }
}
