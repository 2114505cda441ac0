import { Agent, request } from 'node:http'
import type { Readable } from 'node:stream'

export interface Answer {
  status: number
  text: string
}

export interface Form {
  contentType: string
  body: Buffer
}

interface RequestOptions {
  method?: string
  headers?: Record<string, string | number>
  body?: Buffer | Readable
}

/** A thin HTTP client: at these rates `fetch` would take more of the two CPUs than the service that is measured. */
export class LoadClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 })
  readonly #baseUrl: string
  readonly authorization: string

  constructor (baseUrl: string, key: string) {
    this.#baseUrl = baseUrl
    this.authorization = `Bearer ${key}`
  }

  async request (path: string, { method = 'GET', headers = {}, body }: RequestOptions = {}): Promise<Answer> {
    return await new Promise((resolve, reject) => {
      const outgoing = request(this.#baseUrl + path, {
        method,
        agent: this.#agent,
        headers: { authorization: this.authorization, ...headers }
      }, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      })
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The server has closed a connection that was idle, just as it was used again: this is what clients repeat.
        const isStale = outgoing.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') &&
          (body === undefined || Buffer.isBuffer(body))
        if (isStale) resolve(this.request(path, { method, headers, ...(body === undefined ? {} : { body }) }))
        else reject(error)
      })
      if (body === undefined || Buffer.isBuffer(body)) outgoing.end(body)
      else body.on('error', reject).pipe(outgoing)
    })
  }

  async submit (form: Form, path = '/forecast'): Promise<string> {
    const answer = await this.request(path, {
      method: 'POST',
      headers: { 'content-type': form.contentType, 'content-length': form.body.length },
      body: form.body
    })
    if (answer.status !== 202) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`)
    return (JSON.parse(answer.text) as { job_id: string }).job_id
  }

  async status (jobId: string, waitSeconds = 0): Promise<string> {
    const answer = await this.request(`/jobs/${jobId}${waitSeconds > 0 ? `?wait=${waitSeconds}` : ''}`)
    if (answer.status !== 200) throw new Error(`GET /jobs answered ${answer.status}: ${answer.text.slice(0, 300)}`)
    const job = JSON.parse(answer.text) as { status: string, error: string | null }
    if (job.status === 'failed') throw new Error(`job ${jobId} failed: ${job.error}`)
    return job.status
  }

  /** Submits and long-polls until completed; returns the job. */
  async forecast (form: Form): Promise<string> {
    return await this.run(form, '/forecast')
  }

  /** The same of any job. */
  async run (form: Form, path: string): Promise<string> {
    const jobId = await this.submit(form, path)
    while (await this.status(jobId, 30) !== 'completed');
    return jobId
  }

  async delete (jobId: string): Promise<void> {
    const answer = await this.request(`/jobs/${jobId}`, { method: 'DELETE' })
    if (answer.status !== 204) throw new Error(`DELETE /jobs answered ${answer.status}: ${answer.text.slice(0, 300)}`)
  }

  close (): void {
    this.#agent.destroy()
  }
}

/** What precedes and follows the file in a multipart body, so that a large one can be streamed in between. */
export function frameForm (fields: Record<string, string>): { contentType: string, head: Buffer, tail: Buffer } {
  const boundary = 'tabcast-bench-boundary'
  const parts = Object.entries(fields).map(([name, value]) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="panel.csv"\r\ncontent-type: ` +
    'text/csv\r\n\r\n'
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(parts.join('') + file),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`)
  }
}

export function buildForm (fields: Record<string, string>, csv: Iterable<string>): Form {
  const { contentType, head, tail } = frameForm(fields)
  return { contentType, body: Buffer.concat([head, Buffer.from([...csv].join('')), tail]) }
}
