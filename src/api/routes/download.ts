import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import { attachment } from '../../platform/store/content-disposition.ts'
import type { Api, RouteContext } from '../api.ts'
import { baseUrlOf } from '../base-url.ts'
import { csvSafe } from '../csv-safe.ts'
import { jobOfCaller } from '../job-of-caller.ts'
import type { SendFile } from '../plugins/downloads.ts'
import { cannotBeSafe, csvSafeField } from '../schemas/csv-safe.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { fileContent, fileHeaders } from '../schemas/file.ts'
import { jobParams } from '../schemas/job.ts'
import { noBody } from '../schemas/no-body.ts'
import { zipStream, type ZipEntry } from '../zip-stream.ts'

const downloadQuery = closedObject({
  format: Type.Optional(Type.Enum(['csv', 'parquet', 'zip', 'presign'], {
    description:
      'csv, parquet: the table. zip: every file. presign: always a redirect. Left out: a redirect if the result is ' +
      'one file, else a zip.'
  })),
  csv_safe: csvSafeField
})

export async function downloadRoutes (api: Api, { config, services }: RouteContext): Promise<void> {
  api.get('/jobs/:job_id/download', {
    schema: {
      operationId: 'downloadResult',
      summary: 'Download the result of a completed job',
      tags: ['jobs'],
      params: jobParams,
      querystring: downloadQuery,
      response: {
        200: {
          description: 'The file.',
          headers: fileHeaders,
          content: fileContent('text/csv', 'application/octet-stream', 'application/zip')
        },
        307: {
          ...noBody('`Location` is a signed address of the file that works for a short time.'),
          headers: { Location: Type.String() }
        },
        ...errorResponses(...keyErrors, 404, 409, 413, 422)
      }
    },
    config: { access: { scope: 'jobs:read', limits: ['read'], sandboxToo: true }, givesFiles: true }
  }, async (request, reply) => {
    const { format = null, csv_safe: isSafe } = request.query
    if (isSafe && format !== 'csv' && format !== 'zip') throw cannotBeSafe('format=csv and format=zip')
    const record = jobOfCaller(request, services, request.params.job_id)
    const download = await services.jobs.download(record, format, baseUrlOf(request, config))
    if (download.kind === 'redirect') return await reply.code(307).header('location', download.url).send(undefined)
    const isZip = download.kind === 'zip'
    const headers = {
      'content-disposition': attachment(download.filename),
      'content-type': isZip ? 'application/zip' : download.contentType
    }
    // The length of a zip, or of a CSV that is made safe, is not known in advance.
    const length = isZip || isSafe ? {} : { 'content-length': download.bytes }
    // For HEAD the framework keeps the announced length only with a stream.
    if (request.method === 'HEAD') return await reply.headers({ ...headers, ...length }).send(Readable.from([]))
    const send = await reply.beginDownload(record.tenant, isZip ? download.entries : [download])
    const sent = isZip
      ? zipStream(download.entries.map((entry) => sentEntry(entry, send, isSafe)))
      : sentFile(await download.open(), send, isSafe)
    return await reply.headers({ ...headers, ...length }).send(sent)
  })
}

function sentFile (stream: Readable, send: SendFile, isSafe: boolean): Readable {
  return isSafe ? csvSafe(send(stream, 'safe')) : send(stream, 'file')
}

function sentEntry ({ name, open }: ZipEntry, send: SendFile, isSafe: boolean): ZipEntry {
  return {
    name,
    open: async () => isSafe && name.endsWith('.csv') ? csvSafe(send(await open(), 'safe')) : send(await open(), 'zip')
  }
}
