import { createHash } from 'node:crypto'
import { encode } from 'cborg'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer, SaveAnswer } from '../services/idempotency/idempotency.ts'
import { identityOf } from './identity-of.ts'
import { readIdempotencyKey } from './plugins/idempotency-keys.ts'
import type { Services } from './services.ts'

/** Marks the repeated answer of an earlier, equal request. The request that gets it has changed nothing. */
export const replayedHeader = 'idempotent-replayed'

/**
 * Answers a POST. With an `Idempotency-Key`, an equal earlier request gives the answer and `work` does not run; without
 * one, `save` does nothing. `fileHash` stands for the content of an upload. Every POST leaves records, so the disk must
 * have room for these; uploads and jobs check for more room themselves.
 */
export async function answerOnce (
  request: FastifyRequest,
  reply: FastifyReply,
  { idempotency, room }: Pick<Services, 'idempotency' | 'room'>,
  work: (save: SaveAnswer) => Promise<Answer>,
  fileHash?: string
): Promise<FastifyReply> {
  const key = readIdempotencyKey(request)
  const make = async (save: SaveAnswer): Promise<Answer> => {
    room.checkRecords()
    return await work(save)
  }
  if (key === undefined) return await send(reply, await make(() => undefined))
  const { tenant, keyId } = identityOf(request)
  const { url = '', config } = request.routeOptions
  const route = `${request.method} ${url}${config.answersKey === true ? ` ${keyId}` : ''}`
  const { answer, replayed } = await idempotency.answer({
    tenant,
    route,
    key,
    fingerprint: fingerprint(request, fileHash)
  }, make)
  if (replayed) reply.header(replayedHeader, 'true')
  return await send(reply, answer)
}

export function jsonAnswer (status: number, body: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { ...headers, 'content-type': 'application/json; charset=utf-8' }, body }
}

async function send (reply: FastifyReply, { status, headers, body }: Answer): Promise<FastifyReply> {
  return await reply.code(status).headers(headers).send(body)
}

/** cborg sorts map keys, so the order of fields does not matter. */
function fingerprint ({ params, query, body }: FastifyRequest, fileHash: string | undefined): string {
  return createHash('sha256').update(
    encode([{ ...params as object }, { ...query as object }, plain(body), fileHash ?? null])
  ).digest('hex')
}

/** Parsed bodies have no prototype, and the encoder does not accept such objects as maps. */
function plain (value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value))
}
