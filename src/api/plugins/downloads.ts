import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { isVisitor } from '../../services/keys/payer.ts'
import { DownloadPlaces } from '../download-places.ts'
import { payerOf } from '../payer-of.ts'
import { sentPieces, type Sending } from '../sent-pieces.ts'
import type { Services } from '../services.ts'

/**
 * How long a visitor's place is safe in addition to the time for the bytes of the file, because opening the file takes
 * time.
 */
const graceMs = 5_000

/** Wraps the stream of a file for sending. */
export type SendFile = (stream: Readable, sending: Sending) => Readable

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Call it before files are opened. It takes a place of the tenant, or in the sandbox of the visitor, until the
     * answer ends. Rejects with rate_limited.
     */
    beginDownload(tenant: string, files: ReadonlyArray<{ bytes: number }>): Promise<SendFile>
  }
}

/** Charges tenants for the bytes that are sent to them, and limits how many of their downloads run at the same time. */
export function boundDownloads (app: FastifyInstance, config: Config, services: Services): void {
  const { DOWNLOADS_PER_TENANT: perTenant, SANDBOX_DOWNLOAD_BYTES_PER_SECOND: bytesPerSecond } = config
  const places = new DownloadPlaces({ perTenant })
  app.decorateReply('beginDownload', async function (this: FastifyReply, tenant, files): Promise<SendFile> {
    const { request, raw } = this
    const payer = payerOf(request, tenant)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    const time = { safeMs: graceMs + bytes / bytesPerSecond * 1000, cut: () => raw.destroy() }
    const release = await places.take(payer, isVisitor(payer) ? time : undefined)
    // Only downloads of visitors have a time limit, because a slow tenant delays only itself.
    if (isVisitor(payer)) this.timedBytes = bytes
    if (raw.closed) release()
    else raw.once('finish', release).once('close', release)
    return (stream, sending) =>
      sentPieces(stream, {
        sending,
        inTurn: (work) => request.inTurn(work, tenant),
        pay: (cpuMs) => services.apiBudgets.spend(payer, 'api', cpuMs),
        debtMs: () => services.apiBudgets.debtMs(payer)
      })
  })
}
