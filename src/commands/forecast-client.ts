/** The part of a job that the demo and the benchmarks read. */
export interface Job {
  job_id: string
  status: 'pending' | 'running' | 'completed' | 'failed'
  error: string | null
  error_code: string | null
  num_items: number | null
  timings: Record<string, number> | null
}

export interface ForecastClientOptions {
  baseUrl: string
  key: string
}

export interface DatasetUpload {
  filename: string
  body: Blob
}

/** The three calls of the main job: submit a file, wait for its result, download it. Anything but success throws. */
export class ForecastClient {
  readonly #baseUrl: string
  readonly #headers: Record<string, string>

  constructor ({ baseUrl, key }: ForecastClientOptions) {
    this.#baseUrl = baseUrl
    this.#headers = { authorization: `Bearer ${key}` }
  }

  /** `fields` are the form fields of the route beside the file. */
  async submit (upload: DatasetUpload, fields: Record<string, string> = {}, route: '/forecast' | '/v2/classify' | '/v2/regress' = '/forecast'): Promise<Job> {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', upload.body, upload.filename)
    const answer = await this.#call(route, { method: 'POST', body: form })
    return await answer.json() as Job
  }

  async get (jobId: string, waitSeconds = 0): Promise<Job> {
    const answer = await this.#call(`/jobs/${jobId}${waitSeconds > 0 ? `?wait=${waitSeconds}` : ''}`)
    return await answer.json() as Job
  }

  /** Long-polls until the job is terminal; `onChange` sees every state on the way. Throws when the job failed. */
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

  async #call (path: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(this.#baseUrl + path, { ...init, headers: this.#headers })
    if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
}
