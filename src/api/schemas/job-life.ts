import { Type } from 'typebox'
import { connectorCodes } from '../../domain/connector-codes.ts'
import { callbackStatuses, jobStatuses } from '../../services/jobs/job-record.ts'
import { explainabilityStatus } from './explainability-status.ts'
import { nullable } from './nullable.ts'

/** The job types of each response shape. */
export const forecastJobTypes = ['forecast', 'fine_tune', 'analysis', 'sandbox_forecast'] as const
export const tabularJobTypes = ['classification', 'regression', 'sandbox_classification', 'sandbox_regression'] as const
export const jobTypes = [...forecastJobTypes, ...tabularJobTypes] as const

const time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })
export const text = (description?: string) => nullable(Type.String(), description)
export const freeForm = (description: string) => nullable(Type.Object({}, { additionalProperties: true }), description)

const warning = Type.Object({ code: Type.String(), message: Type.String(), count: Type.Integer() })

const progress = Type.Object({
  stage: Type.String(),
  fraction: Type.Number({ minimum: 0, maximum: 1 }),
  queue_position: nullable(Type.Integer(),
    'Jobs that would start before this one; null in the answer that creates it, and once it is out of the queue.')
})

/** The fields of a job of any of these types. */
export function jobLife<const Types extends readonly string[]> (types: Types) {
  return {
    job_id: Type.String(),
    status: Type.Enum(jobStatuses),
    created_at: time,
    job_type: Type.Enum([...types] as [...Types], { description: 'Selects the shape of the job.' }),
    completed_at: nullable(time),
    elapsed_seconds: nullable(Type.Number(), 'From created_at to completed_at.'),
    error: text('Failure in words.'),
    error_code: nullable(Type.Ref('ErrorCode')),
    download_url: text('Set when the result can be downloaded.'),
    report_url: text('The report of the result as a page.'),
    explainability: nullable(explainabilityStatus, 'What came of the analyses; null: none were asked for.'),
    explainability_url: text('The summary of the analyses as JSON.'),
    timings: nullable(Type.Object({}, { additionalProperties: Type.Number() }), 'Seconds by stage.'),
    request_id: text('Of the request that created the job.'),
    config_hash: text('SHA-256 of the effective configuration.'),
    dataset_hash: text('SHA-256 of the canonical rows.'),
    model_version: text(
      'Engine version and preset, or the id of the fine-tuned model; of a job that trains one it is known when it ' +
        'has completed. Equal hashes and version give equal bytes.'
    ),
    connector_code: nullable(Type.Enum(Object.keys(connectorCodes)),
      'What was wrong with the data connection that the job read from.'),
    callback_status: nullable(Type.Enum(callbackStatuses),
      'How the announcement at callback_url goes: pending until its first attempt, failed when no attempt is left; ' +
        'null without one.'),
    name: text('As given by the caller.'),
    metadata: freeForm('As given by the caller.'),
    warnings: nullable(Type.Array(warning), 'What was noticed in the data.'),
    progress: nullable(progress, 'Only while pending or running.'),
    attempt: nullable(Type.Integer(), 'Runs started so far.'),
    expires_at: nullable(time, 'When the job and its files are deleted.')
  }
}

/** `error_code` refers to another schema, which its static type cannot follow. */
export type WithErrorCode<Fields extends { error_code: unknown }> = Omit<Fields, 'error_code'> & {
  error_code: string | null
}

/** The answer of a route that creates one job. */
export function acceptedAs (shape: 'Job' | 'TabularJob') {
  return {
    description: 'The job, pending. Poll `Location`.',
    headers: { Location: Type.String(), 'Retry-After': Type.String() },
    content: { 'application/json': { schema: Type.Ref(shape) } }
  }
}
