import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JobSpec } from '../domain/job.ts'
import { dataPaths } from '../platform/config.ts'
import { defined } from '../platform/defined.ts'
import { countedByAll } from '../platform/disk/arriving-bytes.ts'
import { TabcastError } from '../platform/errors.ts'
import { isRemoteStore } from '../platform/store/store-config.ts'
import { checkMagicBytes, checkSheetName, formatOfFilename } from '../services/forecasts/input-format.ts'
import type { JobSource, SpooledFile } from '../services/jobs/job-service.ts'
import { replayedHeader } from './answer-once.ts'
import type { Api, RouteContext } from './api.ts'
import { identityOf } from './identity-of.ts'
import { readJsonFields } from './json-fields.ts'
import { nextTurn } from './next-turn.ts'
import { discard, parseForms, receiveForm, refuseOversized, type Upload, type UploadLimits } from './plugins/uploads.ts'

declare module 'fastify' {
  interface FastifyRequest {
    upload: Upload | undefined
    /** Ends the counting of the upload. `isKept`: a job has its bytes now; otherwise they are removed. */
    endUpload: ((isKept: boolean) => void) | undefined
  }
}

/** For a scope whose routes take a dataset with form fields, and nothing else. */
export async function takeForms (api: Api): Promise<void> {
  await parseForms(api as never)
  api.decorateRequest('upload', undefined)
  api.decorateRequest('endUpload', undefined)
  // `onSend` also runs if the client has left in the meantime, because the handler goes on.
  api.addHook('onSend', (request, reply, payload, done) => {
    request.endUpload?.(reply.statusCode === 202 && !reply.hasHeader(replayedHeader))
    done(null, payload)
  })
}

/**
 * Reads the form before validation. `admit`, and the check for disk space, throw before any byte of the file is read.
 * `narrower`: limits below those of the deployment.
 */
export function formReader ({ config, services }: RouteContext, admit: (tenant: string) => void,
  narrower: Partial<UploadLimits> = {}): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const folder = dataPaths(config).spool
  const isElsewhere = isRemoteStore(config)
  const limits: UploadLimits = {
    maxFileBytes: config.MAX_UPLOAD_BYTES,
    maxFieldBytes: config.MAX_FORM_FIELD_BYTES,
    minBytesPerSecond: config.UPLOAD_MIN_BYTES_PER_SECOND,
    ...narrower
  }
  return async (request, reply) => {
    const { tenant } = identityOf(request)
    admit(tenant)
    const bytes = Number(request.headers['content-length'] ?? 0)
    if (!request.isMultipart()) {
      throw new TabcastError('validation_error', 'The body is not multipart/form-data.', {
        status: 415,
        suggestion: 'Send the file as multipart/form-data.'
      })
    }
    refuseOversized(request, limits)
    const { room, quotas } = services
    const arriving = countedByAll([
      () => room.arriving(tenant, bytes),
      ...(quotas === undefined ? [] : [() => quotas.arriving(tenant, bytes)])
    ])
    request.endUpload = (isKept) => arriving.release(isKept && !isElsewhere)
    const { fields, upload } = await receiveForm(request, {
      folder,
      limits,
      acceptFilename: formatOfFilename,
      onBytes: (count) => arriving.come(count)
    })
    request.upload = upload
    // The client may have left while the end of the file was written.
    whenClosed(reply, () => {
      discard(upload).catch((err: unknown) =>
        request.log.warn({ err, requestId: request.id }, 'cannot remove an upload from the spool')
      )
    })
    await nextTurn(request, reply)
    request.body = readJsonFields(fields)
  }
}

/** Runs `work` after the answer, or when the client leaves before it; at once when that has happened already. */
function whenClosed ({ raw }: FastifyReply, work: () => void): void {
  if (raw.closed) work()
  else raw.once('close', work)
}

/** The upload of a valid form, with the format that its name gives. Throws validation_error. */
export function spooledFile (filename: string, upload: Upload): SpooledFile {
  const format = formatOfFilename(filename)
  checkMagicBytes(format, upload)
  const { path, bytes, sha256, content } = upload
  return { path, bytes, sha256, format, ...defined({ content }) }
}

/** The upload of a valid form as the source of a job. */
export function uploadedSource (filename: string, upload: Upload, spec: JobSpec): JobSource {
  const file = spooledFile(filename, upload)
  checkSheetName(file.format, spec)
  return { kind: 'upload', upload: file }
}
