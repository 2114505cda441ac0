/**
 * The one table of errors. HTTP answers, OpenAPI, docs/reference/errors.md and the tests derive from it, so they cannot
 * drift apart. `status` is the default; a code with several statuses (validation_error) names the others in `statuses`.
 * `later`: the API documents the code, but this release never answers with it.
 */
export const errorTable = {
  validation_error: {
    status: 422,
    statuses: [400, 409, 411, 412, 413, 415, 416, 417, 422, 431],
    retryable: false,
    text: 'The request is not valid.'
  },
  dataset_too_large: {
    status: 413,
    retryable: false,
    text: 'The dataset has more rows or columns than this deployment allows.'
  },
  file_too_large: { status: 413, retryable: false, text: 'The file is larger than this deployment allows.' },
  invalid_preset: { status: 400, retryable: false, text: 'No such preset.' },
  auth_failed: {
    status: 401,
    statuses: [401, 403],
    retryable: false,
    text: 'The API key is missing, invalid or lacks the scope.'
  },
  job_not_found: { status: 404, retryable: false, text: 'No such job for this key.' },
  job_not_completed: { status: 409, retryable: false, text: 'The job has not completed.' },
  not_found: { status: 404, retryable: false, text: 'Nothing is served at this address.' },
  method_not_allowed: { status: 405, retryable: false, text: 'This address does not take that method.' },
  not_acceptable: { status: 406, retryable: false, text: 'None of the accepted media types is served here.' },
  request_timeout: { status: 408, retryable: true, text: 'The request did not arrive in time.' },
  object_not_ready: { status: 409, retryable: false, text: 'The object is not ready.' },
  idempotency_conflict: { status: 409, retryable: false, text: 'The idempotency key was used with another request.' },
  rate_limited: { status: 429, retryable: true, text: 'Too many requests.' },
  internal_error: { status: 500, retryable: false, text: 'Unexpected failure.' },
  pipeline_failed: { status: 500, retryable: false, text: 'A stage of the job failed.' },
  invalid_forecast: { status: 500, retryable: false, text: 'The forecast failed its own check and was not published.' },
  connector_error: {
    status: 502,
    statuses: [400, 404, 409, 413, 429, 502, 504],
    retryable: false,
    text: 'The data connection failed.'
  },
  connection_not_found: { status: 404, retryable: false, text: 'No such data connection for this key.' },
  server_overloaded: { status: 503, retryable: true, text: 'The queue is full.' },
  compute_unavailable: { status: 503, retryable: true, text: 'No compute worker can be reached.' },
  storage_error: { status: 503, retryable: true, text: 'The object store or the disk did not take or give the data.' },
  gpu_offload_unavailable: { status: 503, retryable: true, later: true, text: 'Reserved; never emitted.' },
  tabular_runtime_unavailable: {
    status: 503,
    retryable: false,
    text: 'Classification and regression are not enabled on this deployment.'
  },
  fine_tune_disabled: { status: 503, retryable: false, text: 'Fine-tuning is not enabled on this deployment.' },
  timeout: { status: 504, retryable: true, text: 'The job exceeded its time budget.' },
  sandbox_domain_used: { status: 409, retryable: false, text: 'This domain has used its sandbox job.' },
  sandbox_captcha_failed: { status: 403, retryable: false, text: 'The captcha was not solved.' },
  sandbox_dataset_too_large: { status: 413, retryable: false, text: 'The dataset is too large for the sandbox.' },
  sandbox_corporate_email_required: {
    status: 400,
    retryable: false,
    text: 'The sandbox needs a corporate e-mail address.'
  }
} as const satisfies Record<string,
  { status: number, statuses?: readonly number[], retryable: boolean, later?: true, text: string }>

export type ErrorCode = keyof typeof errorTable

/** One entry of a 422's `detail` list, in FastAPI's form. */
export interface FieldError {
  loc: Array<string | number>
  msg: string
  type: string
  input?: unknown
  ctx?: Record<string, unknown>
}
