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
    'Jobs that start before this one; null in the answer that creates the job, and once it has left the queue.'),
  shards: nullable(Type.Object({ done: Type.Integer(), total: Type.Integer() }),
    'The parts into which a large forecast is cut; null: it is computed in one piece, or not planned yet.')
})

/** The fields of a job of any of these types. */
export function jobLife<const Types extends readonly string[]> (types: Types) {
  return {
    job_id: Type.String(),
    status: Type.Enum(jobStatuses),
    created_at: time,
    job_type: Type.Enum([...types] as [...Types], { description: 'Selects the shape of the job.' }),
    completed_at: nullable(time),
    elapsed_seconds: nullable(Type.Number(), 'Seconds from created_at to completed_at.'),
    error: text('Why the job failed, as a text.'),
    error_code: nullable(Type.Ref('ErrorCode')),
    download_url: text('Set when the result can be downloaded.'),
    report_url: text('The report of the result as a page.'),
    explainability: nullable(explainabilityStatus, 'The outcome of the analyses; null: the request asks for none.'),
    explainability_url: text('The summary of the analyses as JSON.'),
    timings: nullable(Type.Object({}, { additionalProperties: Type.Number() }), 'Seconds of each stage.'),
    request_id: text('Id of the request that created the job.'),
    config_hash: text('SHA-256 of the effective configuration.'),
    dataset_hash: text('SHA-256 of the canonical rows.'),
    model_version: text(
      'Engine version and preset, or the id of the fine-tuned model. A job that trains a model has it once it has ' +
        'completed. Equal hashes and versions give equal bytes.'
    ),
    connector_code: nullable(Type.Enum(Object.keys(connectorCodes)),
      'What was wrong with the data connection that the job read from.'),
    callback_status: nullable(Type.Enum(callbackStatuses),
      'State of the callback to callback_url: pending until the first attempt, failed when no attempt is left; null: ' +
        'no callback_url.'),
    name: text('As given by the caller.'),
    metadata: freeForm('As given by the caller.'),
    warnings: nullable(Type.Array(warning), 'What the service noticed in the data.'),
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
