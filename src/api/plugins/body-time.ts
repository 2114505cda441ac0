import type { FastifyInstance } from 'fastify'
import { TabcastError } from '../../platform/errors.ts'
import { announcesBody } from '../drain-request.ts'

const limitMs = 30_000

/** A body that is not an upload is small, so it has to arrive within 30 seconds. */
export function limitBodyTime (app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw } = request
    // Nobody reads an absent body, so its end would never be noticed, and a long poll would look like a slow body.
    const isUpload = request.routeOptions.config.takesFile === true ||
      request.headers['content-type']?.startsWith('multipart/') === true
    if (announcesBody(raw) && !isUpload && !raw.complete) {
      const timer = setTimeout(() => {
        if (!reply.sent) reply.send(new TabcastError('request_timeout'))
      }, limitMs)
      const settled = (): void => clearTimeout(timer)
      raw.once('end', settled).once('close', settled).once('error', settled)
    }
    done()
  })
}
