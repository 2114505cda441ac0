import type { FastifyRequest } from 'fastify'
import { identityOf } from './identity-of.ts'
import { payerOf } from './payer-of.ts'
import type { Services } from './services.ts'

/** Records up to here are read and written as text in constant time, near enough. */
const smallBytes = 16 * 1024

/**
 * Does what reads a job and writes it as text, on a route of constant work. Options and result of a job may have 400
 * KB: such a record costs who pays for it the time that it takes, and throws rate_limited in debt.
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
