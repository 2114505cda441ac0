import type { FastifyRequest } from 'fastify'
import { TabcastError } from '../platform/errors.ts'
import type { JobRecord } from '../services/jobs/job-record.ts'
import { sandboxTenant } from '../services/keys/scopes.ts'
import { identityOf } from './identity-of.ts'
import type { Services } from './services.ts'

/** A job of the caller's tenant; for a sandbox key, only a job that this key created. Throws job_not_found. */
export function jobOfCaller (request: FastifyRequest, { jobs }: Pick<Services, 'jobs'>, jobId: string): JobRecord {
  return visible(request, jobs.get(identityOf(request).tenant, jobId))
}

/** The same check for a record that was already read. */
export function visible (request: FastifyRequest, record: JobRecord | undefined): JobRecord {
  const { tenant, keyId } = identityOf(request)
  const isOthers = tenant === sandboxTenant && record?.keyId !== keyId
  if (record === undefined || isOthers) throw new TabcastError('job_not_found')
  return record
}
