import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { isVisitor } from '../../services/keys/payer.ts'
import { DownloadPlaces } from '../download-places.ts'
import { payerOf } from '../payer-of.ts'
import { sentPieces, type Sending } from '../sent-pieces.ts'
import type { Services } from '../services.ts'

/** A few visitors have all places of the sandbox: who reads less than 4 KiB a second has none for ever. */
const readMs = 60_000

/** The stream of a file as it is to be sent. */
export type SendFile = (stream: Readable, sending: Sending) => Readable

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Before a file is opened: takes a place of the tenant, of the sandbox one of the visitor's, which ends with the
     * answer. Rejects with rate_limited.
     */
    beginDownload(tenant: string): Promise<SendFile>
  }
}

/** Has tenants pay for the bytes that are sent to them, and bounds how many of their downloads run side by side. */
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
        inTurn: (work) => request.inTurn(work, tenant),
        pay: (cpuMs) => services.apiBudgets.spend(payer, 'api', cpuMs),
        debtMs: () => services.apiBudgets.debtMs(payer),
        ...isVisitor(payer) ? { readMs } : {}
      })
  })
}
