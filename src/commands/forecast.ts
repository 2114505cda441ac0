import { randomUUID } from 'node:crypto'
import { access, constants, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { troubleshooting } from '../domain/troubleshooting.ts'
import { loadConfig } from '../platform/config.ts'
import { withoutTrailingSlash } from '../platform/without-trailing-slash.ts'
import { drawFirstSeries } from './first-series.ts'
import { ForecastClient, type Job } from './forecast-client.ts'
import { forecastOptions, inOptions, type ForecastOptions } from './forecast-options.ts'
import { printable } from './printable.ts'
import { ProgressLine, type ProgressOutput } from './progress-line.ts'
import { ServiceError } from './service-error.ts'
import { lostCode, withRetries, type Retries } from './with-retries.ts'

/** About 10 s for a request, and a minute for a job, long enough for a restart of the service. */
const requestAttempts = 6
const waitAttempts = 12
/** Progress does not end a long poll, so on a terminal short polls ask for it. */
const terminalWaitSeconds = 1
const plainWaitSeconds = 10

interface Terminal {
  print: (line: string) => void
  progress: ProgressOutput
}

/** Throws a UsageError for wrong usage. Exit codes: 0 written, 1 failed, 130 interrupted. */
export async function runForecastCommand (args: string[], { print, progress: output }: Terminal): Promise<number> {
  const options = forecastOptions(args, process.env)
  await refuseOutput(options)
  if (options.file !== null) await refuseInput(options.file)
  const interrupt = new AbortController()
  const stop = (): void => interrupt.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const baseUrl = withoutTrailingSlash(options.url ?? `http://127.0.0.1:${loadConfig().PORT}`)
  const progress = new ProgressLine(output)
  const run = new ForecastRun(options, baseUrl, progress, interrupt.signal)
  try {
    await run.finish((line) => print(printable(line)))
    return 0
  } catch (error) {
    progress.clear()
    if (interrupt.signal.aborted) {
      progress.note(
        run.jobId === null
          ? 'interrupted: no answer has come, the file was perhaps not submitted'
          : `interrupted: the job goes on. To wait for it again:\n  ${run.continuation(run.jobId)}`
      )
      return 130
    }
    progress.note(`tabcast: ${failureText(error, baseUrl)}`)
    if (run.jobId !== null && !(error instanceof FailedJob)) {
      progress.note(`To ask for the result again:\n  ${run.continuation(run.jobId)}`)
    }
    return 1
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

class FailedJob extends Error {}

class ForecastRun {
  jobId: string | null
  readonly #options: ForecastOptions
  readonly #baseUrl: string
  readonly #client: ForecastClient
  readonly #progress: ProgressLine
  readonly #retries: Pick<Retries, 'signal' | 'onPause'>

  constructor (options: ForecastOptions, baseUrl: string, progress: ProgressLine, signal: AbortSignal) {
    this.#options = options
    this.#baseUrl = baseUrl
    this.#client = new ForecastClient({ baseUrl, key: options.key, signal })
    this.#progress = progress
    this.#retries = {
      signal,
      onPause: (error, seconds) => progress.note(`${shortText(error, baseUrl)}; again in ${seconds.toFixed(1)} s`)
    }
    this.jobId = options.jobId
  }

  async finish (print: (line: string) => void): Promise<void> {
    const { file, format, out, report, fields } = this.#options
    this.jobId ??= (await this.#submit(file as string)).job_id
    const job = await this.#wait(this.jobId)
    this.#progress.clear()
    print(
      `${out}: ${job.prediction_length} steps of ${job.num_items} series, job ${job.job_id}, ${
        (job.timings?.['total'] ?? 0).toFixed(1)
      } s`
    )
    for (const { code, message } of job.warnings ?? []) print(`warning ${code}: ${inOptions(message)}`)
    if (format === 'csv') {
      const columns = {
        item: fields['item_id_column'] ?? 'item_id',
        timestamp: fields['timestamp_column'] ?? 'timestamp',
        target: fields['target_column'] ?? 'target'
      }
      const drawing = await drawFirstSeries(out, file, columns)
      if (drawing !== null) print(drawing)
    }
    if (job.report_url !== null) print(`${report}: the report, for a browser`)
  }

  /** The command that waits for the job and writes the same file. */
  continuation (jobId: string): string {
    const { file, format, out, url } = this.#options
    const words = ['tabcast forecast', ...file === null ? [] : [quoted(file)], '--job', quoted(jobId), '--out',
      quoted(out), ...format === 'zip' ? ['--zip'] : ['--format', format]]
    return [...words, ...url === null ? [] : ['--url', quoted(url)]].join(' ')
  }

  async #submit (path: string): Promise<Job> {
    const idempotencyKey = randomUUID()
    return await withRetries(async () =>
      await this.#client.submitFile({
        path,
        fields: this.#options.fields,
        idempotencyKey,
        onSent: (fraction) => this.#progress.show('upload', fraction)
      }), { ...this.#retries, attempts: requestAttempts })
  }

  /** Waits until the result is written. Throws FailedJob. */
  async #wait (jobId: string): Promise<Job> {
    let job: Job
    do {
      job = await withRetries(
        async () => await this.#client.get(jobId, this.#progress.isTerminal ? terminalWaitSeconds : plainWaitSeconds),
        { ...this.#retries, attempts: waitAttempts }
      )
      this.#progress.showJob(job)
    } while (job.status === 'pending' || job.status === 'running')
    if (job.status === 'failed') {
      const page = `${this.#baseUrl}${troubleshooting(String(job.error_code))}`
      throw new FailedJob(`job ${jobId} failed: ${job.error_code}: ${inOptions(String(job.error))}\n  see ${page}`)
    }
    await this.#write(job)
    return job
  }

  /** Table and report are there in full, or neither. */
  async #write ({ job_id: jobId, report_url: reportUrl }: Job): Promise<void> {
    const { format, out, report } = this.#options
    const files: Array<{ path: string, fetch: (partial: string) => Promise<void> }> = [
      { path: out, fetch: async (partial) => await this.#client.downloadTo(jobId, format, partial) },
      ...reportUrl === null
        ? []
        : [{ path: report, fetch: async (partial: string) => await this.#client.reportTo(jobId, partial) }]
    ]
    const partialOf = (path: string) => `${path}.partial`
    try {
      for (const { path, fetch } of files) {
        await withRetries(async () => await fetch(partialOf(path)), { ...this.#retries, attempts: requestAttempts })
      }
      await refuseOutput(this.#options)
      for (const { path } of files) await rename(partialOf(path), path)
    } catch (error) {
      for (const { path } of files) await rm(partialOf(path), { force: true })
      throw error
    }
  }
}

/** The size must be known in advance, so folders, pipes and devices are refused. */
async function refuseInput (file: string): Promise<void> {
  await access(file, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error(`${file}: there is no such file`, { cause: error }) : error
  })
  if (!(await stat(file)).isFile()) throw new Error(`${file}: not a file`)
}

async function refuseOutput ({ out, report, force }: ForecastOptions): Promise<void> {
  await access(dirname(out), constants.W_OK)
  for (const path of [out, report]) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (found?.isDirectory() === true) throw new Error(`--out ${out}: ${path} is a folder; name another file`)
    if (found !== undefined && !force) {
      throw new Error(`${path} is there already: --force replaces it, --out names another file`)
    }
  }
}

function failureText (error: unknown, baseUrl: string): string {
  return error instanceof ServiceError ? inOptions(error.describe(baseUrl)) : shortText(error as Error, baseUrl)
}

function shortText (error: Error, baseUrl: string): string {
  if (error instanceof ServiceError) return `${error.code ?? 'no answer of the service'} (${error.status})`
  const code = lostCode(error)
  return code === undefined || (error as NodeJS.ErrnoException).path !== undefined
    ? error.message
    : `no connection to ${baseUrl} (${code})`
}

function quoted (word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
