import type { ConnectionInput } from '../../domain/connection.ts'
import { isTabular } from '../../domain/job.ts'
import type { TableLimits } from '../../domain/limits.ts'
import { messageVersion } from '../../domain/message-version.ts'
import type { Config } from '../../platform/config.ts'
import type { JobMessage } from '../../platform/queue/job-messages.ts'
import { jobPrefix } from '../../platform/store/keys.ts'
import type { JobRecord } from './job-record.ts'
import { workOf } from './job-types.ts'
import { tenantBounds } from './tenant-bounds.ts'
import { defined } from '../../platform/defined.ts'

/** What a worker needs of a connection, with sealed secrets; undefined when the tenant no longer has the connection. */
export type FindConnection = (tenant: string, connectionId: string) => ConnectionInput | undefined

/** What a worker needs to run the job, and nothing more; undefined when the job's source is gone. */
export function jobMessage (record: JobRecord, config: Config, find: FindConnection): JobMessage | undefined {
  const input = messageInput(record, find)
  const { tables, maxOutputBytes, budgetSeconds } = tenantBounds(config, record.tenant)
  return input && {
    v: messageVersion,
    jobId: record.jobId,
    tenant: record.tenant,
    dispatch: record.dispatch,
    jobType: workOf(record.spec),
    input,
    ...defined({ model: record.model }),
    outputPrefix: jobPrefix(record.tenant, record.jobId),
    spec: record.spec,
    configHash: record.configHash,
    ...(record.modelVersion === null ? {} : { modelVersion: record.modelVersion }),
    limits: {
      ...inputLimits(input, tables, config),
      maxForecastPoints: config.MAX_FORECAST_POINTS,
      maxOutputBytes,
      maxCsvBytes: config.MAX_CSV_BYTES
    },
    budgetMs: Math.min(budgetSeconds, ownSeconds(record) ?? Infinity) * 1000,
    requestId: record.requestId,
    ...defined({ traceparent: record.traceparent })
  }
}

/** The time limit that the caller sets for a training. */
function ownSeconds ({ spec }: JobRecord): number | null | undefined {
  return isTabular(spec) ? undefined : spec.training?.maxRuntimeSeconds
}

function messageInput ({ tenant, input }: JobRecord, find: FindConnection): JobMessage['input'] | undefined {
  if (!('key' in input)) {
    const connection = find(tenant, input.connectionId)
    return connection && { connection }
  }
  const { key, format, bytes } = input
  return { key, format, bytes }
}

function inputLimits (input: JobMessage['input'], limits: TableLimits, config: Config): TableLimits {
  return 'key' in input ? limits : { ...limits, maxRows: Math.min(limits.maxRows, config.CONNECTOR_MAX_ROWS) }
}
