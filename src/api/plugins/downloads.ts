import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { isVisitor } from '../../services/keys/payer.ts'
import { DownloadPlaces } from '../download-places.ts'
import { payerOf } from '../payer-of.ts'
import { sentPieces, type Sending } from '../sent-pieces.ts'
import type { Services } from '../services.ts'

/**
 * Visitors of the sandbox share a few places, so one that reads less than 4 KiB a second may not hold a place for ever.
 */
const readMs = 60_000

/** Wraps the stream of a file for sending. */
export type SendFile = (stream: Readable, sending: Sending) => Readable

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Call it before a file is opened. Takes one of the tenant's places (in the sandbox, the visitor's) until the
     * answer ends. Rejects with rate_limited.
     */
    beginDownload(tenant: string): Promise<SendFile>
  }
}

/** Charges tenants for the bytes that are sent to them, and limits their concurrent downloads. */
export function boundDownloads (app: FastifyInstance, { DOWNLOADS_PER_TENANT: perTenant }: Config,
  services: Services): void {
  const places = new DownloadPlaces({ perTenant })
  app.decorateReply('beginDownload', async function (this: FastifyReply, tenant: string): Promise<SendFile> {
    const { request, raw } = this
    const payer = payerOf(request, tenant)
    const release = await places.take(payer)
    if (raw.closed) release()
    else raw.once('finish', release).once('close', release)
    return (stream, sending) =>
      sentPieces(stream, {
        sending,
        inTurn: (work) => request.inTurn(work),
        pay: (cpuMs) => services.apiBudgets.spend(payer, 'api', cpuMs),
        debtMs: () => services.apiBudgets.debtMs(payer),
        ...isVisitor(payer) ? { readMs } : {}
      })
  })
}
