import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { addressGroup } from '../address-group.ts'
import { payerOf } from '../payer-of.ts'
import { UnreadAnswers, type KeptAnswer } from '../unread-answers.ts'

declare module 'fastify' {
  interface FastifyReply {
    keptAnswer: KeptAnswer | null
    /** The bytes of a file that has to be read in the same time as an answer of that size. */
    timedBytes: number | null
    /** Call it before text of an answer is kept that is sent later in pieces. Throws rate_limited. */
    keepAnswer(bytes: number): void
  }
}

/** The kernel accepts such answers at once as long as the client reads at all, so they are not counted. */
const smallBytes = 16 * 1024
/** No real client reads more slowly; such a connection is ended. */
const slowest = { graceMs: 30_000, bytesPerSecond: 8 * 1024 }

/**
 * An answer stays in memory until its client has read it, except for the part in the kernel. This limits what is kept
 * for one tenant, or for one visitor where everybody has the same key or none. It also limits the time in which an
 * answer, or a file of the sandbox, has to be read. Other files are read only as fast as they are sent.
 */
export function boundUnreadAnswers (app: FastifyInstance,
  { UNREAD_BYTES_PER_TENANT: perTenant }: Pick<Config, 'UNREAD_BYTES_PER_TENANT'>,
  { graceMs, bytesPerSecond } = slowest): void {
  const unread = new UnreadAnswers(perTenant)
  const keptOf = (request: FastifyRequest, reply: FastifyReply): KeptAnswer => {
    if (reply.keptAnswer === null) {
      const kept = unread.open(ownerOf(request))
      reply.keptAnswer = kept
      if (reply.raw.closed) kept.release()
      else reply.raw.once('finish', kept.release).once('close', kept.release)
    }
    return reply.keptAnswer
  }
  app.decorateReply('keptAnswer', null)
  app.decorateReply('timedBytes', null)
  app.decorateReply('keepAnswer', function (this: FastifyReply, bytes: number) {
    keptOf(this.request, this).add(bytes)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    const bytes = isWhole ? payload.length : reply.keptAnswer?.bytes ?? reply.timedBytes
    // Files, and events of a job.
    if (bytes === null) return done()
    endAfter(reply, graceMs + Math.max(bytes, smallBytes) / bytesPerSecond * 1000)
    // Shared bytes are sent as they are; text is copied.
    if (typeof payload !== 'string' || bytes < smallBytes) return done()
    const kept = keptOf(request, reply)
    // Only reads are refused. A refusal would hide that a change was made, or the reason why it was not.
    const isRead = request.method === 'GET' && reply.statusCode < 300
    try {
      kept.add(Math.max(0, bytes - kept.bytes), !isRead)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
}

function ownerOf (request: FastifyRequest): string {
  const { identity, ip } = request
  return identity === null ? `address ${addressGroup(ip)}` : `tenant ${payerOf(request, identity.tenant)}`
}

function endAfter ({ raw }: FastifyReply, ms: number): void {
  const timer = setTimeout(() => raw.destroy(), ms).unref()
  raw.once('close', () => clearTimeout(timer))
}
