import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { closedObject } from '../../closed-object.ts'
import type { Api, RouteContext } from '../api.ts'
import { baseUrlOf } from '../base-url.ts'
import { attachment } from '../../content-disposition.ts'
import { csvSafe } from '../csv-safe.ts'
import { jobOfCaller } from '../job-of-caller.ts'
import { cannotBeSafe, csvSafeField } from '../schemas/csv-safe.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { fileContent, fileHeaders } from '../schemas/file.ts'
import { jobParams } from '../schemas/job.ts'
import { noBody } from '../schemas/no-body.ts'
import { zipStream, type ZipEntry } from '../zip-stream.ts'

const downloadQuery = closedObject({
  format: Type.Optional(Type.Enum(['csv', 'parquet', 'zip', 'presign'], {
    description: 'Omitted: a redirect when the result is one file, else a zip. csv, parquet: the table. zip: every file. presign: always a redirect.'
  })),
  csv_safe: csvSafeField
})

export async function downloadRoutes (api: Api, { config, services }: RouteContext): Promise<void> {
  api.get('/jobs/:job_id/download', {
    schema: {
      operationId: 'downloadResult',
      summary: 'The result of a completed job',
      tags: ['jobs'],
      params: jobParams,
      querystring: downloadQuery,
      response: {
        200: { description: 'The file.', headers: fileHeaders, content: fileContent('text/csv', 'application/octet-stream', 'application/zip') },
        307: { ...noBody('The file is at `Location`, a signed address that works for a short time.'), headers: { Location: Type.String() } },
        ...errorResponses(...keyErrors, 404, 409, 422)
      }
    },
    config: { access: { scope: 'jobs:read', limits: ['read'], sandboxToo: true, constant: true }, givesFiles: true }
  }, async (request, reply) => {
    const { format = null, csv_safe: isSafe } = request.query
    if (isSafe && format !== 'csv' && format !== 'zip') throw cannotBeSafe('format=csv and format=zip')
    // Each byte of the file is looked at here, and no limit of requests knows how many there are.
    if (isSafe) request.startMetering()
    const safe = (stream: Readable): Readable => csvSafe(stream, () => request.meterTurn())
    const record = jobOfCaller(request, services, request.params.job_id)
    const download = await services.jobs.download(record, format, baseUrlOf(request, config))
    if (download.kind === 'redirect') return await reply.code(307).header('location', download.url).send(undefined)
    reply.header('content-disposition', attachment(download.filename))
    if (download.kind === 'zip') {
      reply.header('content-type', 'application/zip')
      return await reply.send(request.method === 'HEAD' ? Readable.from([]) : zipStream(isSafe ? download.entries.map((entry) => safeEntry(entry, safe)) : download.entries))
    }
    // For HEAD the framework keeps the announced length only beside a stream.
    const stream = request.method === 'HEAD' ? Readable.from([]) : await download.open()
    // Its length is not known before.
    if (isSafe) return await reply.header('content-type', download.contentType).send(safe(stream))
    return await reply.headers({ 'content-type': download.contentType, 'content-length': download.bytes }).send(stream)
  })
}

function safeEntry ({ name, open }: ZipEntry, safe: (stream: Readable) => Readable): ZipEntry {
  return { name, open: name.endsWith('.csv') ? async () => safe(await open()) : open }
}
