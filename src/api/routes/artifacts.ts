import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { inline } from '../../content-disposition.ts'
import { TabcastError } from '../../errors.ts'
import { artifactNames, type ArtifactName } from '../../jobs/report-files.ts'
import type { Api, RouteContext } from '../api.ts'
import { identityOf } from '../plugins/access.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { fileContent } from '../schemas/file.ts'
import { jobParams } from '../schemas/job.ts'

/**
 * The page holds texts of a customer's table. It is escaped and brings a policy of its own; this one holds for whatever it
 * says: a browser that opens it gives it no script, no network, no form and no part in our origin. Styles are inside the page.
 */
const pagePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const params = Type.Object({
  ...jobParams.properties,
  name: Type.String({ description: 'report.html, or metrics.json of a classification or regression.' })
})

export async function artifactRoutes (api: Api, { services }: RouteContext): Promise<void> {
  api.get('/jobs/:job_id/artifacts/:name', {
    schema: {
      operationId: 'readArtifact',
      summary: 'The report of a completed job as a page, or the metrics of a classification or regression',
      tags: ['jobs'],
      params,
      response: {
        200: {
          description: 'The file. The page needs nothing else and runs no script; show it in a frame with `sandbox`.',
          headers: { 'Content-Disposition': Type.String({ description: 'The name of the file, to be shown.' }) },
          content: fileContent('text/html', 'application/json')
        },
        ...errorResponses(...keyErrors, 404, 409)
      }
    },
    config: { access: { scope: 'jobs:read', limits: ['read'] }, givesFiles: true }
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { job_id: jobId, name } = request.params
    const record = services.jobs.get(tenant, jobId)
    if (record === undefined) throw new TabcastError('job_not_found')
    if (!isArtifactName(name)) throw noArtifact(name)
    // Streamed and never redirected to the store, which would answer without these headers.
    const file = await services.jobs.artifact(record, name)
    reply.headers({
      'content-type': file.contentType,
      'content-length': file.bytes,
      'content-disposition': inline(file.filename),
      'content-security-policy': pagePolicy,
      'referrer-policy': 'no-referrer'
    })
    // For HEAD the framework keeps the announced length only beside a stream.
    return await reply.send(request.method === 'HEAD' ? Readable.from([]) : await file.open())
  })
}

function isArtifactName (name: string): name is ArtifactName {
  return (artifactNames as readonly string[]).includes(name)
}

function noArtifact (name: string): TabcastError {
  return new TabcastError('not_found', `A job has no artifact ${JSON.stringify(name)}.`, { suggestion: `There are ${artifactNames.join(' and ')}.` })
}
