import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import multipart, { type MultipartFields, type MultipartFile, type MultipartValue } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FieldError } from '../../domain/error-codes.ts'
import { TabcastError } from '../../platform/errors.ts'
import { newUlid } from '../../platform/new-ulid.ts'
import { watchFormEnd } from '../form-end.ts'
import { maxFormParts } from '../limits.ts'
import { spool, uploadFailure, type Spooled } from '../spool.ts'
import { watchUploadRate } from '../upload-rate.ts'

const maxFieldNameBytes = 100
const maxFilenameBytes = 255

export interface UploadLimits {
  maxFileBytes: number
  maxFieldBytes: number
  /** 0: no minimum. */
  minBytesPerSecond: number
  /** The error for a larger file; default: file_too_large. */
  tooLarge?: () => TabcastError
}

/** The file of a form, complete: in memory, or under a name of our own. */
export interface Upload extends Spooled {
  path: string
  /** The client's name, for messages and its extension; never part of a path. */
  filename: string
}

export interface ReceivedForm {
  /** Without empty fields, which count as absent. A field declared as JSON is parsed. */
  fields: Record<string, unknown>
  upload: Upload | undefined
}

export interface ReceiveOptions {
  folder: string
  limits: UploadLimits
  /** Checks the name before any byte of the file is read; throws to refuse it. */
  acceptFilename: (filename: string) => void
  /** Called with the file's bytes as they arrive; throws to refuse the rest. */
  onBytes: (bytes: number) => void
}

/** Use it only in a scope that takes nothing but forms, because the plugin adds hooks to every route of the scope. */
export async function parseForms (scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', (_request, _payload, done) => {
    done(new TabcastError('validation_error', 'This route takes the file as a form, not as JSON.', {
      status: 415,
      suggestion: 'Send multipart/form-data with the file. For a stored file, send JSON to the route that ends with ' +
        '/storage-object.'
    }))
  })
  await scope.register(multipart)
}

/** Throws 413 for a form that announces more than any form may have, for which disk space would not help. */
export function refuseOversized (request: FastifyRequest, limits: UploadLimits): void {
  if (Number(request.headers['content-length'] ?? 0) > maxFormBytes(limits)) throw fileTooLarge(limits)
}

/** Includes the text fields and the separators of the parts. */
function maxFormBytes (limits: UploadLimits): number {
  return limits.maxFileBytes + maxFormParts * (limits.maxFieldBytes + 1024)
}

/**
 * Reads a form to its end: text fields and a small file into memory, a larger file to disk, counted and hashed. Fields
 * may come before or after the file. When this rejects, the file is gone.
 */
export async function receiveForm (request: FastifyRequest, options: ReceiveOptions): Promise<ReceivedForm> {
  const { limits } = options
  refuseEncodedBody(request)
  const maxBytes = maxFormBytes(limits)
  const form: ReceivedForm = { fields: Object.create(null) as Record<string, unknown>, upload: undefined }
  const meter = (): void => request.meterPass()
  // Registered before everything else that reads the bytes.
  request.raw.on('data', meter)
  const end = watchFormEnd(request.raw)
  const reading = readParts(request, form, options)
  const rate = watchUploadRate(request.raw, { minBytesPerSecond: limits.minBytesPerSecond, maxBytes })
  try {
    await Promise.race([reading, rate.failed])
    end.assertNothingFollows()
    return form
  } catch (error) {
    // A reader that waits for bytes ends once its stream is cut; only then can its file be removed.
    request.raw.unpipe()
    void reading.then(() => discard(form.upload), () => discard(form.upload))
    throw isTooLarge(error)
      ? fileTooLarge(limits)
      : uploadFailure(error, 'The form ends before it is complete, or is not valid multipart/form-data.')
  } finally {
    rate.stop()
    end.stop()
    request.raw.off('data', meter)
  }
}

