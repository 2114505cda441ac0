import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import { TabcastError } from '../../platform/errors.ts'
import { attachment, inline } from '../../platform/store/content-disposition.ts'
import type { Api, RouteContext } from '../api.ts'
import { csvSafe } from '../csv-safe.ts'
import { jobOfCaller } from '../job-of-caller.ts'
import { cannotBeSafe, csvSafeField } from '../schemas/csv-safe.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { fileContent } from '../schemas/file.ts'
import { identifier } from '../schemas/identifier.ts'
import { jobParams } from '../schemas/job.ts'

/**
 * A page contains texts from a customer's table. They are escaped and the page has its own policy, but this one applies
 * whatever the page contains: no script, no network, no form and no access to our origin. Styles are inline.
 */
const pagePolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** The plot has a script, and its own policy allows only that one. It has no access to our origin either. */
const plotPolicy = pagePolicy.replace("sandbox; default-src 'none'",
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'")

const params = Type.Object({
  ...jobParams.properties,
  name: identifier(
    'report.html; for a classification or regression also metrics.json; with explainability also summary.json and ' +
      'each artifact_id.'
  )
})

export async function artifactRoutes (api: Api, { services }: RouteContext): Promise<void> {
  api.get('/jobs/:job_id/artifacts/:name', {
    schema: {
      operationId: 'readArtifact',
      summary: 'Get a file that explains the result of a completed job',
      tags: ['jobs'],
      params,
      querystring: closedObject({ csv_safe: csvSafeField }),
      response: {
        200: {
          description:
            'The file. A page loads nothing else. Only forecast_plot.html runs a script. Show a page as `srcdoc` of ' +
            'a frame with `sandbox`, and forecast_plot.html with `sandbox="allow-scripts"`.',
          headers: {
            'Content-Disposition': Type.String({
              description: 'The name of the file. CSV files are attachments, others inline.'
            })
          },
          content: fileContent('text/html', 'application/json', 'text/csv', 'image/svg+xml')
        },
        ...errorResponses(...keyErrors, 404, 409, 422)
      }
    },
    config: { access: { scope: 'jobs:read', limits: ['read'], sandboxToo: true }, givesFiles: true }
  }, async (request, reply) => {
    const { job_id: jobId, name } = request.params
    const isSafe = request.query.csv_safe
    if (isSafe && !name.endsWith('.csv')) throw cannotBeSafe('CSV files')
    const record = jobOfCaller(request, services, jobId)
    // Streamed and never redirected to the store, which would answer without these headers.
    const file = await services.jobs.artifact(record, name)
    if (file === undefined) throw noArtifact(name)
    reply.headers({
      'content-type': file.contentType,
      'content-disposition': (name.endsWith('.csv') ? attachment : inline)(file.filename),
      'content-security-policy': name === 'forecast_plot.html' ? plotPolicy : pagePolicy,
      'referrer-policy': 'no-referrer'
    })
    // The length of a CSV that is made safe is not known in advance.
    if (!isSafe) reply.header('content-length', file.bytes)
    // For HEAD the framework keeps the announced length only with a stream.
    if (request.method === 'HEAD') return await reply.send(Readable.from([]))
    const send = await reply.beginDownload(record.tenant, [file])
    const stream = await file.open()
    return await reply.send(isSafe ? csvSafe(send(stream, 'safe')) : send(stream, 'file'))
  })
}

function noArtifact (name: string): TabcastError {
  return new TabcastError('not_found', `A job has no artifact ${JSON.stringify(name)}.`, {
    suggestion: 'There are report.html and metrics.json, and what a job lists under explainability.artifacts.'
  })
}
