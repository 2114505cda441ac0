import type { FastifyRequest } from 'fastify'
import { TabcastError } from '../errors.ts'
import type { JobRecord } from '../jobs/job-record.ts'
import type { JobService } from '../jobs/job-service.ts'
import { sandboxTenant } from '../keys/scopes.ts'
import { identityOf } from './plugins/access.ts'

/** A job of the caller's tenant; of a key of the sandbox, one that this very key made. Throws job_not_found. */
export function jobOfCaller (request: FastifyRequest, { jobs }: { jobs: Pick<JobService, 'get'> }, jobId: string): JobRecord {
  return visible(request, jobs.get(identityOf(request).tenant, jobId))
}

/** The same of a record that was found already. */
export function visible (request: FastifyRequest, record: JobRecord | undefined): JobRecord {
  const { tenant, keyId } = identityOf(request)
  if (record === undefined || (tenant === sandboxTenant && record.keyId !== keyId)) throw new TabcastError('job_not_found')
  return record
}