async function readParts (request: FastifyRequest, form: ReceivedForm, options: ReceiveOptions): Promise<void> {
  const { limits } = options
  const parts = request.parts({
    limits: {
      fileSize: limits.maxFileBytes,
      fieldSize: limits.maxFieldBytes,
      fieldNameSize: maxFieldNameBytes,
      files: 1,
      parts: maxFormParts,
      fields: maxFormParts
    }
  })
  try {
    for await (const part of parts) {
      if (part.type === 'file') await readFile(part, form, options)
      else readField(part as MultipartValue<unknown> & { fields: MultipartFields }, form)
    }
  } catch (error) {
    await discard(form.upload)
    form.upload = undefined
    throw error
  }
}

function readField (part: MultipartValue<unknown>, form: ReceivedForm): void {
  if (part.fieldnameTruncated || part.valueTruncated) {
    throw new TabcastError('validation_error',
      `The field ${JSON.stringify(part.fieldname)} is longer than this deployment allows.`, {
      status: 413,
      suggestion: 'See max_form_field_bytes in GET /limits.'
    })
  }
  if (part.fieldname === 'file') throw fieldRefusal('file', 'value_error', 'expected a file with a name, received text')
  if (part.fieldname in form.fields) {
    throw fieldRefusal(part.fieldname, 'duplicate_field', 'Field is given more than once')
  }
  if (part.value !== '') form.fields[part.fieldname] = part.value
}

async function readFile (part: MultipartFile, form: ReceivedForm,
  { folder, limits, acceptFilename, onBytes }: ReceiveOptions): Promise<void> {
  if (part.fieldname !== 'file') throw fieldRefusal(part.fieldname, 'extra_forbidden', 'Extra inputs are not permitted')
  if (Buffer.byteLength(part.filename) > maxFilenameBytes) {
    throw fieldRefusal('file', 'value_error', `the file name has more than ${maxFilenameBytes} bytes`)
  }
  acceptFilename(part.filename)
  form.fields['file'] = part.filename
  form.upload = {
    path: join(folder, newUlid()),
    filename: part.filename,
    bytes: 0,
    sha256: '',
    head: Buffer.alloc(0),
    tail: Buffer.alloc(0)
  }
  // The parser only stops passing bytes on; the client may keep sending for hours.
  part.file.once('limit', () => part.file.destroy(fileTooLarge(limits)))
  Object.assign(form.upload, await spool(part.file, form.upload.path, (chunk) => onBytes(chunk.length)))
}

/** Ignores a missing file, since its content may have been moved away. */
export async function discard (upload: Upload | undefined): Promise<void> {
  if (upload === undefined || upload.content !== undefined) return
  await unlink(upload.path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  })
}

/** An encoded body would be stored as it is and read as something else. */
function refuseEncodedBody ({ headers }: FastifyRequest): void {
  if (['', 'identity'].includes(headers['content-encoding']?.toLowerCase() ?? '')) return
  throw new TabcastError('validation_error', 'The body has a Content-Encoding, which this route does not take.', {
    status: 415,
    suggestion: 'Send the form without compression. A Parquet file is compressed already.',
    headers: { 'accept-encoding': 'identity' }
  })
}

function fieldRefusal (field: string, type: string, msg: string): TabcastError {
  const error: FieldError = { loc: ['body', field], msg, type }
  return new TabcastError('validation_error', undefined, { fields: [error] })
}

/** Our own limit, the form parser's, or that of the whole body, whichever is reached first. */
function isTooLarge (error: unknown): boolean {
  return ['file_too_large', 'FST_REQ_FILE_TOO_LARGE'].includes(String((error as { code?: unknown } | null)?.code))
}

function fileTooLarge ({ maxFileBytes, tooLarge }: UploadLimits): TabcastError {
  return tooLarge?.() ??
    new TabcastError('file_too_large', `The file is larger than ${maxFileBytes} bytes, the most this deployment takes.`,
      {
        suggestion: 'Send fewer series at a time, or Parquet, which is smaller. See GET /limits.'
      })
}
