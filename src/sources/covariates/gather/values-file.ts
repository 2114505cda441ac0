import { open, type FileHandle } from 'node:fs/promises'
import type { ExternalCovariatesReport } from '../../../domain/external-covariates-spec.ts'
import type { JobWarning } from '../../../domain/job-result.ts'

/*
 * The file of values that the engine adds to a dataset, and that later runs of the job read again. Little endian: for
 * each grid the values of each column as f64, NaN if missing; then a JSON document; its length in bytes as u64;
 * `tcvalue1`.
 */
const magic = Buffer.from('tcvalue1')
const tailBytes = 8 + magic.length
const maxDocumentBytes = 64 * 1024 * 1024

/** `columns`: the columns that were written for each grid; the engine takes the used ones. */
export interface ValuesDocument {
  columns: Array<{ name: string, used: boolean, ahead: boolean }>
  /** Steps of each grid. */
  steps: number[]
  report: ExternalCovariatesReport
  warnings: JobWarning[]
}

/** Writes the file column by column. */
export class ValuesWriter {
  readonly #file: FileHandle

  private constructor (file: FileHandle) {
    this.#file = file
  }

  static async open (path: string): Promise<ValuesWriter> {
    return new ValuesWriter(await open(path, 'wx', 0o600))
  }

  async write (values: Float64Array): Promise<void> {
    await this.#file.writeFile(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
  }

  async end (document: ValuesDocument): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(document))
    const length = Buffer.alloc(8)
    length.writeBigUInt64LE(BigInt(bytes.length))
    await this.#file.writeFile(Buffer.concat([bytes, length, magic]))
  }

  async close (): Promise<void> {
    await this.#file.close()
  }
}

/** The file's JSON document. Throws if it is not such a file. */
export async function readValuesDocument (path: string): Promise<ValuesDocument> {
  await using file = await open(path)
  const { size } = await file.stat()
  const tail = Buffer.alloc(tailBytes)
  await file.read(tail, 0, tailBytes, Math.max(0, size - tailBytes))
  const length = Number(tail.readBigUInt64LE(0))
  if (!tail.subarray(8).equals(magic) || length > Math.min(maxDocumentBytes, size - tailBytes)) {
    throw new Error('the file of covariates is none')
  }
  const bytes = Buffer.alloc(length)
  await file.read(bytes, 0, length, size - tailBytes - length)
  return JSON.parse(bytes.toString()) as ValuesDocument
}
