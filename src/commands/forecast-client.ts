import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { withoutTrailingSlash } from '../platform/without-trailing-slash.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { ServiceError } from './service-error.ts'
import { uploadFile } from './upload-file.ts'
import { defined } from '../platform/defined.ts'

/** The fields of a job that the commands, the demo and the benchmarks read. */
export interface Job {
  job_id: string
  status: 'pending' | 'running' | 'completed' | 'failed'
  error: string | null
  error_code: string | null
  num_items: number | null
  prediction_length: number | null
  timings: Record<string, number> | null
  report_url: string | null
  warnings: Array<{ code: string, message: string }> | null
  progress: { stage: string, fraction: number | null, queue_position: number | null } | null
}

export interface ForecastClientOptions {
  baseUrl: string
  key: string
  /** Aborts calls in progress. */
  signal?: AbortSignal
}

export interface DatasetUpload {
  filename: string
  body: Blob
}

export interface FileSubmission {
  path: string
  /** The form fields besides the file. */
  fields: Record<string, string>
  /** A repeat with the same key gets the first answer. */
  idempotencyKey: string
  onSent?: (fraction: number) => void
}

/**
 * The calls of the main job: submit a file, wait for its result, download it. Throws a ServiceError for any
 * unsuccessful answer.
 */
export class ForecastClient {
  readonly #baseUrl: string
  readonly #headers: Record<string, string>
  readonly #signal: { signal?: AbortSignal }

  constructor ({ baseUrl, key, signal }: ForecastClientOptions) {
    this.#baseUrl = withoutTrailingSlash(baseUrl)
    this.#headers = { authorization: `Bearer ${key}` }
    this.#signal = defined({ signal })
  }

  /** `fields`: the form fields besides the file. */
  async submit (upload: DatasetUpload, fields: Record<string, string> = {},
    route: '/forecast' | '/v2/classify' | '/v2/regress' = '/forecast'): Promise<Job> {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', upload.body, upload.filename)
    const answer = await this.#call(route, { method: 'POST', body: form })
    return readJob(`POST ${route}`, answer.status, await answer.text())
  }

  /** Like `submit`, for a file that may be larger than memory. */
  async submitFile ({ path, fields, idempotencyKey, onSent }: FileSubmission): Promise<Job> {
    const { status, headers, body } = await uploadFile({
      url: `${this.#baseUrl}/forecast`,
      headers: { ...this.#headers, 'idempotency-key': idempotencyKey },
      path,
      fields,
      ...this.#signal,
      ...defined({ onSent })
    })
    if (status !== 202) {
      throw new ServiceError('POST /forecast', status, body, retryAfterSeconds(headers['retry-after'], headers.date))
    }
    return readJob('POST /forecast', status, body)
  }

  async get (jobId: string, waitSeconds = 0): Promise<Job> {
    const answer = await this.#call(
      `/jobs/${encodeURIComponent(jobId)}${waitSeconds > 0 ? `?wait=${waitSeconds}` : ''}`
    )
    return readJob('GET /jobs/{id}', answer.status, await answer.text())
  }

  /** Long-polls until the job is terminal. `onChange` gets every state on the way. Throws when the job failed. */
  async waitForForecast (jobId: string, onChange: (job: Job) => void = () => {}): Promise<Job> {
    for (;;) {
      const job = await this.get(jobId, 30)
      onChange(job)
      if (job.status === 'completed') return job
      if (job.status === 'failed') throw new Error(`job ${jobId} failed: ${job.error_code}: ${job.error}`)
    }
  }

  async downloadCsv (jobId: string): Promise<string> {
    const answer = await this.#call(`/jobs/${jobId}/download?format=csv`)
    return await answer.text()
  }

  /** Writes the result to a new file. */
  async downloadTo (jobId: string, format: 'csv' | 'parquet' | 'zip', path: string): Promise<void> {
    await this.#save(`/jobs/${jobId}/download?format=${format}`, path)
  }

  /** Writes the report to a new file. */
  async reportTo (jobId: string, path: string): Promise<void> {
    await this.#save(`/jobs/${jobId}/artifacts/report.html`, path)
  }

  async #save (address: string, path: string): Promise<void> {
    const { body } = await this.#call(address)
    if (body === null) throw new Error(`the answer to ${address} has no body`)
    await pipeline(Readable.fromWeb(body), createWriteStream(path))
  }

  async #call (path: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(this.#baseUrl + path, { ...init, ...this.#signal, headers: this.#headers })
    if (!answer.ok) {
      throw new ServiceError(`${init.method ?? 'GET'} ${path}`, answer.status, await answer.text(),
        retryAfterSeconds(answer.headers.get('retry-after'), answer.headers.get('date')))
    }
    return answer
  }
}

const statuses: unknown[] = ['pending', 'running', 'completed', 'failed']

/** The server may not be tabcast at all, so an answer that is no job is shown in the error. */
function readJob (call: string, status: number, body: string): Job {
  let job: Job | null = null
  try {
    job = JSON.parse(body) as Job | null
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  if (job === null || !/^job_[0-9A-HJKMNP-TV-Z]{26}$/.test(String(job.job_id)) || !statuses.includes(job.status)) {
    throw new ServiceError(call, status, body, null)
  }
  return job
}
