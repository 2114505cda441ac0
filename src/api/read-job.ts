import type { FastifyRequest } from 'fastify'
import { identityOf } from './identity-of.ts'
import { payerOf } from './payer-of.ts'
import type { Services } from './services.ts'

/** Records up to this size are read and serialized in practically constant time. */
const smallBytes = 16 * 1024

/**
 * Reads and serializes a job on a route of constant work. A record may have up to 400 KB, with its options and result:
 * reading a large one is metered, and throws rate_limited while the payer is in debt.
 */
export function readJob<T> (request: FastifyRequest, { jobs, apiBudgets }: Pick<Services, 'jobs' | 'apiBudgets'>,
  jobId: string, read: () => T): T {
  const { tenant } = identityOf(request)
  if ((jobs.bytes(tenant, jobId) ?? 0) <= smallBytes) return read()
  const payer = payerOf(request, tenant)
  const refusal = apiBudgets.refusal(payer)
  if (refusal !== undefined) throw refusal
  const startMs = performance.now()
  try {
    return read()
  } finally {
    apiBudgets.spend(payer, 'api', performance.now() - startMs)
  }
}
