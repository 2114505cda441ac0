import type { ResultFile } from '../../domain/files.ts'
import { isTabular } from '../../domain/job.ts'
import { TabcastError } from '../../platform/errors.ts'
import { jobPrefix, outputKey } from '../../platform/store/keys.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import { StoreError } from '../../platform/store/store-error.ts'
import type { CsvConversions } from './csv-conversions.ts'
import type { JobRecord } from './job-record.ts'
import type { Download, DownloadFormat, FileDownload } from './job-service.ts'
import { lateCsv } from './late-csv.ts'
import { fileOfArtifact, reportNames, reportsOf } from './report-files.ts'
import type { ResultReads } from './result-reads.ts'
import { tableFilesOf } from './table-files.ts'

/**
 * The formats of a job's result. The table counts as one file, however many formats it was written in, so a job without
 * artefacts has a single-file result. The CSV of a large table is made on the first request for it.
 */
export class Downloads {
  readonly #store: ObjectStore
  readonly #reads: ResultReads
  readonly #conversions: CsvConversions
  readonly #signedUrlSeconds: number

  constructor (
    deps: { store: ObjectStore, reads: ResultReads, conversions: CsvConversions, signedUrlSeconds: number }
  ) {
    this.#store = deps.store
    this.#reads = deps.reads
    this.#conversions = deps.conversions
    this.#signedUrlSeconds = deps.signedUrlSeconds
  }

  async open (found: JobRecord, format: DownloadFormat | null, baseUrl: string): Promise<Download> {
    assertHasTable(found)
    assertCompleted(found)
    const tables = tableFilesOf(found)
    const artefacts = found.files.filter(({ name }) =>
      name !== tables.csv && name !== tables.parquet && !reportNames.has(name)
    )
    const single = artefacts.length === 0
    if (format === 'presign' && !single) {
      throw new TabcastError('validation_error',
        `This result has ${artefacts.length + 1} files, and a signed URL gives one file. Use format=zip.`, {
        status: 400,
        suggestion: 'Use format=zip for all files, format=csv or format=parquet for the table.'
      })
    }
    const record = format === 'parquet' ? found : await this.#withCsv(found)
    if (format === 'zip' || (format === null && !single)) return this.#zip(record)
    const file = this.#table(record, format === 'parquet' ? 'parquet' : 'csv')
    if (format === 'csv' || format === 'parquet') return this.#stream(record, file)
    await this.#assertPresent(record, file)
    const url = this.#store.signGet(this.#key(record, file), {
      expiresInSeconds: this.#signedUrlSeconds,
      filename: downloadName(record, file),
      contentType: file.contentType,
      baseUrl
    })
    return { kind: 'redirect', url }
  }

  /** undefined when no job has a file of this name. */
  async artifact (record: JobRecord, name: string): Promise<FileDownload | undefined> {
    const known = fileOfArtifact(name)
    if (known === undefined) return undefined
    if (known.isAnalysis) assertIsAnalysed(record, name)
    else assertHasReport(record, name)
    assertCompleted(record)
    const file = record.files.find((one) => one.name === known.file)
    // The analysis was skipped, or an earlier release did not make this page.
    if (file === undefined) {
      throw new TabcastError('not_found', `This job was completed without ${name}.`, {
        suggestion: known.isAnalysis
          ? 'explainability.skipped_analyses of the job says why.'
          : 'Run the job again for a result that has it.'
      })
    }
    return { ...await this.#stream(record, file), filename: name.replace('.', `_${record.jobId}.`) }
  }

  async #withCsv (record: JobRecord): Promise<JobRecord> {
    const late = lateCsv(record)
    if (late === undefined) return record
    await this.#assertPresent(record, late.parquet)
    return await this.#conversions.make(record)
  }

  #table (record: JobRecord, format: 'csv' | 'parquet'): ResultFile {
    const wanted = tableFilesOf(record)[format]
    const file = record.files.find(({ name }) => name === wanted)
    if (file === undefined) throw new Error(`the completed job ${record.jobId} has no ${wanted}`)
    return file
  }

  async #stream (record: JobRecord, file: ResultFile): Promise<FileDownload> {
    await this.#assertPresent(record, file)
    return {
      kind: 'stream',
      open: () => this.#read(record, file),
      bytes: file.bytes,
      contentType: file.contentType,
      filename: downloadName(record, file)
    }
  }

  async #zip (record: JobRecord): Promise<Download> {
    for (const file of record.files) await this.#assertPresent(record, file)
    const entries = [...record.files]
      .sort((a, b) => a.name < b.name ? -1 : 1)
      .map((file) => ({ name: file.name, bytes: file.bytes, open: () => this.#read(record, file) }))
    return { kind: 'zip', filename: `results_${record.jobId}.zip`, entries }
  }

  /** Checked before any byte is sent, so that a lost object gives an error and not a truncated file. */
  async #assertPresent (record: JobRecord, file: ResultFile): Promise<void> {
    const info = await translating(() => this.#store.stat(this.#key(record, file)))
    if (info === undefined || info.bytes !== file.bytes) {
      throw new TabcastError('storage_error', `The file ${file.name} of this job is no longer in the object store.`, {
        retryable: false
      })
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

function assertHasTable ({ jobType, modelVersion }: JobRecord): void {
  if (jobType !== 'fine_tune') return
  throw new TabcastError('validation_error', 'A job that trains a model has no table to download.', {
    status: 400,
    suggestion: modelVersion === null
      ? 'Use the model in a forecast when the job has completed.'
      : `Use the model in a forecast: presets=ft:${modelVersion}.`
  })
}

function assertIsAnalysed ({ jobType, jobId, spec }: JobRecord, name: string): void {
  if (spec.explainability !== undefined) return
  if (jobType !== 'fine_tune') {
    const made = isTabular(spec) ? 'These predictions were' : 'This forecast was'
    throw new TabcastError('not_found', `${made} made without analyses, so there is no ${name}.`, {
      suggestion: 'Ask for it with the explainability block: {"enabled": true}.'
    })
  }
  throw new TabcastError('validation_error', `A job of type ${jobType} has no ${name}.`, {
    status: 400,
    suggestion: `Read the job itself: GET /jobs/${jobId}.`
  })
}

function assertHasReport ({ jobType, jobId }: JobRecord, name: string): void {
  const names: readonly string[] = reportsOf(jobType)
  if (names.includes(name)) return
  throw new TabcastError('validation_error', `A job of type ${jobType} has no ${name}.`, {
    status: 400,
    suggestion: names.length === 0 ? `Read the job itself: GET /jobs/${jobId}.` : `It has ${names.join(' and ')}.`
  })
}

function assertCompleted (record: JobRecord): void {
  if (record.status === 'completed') return
  const failed = record.status === 'failed'
  throw new TabcastError('job_not_completed',
    failed ? `The job failed (${record.errorCode}); it has no result.` : `The job is ${record.status}.`, {
    retryable: !failed,
    suggestion: failed
      ? 'See error and error_code on the job.'
      : 'Poll GET /jobs/{job_id}?wait=30 until status is completed.'
  })
}

function downloadName (record: JobRecord, file: ResultFile): string {
  return file.name.replace(/^(forecast|predictions)/, `$1_${record.jobId}`)
}

async function translating<T> (read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof StoreError) {
      throw new TabcastError('storage_error', 'The object store cannot be read now.', { cause: error })
    }
    throw error
  }
}
