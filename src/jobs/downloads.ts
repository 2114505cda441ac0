import { TabcastError } from '../errors.ts'
import type { ResultFile } from '../queue/messages.ts'
import { jobPrefix, outputKey } from '../store/keys.ts'
import type { ObjectStore } from '../store/object-store.ts'
import { StoreError } from '../store/store-error.ts'
import type { CsvConversions } from './csv-conversions.ts'
import type { JobRecord } from './job-record.ts'
import type { Download, DownloadFormat } from './job-service.ts'
import { lateCsv, tableNames } from './late-csv.ts'
import type { ResultReads } from './result-reads.ts'

/** Files that explain a result without being one. */
const reportNames = new Set(['report.json'])

/**
 * The forms of a job's result. The table counts as one file however many formats it was written in, so a job without
 * artefacts is a single-file result. The CSV of a large table is made when it is first asked for.
 */
export class Downloads {
  readonly #store: ObjectStore
  readonly #reads: ResultReads
  readonly #conversions: CsvConversions
  readonly #signedUrlSeconds: number

  constructor (deps: { store: ObjectStore, reads: ResultReads, conversions: CsvConversions, signedUrlSeconds: number }) {
    this.#store = deps.store
    this.#reads = deps.reads
    this.#conversions = deps.conversions
    this.#signedUrlSeconds = deps.signedUrlSeconds
  }

  async open (found: JobRecord, format: DownloadFormat | null, baseUrl: string): Promise<Download> {
    assertCompleted(found)
    const artefacts = found.files.filter(({ name }) => name !== tableNames.csv && name !== tableNames.parquet && !reportNames.has(name))
    const single = artefacts.length === 0
    if (format === 'presign' && !single) {
      throw new TabcastError('validation_error', `This result has ${artefacts.length + 1} files, and a signed URL gives one file. Use format=zip.`, {
        status: 400, suggestion: 'Use format=zip for all files, format=csv or format=parquet for the table.'
      })
    }
    const record = format === 'parquet' ? found : await this.#withCsv(found)
    if (format === 'zip' || (format === null && !single)) return this.#zip(record)
    const file = this.#table(record, format === 'parquet' ? 'parquet' : 'csv')
    if (format === 'csv' || format === 'parquet') return this.#stream(record, file)
    await this.#assertPresent(record, file)
    const url = this.#store.signGet(this.#key(record, file), {
      expiresInSeconds: this.#signedUrlSeconds, filename: downloadName(record, file), contentType: file.contentType, baseUrl
    })
    return { kind: 'redirect', url }
  }

  async #withCsv (record: JobRecord): Promise<JobRecord> {
    const late = lateCsv(record)
    if (late === undefined) return record
    await this.#assertPresent(record, late.parquet)
    return await this.#conversions.make(record)
  }

  #table (record: JobRecord, format: 'csv' | 'parquet'): ResultFile {
    const file = record.files.find(({ name }) => name === tableNames[format])
    if (file === undefined) throw new Error(`the completed job ${record.jobId} has no ${tableNames[format]}`)
    return file
  }

  async #stream (record: JobRecord, file: ResultFile): Promise<Download> {
    await this.#assertPresent(record, file)
    return { kind: 'stream', open: () => this.#read(record, file), bytes: file.bytes, contentType: file.contentType, filename: downloadName(record, file) }
  }

  async #zip (record: JobRecord): Promise<Download> {
    for (const file of record.files) await this.#assertPresent(record, file)
    const entries = [...record.files]
      .sort((a, b) => a.name < b.name ? -1 : 1)
      .map((file) => ({ name: file.name, bytes: file.bytes, open: () => this.#read(record, file) }))
    return { kind: 'zip', filename: `results_${record.jobId}.zip`, entries }
  }

  /** Before any byte of the answer is sent, so that a lost object is an error and not a cut-off file. */
  async #assertPresent (record: JobRecord, file: ResultFile): Promise<void> {
    const info = await translating(() => this.#store.stat(this.#key(record, file)))
    if (info === undefined || info.bytes !== file.bytes) {
      throw new TabcastError('storage_error', `The file ${file.name} of this job is no longer in the object store.`, { retryable: false })
    }
  }

  async #read (record: JobRecord, file: ResultFile) {
    const stream = await translating(() => this.#reads.open(this.#key(record, file)))
    if (stream === undefined) throw new TabcastError('job_not_found')
    return stream
  }

  #key (record: JobRecord, file: ResultFile): string {
    return outputKey(jobPrefix(record.tenant, record.jobId), record.winner ?? '', file.name)
  }
}

function assertCompleted (record: JobRecord): void {
  if (record.status === 'completed') return
  const failed = record.status === 'failed'
  throw new TabcastError('job_not_completed', failed ? `The job failed (${record.errorCode}); it has no result.` : `The job is ${record.status}.`, {
    retryable: !failed,
    suggestion: failed ? 'See error and error_code on the job.' : 'Poll GET /jobs/{job_id}?wait=30 until status is completed.'
  })
}

function downloadName (record: JobRecord, file: ResultFile): string {
  return file.name.replace(/^forecast/, `forecast_${record.jobId}`)
}

async function translating<T> (read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof StoreError) throw new TabcastError('storage_error', 'The object store cannot be read now.', { cause: error })
    throw error
  }
}
