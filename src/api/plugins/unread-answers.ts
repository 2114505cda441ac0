import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { addressGroup } from '../address-group.ts'
import { payerOf } from '../payer-of.ts'
import { UnreadAnswers, type KeptAnswer } from '../unread-answers.ts'

declare module 'fastify' {
  interface FastifyReply {
    keptAnswer: KeptAnswer | null
    /** Of a file that has to be read in the time that an answer of as many bytes has. */
    timedBytes: number | null
    /** Before text of an answer is kept that is sent later, piece by piece. Throws rate_limited. */
    keepAnswer(bytes: number): void
  }
}

/** The kernel accepts such answers at once as long as the client reads at all, so they are not counted. */
const smallBytes = 16 * 1024
/** No real client reads more slowly; such a connection is ended. */
const slowest = { graceMs: 30_000, bytesPerSecond: 8 * 1024 }

/**
 * An answer stays in memory until its client has read it, but for what the kernel takes. What is kept of one tenant is
 * bounded, of a visitor where everybody has the same key or none, and so is the time in which an answer has to be read,
 * and a file of the sandbox. Other files are read as they are sent.
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
