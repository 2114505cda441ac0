// Made by scripts/generate-client-types.mjs from the interface description: not to be edited.

export type ErrorCode = 'validation_error' | 'dataset_too_large' | 'file_too_large' | 'invalid_preset' | 'auth_failed' | 'job_not_found' | 'job_not_completed' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'object_not_ready' | 'idempotency_conflict' | 'rate_limited' | 'internal_error' | 'pipeline_failed' | 'invalid_forecast' | 'connector_error' | 'connection_not_found' | 'server_overloaded' | 'compute_unavailable' | 'storage_error' | 'gpu_offload_unavailable' | 'tabular_runtime_unavailable' | 'fine_tune_disabled' | 'timeout' | 'sandbox_domain_used' | 'sandbox_captcha_failed' | 'sandbox_dataset_too_large' | 'sandbox_corporate_email_required'

/** The body of every answer that is not 2xx. */
export type ErrorBody = {
  /** For 401, 404 and 405 a text. For 422 a list of fields. Otherwise an object with a text and a suggestion. */
  detail: string | {
    error_code: ErrorCode
    detail: string
    /** Tells apart the causes that share this code. */
    reason?: string
    /** What you can do. */
    suggestion?: string
    /** For a connector_error: what is wrong with the customer's store. */
    connector_code?: 'AUTHENTICATION_FAILED' | 'AUTHORIZATION_FAILED' | 'CREDENTIALS_EXPIRED' | 'CREDENTIALS_UNAVAILABLE' | 'SOURCE_NOT_FOUND' | 'EMPTY_SOURCE' | 'RATE_LIMITED' | 'TIMEOUT' | 'NETWORK_ERROR' | 'TLS_ERROR' | 'ENDPOINT_NOT_ALLOWED' | 'PROVIDER_UNAVAILABLE' | 'DATASET_TOO_LARGE' | 'DECOMPRESSION_LIMIT' | 'UNSUPPORTED_FORMAT' | 'UNSUPPORTED_COMPRESSION' | 'FORMAT_MISMATCH' | 'CORRUPT_DATA' | 'SCHEMA_MISMATCH' | 'INVALID_CONFIGURATION' | 'INVALID_KEY' | 'DESTINATION_EXISTS' | 'WRITE_FAILED' | 'SOURCE_CHANGED' | 'INTERNAL_ERROR'
    /** The quota that is used up. */
    quota?: {
      name: 'jobs_per_day' | 'rows_per_day' | 'stored_bytes'
      limit: number
      used: number
      /** When the use starts again at 0; null: it falls when something is deleted or expires. */
      resets_at: string | null
    }
    retryable: boolean
    retry_after_seconds?: number
  } | Array<{
    /** Where the error is: body, query or path, then the field. */
    loc: Array<string | number>
    /** What is wrong and, for the content of a file, what to do about it. */
    msg: string
    type: string
    input?: unknown
    /** For the content of a file: row, item and count, as far as they are known. row is the first wrong row, counted from 1 without header and blank lines. */
    ctx?: Record<string, unknown>
  }>
  error_code: ErrorCode
  /** The same request may succeed later. */
  retryable: boolean
  /** The value of X-Request-ID. */
  request_id: string
}

export type Job = {
  job_id: string
  status: 'pending' | 'running' | 'completed' | 'failed'
  /** RFC 3339, UTC. */
  created_at: string
  /** Selects the shape of the job. */
  job_type: 'forecast' | 'fine_tune' | 'analysis' | 'sandbox_forecast'
  completed_at: string | null
  /** Seconds from created_at to completed_at. */
  elapsed_seconds: number | null
  /** Why the job failed, as a text. */
  error: string | null
  error_code: ErrorCode | null
  /** Set when the result can be downloaded. */
  download_url: string | null
  /** The report of the result as a page. */
  report_url: string | null
  /** The outcome of the analyses; null: the request asks for none. */
  explainability: {
    enabled: boolean
    /** At most 1,500 characters. */
    overview_markdown: string
    selected_analyses: Array<string>
    completed_analyses: Array<string>
    /** Why each analysis was skipped. */
    skipped_analyses: Record<string, string>
    warnings: Array<string>
    artifacts: Array<{
      /** The name of the file. */
      artifact_id: string
      /** The name of the request field that asks for it. */
      analysis: string
      label: string
      /** csv, html or svg. */
      format: string
      /** Path of the file in the zip of the result. */
      output_path: string
      download_url: string
      /** For html and svg; reading it needs the key. Show a page as `srcdoc` of a frame with `sandbox="allow-scripts"`, and a drawing as an image. */
      embed_url?: string
      description: string
      /** Whether it is small enough to show beside the result. */
      render_inline: boolean
      /** A few rows as a table. */
      preview_markdown: string
      highlights: Array<string>
      display_order: number
      /** true for one page: show it first. */
      is_primary_visual: boolean
      /** true for one drawing. */
      is_thumbnail: boolean
    }>
    /** Path of the summary in the zip of the result. Its address is `explainability_url`. */
    summary_path?: string
  } | null
  /** The summary of the analyses as JSON. */
  explainability_url: string | null
  /** Seconds of each stage. */
  timings: Record<string, number> | null
  /** Id of the request that created the job. */
  request_id: string | null
  /** SHA-256 of the effective configuration. */
  config_hash: string | null
  /** SHA-256 of the canonical rows. */
  dataset_hash: string | null
  /** Engine version and preset, or the id of the fine-tuned model. A job that trains a model has it once it has completed. Equal hashes and versions give equal bytes. */
  model_version: string | null
  /** What was wrong with the data connection that the job read from. */
  connector_code: 'AUTHENTICATION_FAILED' | 'AUTHORIZATION_FAILED' | 'CREDENTIALS_EXPIRED' | 'CREDENTIALS_UNAVAILABLE' | 'SOURCE_NOT_FOUND' | 'EMPTY_SOURCE' | 'RATE_LIMITED' | 'TIMEOUT' | 'NETWORK_ERROR' | 'TLS_ERROR' | 'ENDPOINT_NOT_ALLOWED' | 'PROVIDER_UNAVAILABLE' | 'DATASET_TOO_LARGE' | 'DECOMPRESSION_LIMIT' | 'UNSUPPORTED_FORMAT' | 'UNSUPPORTED_COMPRESSION' | 'FORMAT_MISMATCH' | 'CORRUPT_DATA' | 'SCHEMA_MISMATCH' | 'INVALID_CONFIGURATION' | 'INVALID_KEY' | 'DESTINATION_EXISTS' | 'WRITE_FAILED' | 'SOURCE_CHANGED' | 'INTERNAL_ERROR' | null
  /** State of the callback to callback_url: pending until the first attempt, failed when no attempt is left; null: no callback_url. */
  callback_status: 'pending' | 'delivering' | 'delivered' | 'failed' | null
  /** As given by the caller. */
  name: string | null
  /** As given by the caller. */
  metadata: Record<string, unknown> | null
  /** What the service noticed in the data. */
  warnings: Array<{
    code: string
    message: string
    count: number
  }> | null
  /** Only while pending or running. */
  progress: {
    stage: string
    fraction: number
    /** Jobs that start before this one; null in the answer that creates the job, and once it has left the queue. */
    queue_position: number | null
    /** The parts into which a large forecast is cut; null: it is computed in one piece, or not planned yet. */
    shards: {
      done: number
      total: number
    } | null
  } | null
  /** Runs started so far. */
  attempt: number | null
  /** When the job and its files are deleted. */
  expires_at: string | null
  /** Series of the dataset, without the aggregates of a hierarchy. */
  num_items: number | null
  prediction_length: number | null
  /** Which external covariates were used; null: the request asks for none, or the job has not completed. */
  external_covariate_metadata: {
    /** Time of the last observation of all series. Each series uses its own last observation. */
    cutoff: string
    /** Covariates that the models use, named kind, underscore, variable. */
    columns_added: Array<string>
    warnings: Array<string>
    /** The outcome of each requested kind. */
    sources: {
      weather?: {
        /** used: all variables without a gap. partial: some variables, or with gaps. skipped: none. failed: the provider did not answer. */
        status: 'used' | 'partial' | 'skipped' | 'failed'
        /** Why variables were not used; null: all were used. */
        reason: string | null
        /** Id of the provider that answered; null: none answered. */
        provider: string | null
        /** As requested. */
        source: string
        /** The owner of the values; show it with the results. */
        attribution: string | null
        variables_requested: Array<string>
        /** The variables that the models use. */
        variables_used: Array<string>
        /** For weather and air quality: latitude and longitude, and the city if the request names one. With columns of coordinates: latitude_column, longitude_column and the number of places. */
        location?: Record<string, unknown>
        /** For holidays. */
        country?: string
        /** For holidays. */
        subdivision?: string | null
        /** For holidays; null: the first time zone of the country. */
        timezone?: string | null
        /** For electricity. */
        zone?: string
        /** For transport. */
        line?: string
        point_in_time: boolean
        /** Latest time at which one of the values was issued; null: not known. */
        issued_at: string | null
        /** Latest time at which one of the values was published; null: not known. */
        published_through: string | null
        /** Share of the steps of the history with a known value, before gaps are filled: the smallest over all variables and places. null: nothing was fetched. */
        history_coverage: number | null
        /** Share of the steps of the horizon with a known value, before gaps are filled: the smallest over all variables and places. null: nothing was fetched. */
        future_coverage: number | null
        /** null: the kind has none. */
        future_strategy: string | null
        /** SHA-256 of the values and their times of publication. Equal ids mean equal values. null: nothing was fetched. */
        snapshot_id: string | null
      }
      holidays?: {
        /** used: all variables without a gap. partial: some variables, or with gaps. skipped: none. failed: the provider did not answer. */
        status: 'used' | 'partial' | 'skipped' | 'failed'
        /** Why variables were not used; null: all were used. */
        reason: string | null
        /** Id of the provider that answered; null: none answered. */
        provider: string | null
        /** As requested. */
        source: string
        /** The owner of the values; show it with the results. */
        attribution: string | null
        variables_requested: Array<string>
        /** The variables that the models use. */
        variables_used: Array<string>
        /** For weather and air quality: latitude and longitude, and the city if the request names one. With columns of coordinates: latitude_column, longitude_column and the number of places. */
        location?: Record<string, unknown>
        /** For holidays. */
        country?: string
        /** For holidays. */
        subdivision?: string | null
        /** For holidays; null: the first time zone of the country. */
        timezone?: string | null
        /** For electricity. */
        zone?: string
        /** For transport. */
        line?: string
        point_in_time: boolean
        /** Latest time at which one of the values was issued; null: not known. */
        issued_at: string | null
        /** Latest time at which one of the values was published; null: not known. */
        published_through: string | null
        /** Share of the steps of the history with a known value, before gaps are filled: the smallest over all variables and places. null: nothing was fetched. */
        history_coverage: number | null
        /** Share of the steps of the horizon with a known value, before gaps are filled: the smallest over all variables and places. null: nothing was fetched. */
        future_coverage: number | null
        /** null: the kind has none. */
        future_strategy: string | null
        /** SHA-256 of the values and their times of publication. Equal ids mean equal values. null: nothing was fetched. */
        snapshot_id: string | null
      }
      macro?: {
        /** used: all variables without a gap. partial: some variables, or with gaps. skipped: none. failed: the provider did not answer. */
        status: 'used' | 'partial' | 'skipped' | 'failed'
        /** Why variables were not used; null: all were used. */
        reason: string | null
        /** Id of the provider that answered; null: none answered. */
        provider: string | null
        /** As requested. */
        source: string
        /** The owner of the values; show it with the results. */
        attribution: string | null
        variables_requested: Array<string>
        /** The variables that the models use. */
        variables_used: Array<string>
        /** For weather and air quality: latitude and longitude, and the city if the request names one. With columns of coordinates: latitude_column, longitude_column and the number of places. */
        location?: Record<string, unknown>
        /** For holidays. */
        country?: string
        /** For holidays. */
        subdivision?: string | null
        /** For holidays; null: the first time zone of the country. */
        timezone?: string | null
        /** For electricity. */
        zone?: string
        /** For transport. */
        line?: string
        point_in_time: boolean
        /** Latest time at which one of the values was issued; null: not known. */
        issued_at: string | null
        /** Latest time at which one of the values was published; null: not known. */
        published_through: string | null
        /** Share of the steps of the history with a known value, before gaps are filled: the smallest over all variables and places. null: nothing was fetched. */
        history_coverage: number | null
        /** Share of the steps of the horizon with a known value, before gaps are filled: the smallest over all variables and places. null: nothing was fetched. */
        future_coverage: number | null
        /** null: the kind has none. */
        future_strategy: string | null
        /** SHA-256 of the values and their times of publication. Equal ids mean equal values. null: nothing was fetched. */
        snapshot_id: string | null
      }
      air_quality?: {
        /** used: all variables without a gap. partial: some variables, or with gaps. skipped: none. failed: the provider did not answer. */
        status: 'used' | 'partial' | 'skipped' | 'failed'
        /** Why variables were not used; null: all were used. */
        reason: string | null
        /** Id of the provider that answered; null: none answered. */
        provider: string | null
        /** As requested. */
        source: string
        /** The owner of the values; show it with the results. */
        attribution: string | null
        variables_requested: Array<string>
        /** The variables that the models use. */
        variables_used: Array<string>
        /** For weather and air quality: latitude and longitude, and the city if the request names one. With columns of coordinates: latitude_column, longitude_column and the number of places. */
        location?: Record<string, unknown>
        /** For holidays. */
        country?: string
        /** For holidays. */
        subdivision?: string | null
        /** For holidays; null: the first time zone of the country. */
        timezone?: string | null
        /** For electricity. */
        zone?: string
        /** For transport. */
        line?: string
        point_in_time: boolean
        /** Latest time at which one of the values was issued; null: not known. */
        issued_at: string | null
        /** Latest time at which one of the values was published; null: not known. */
        published_through: string | null
        /** Share of the steps of the history with a known value, before gaps are filled: the smallest over all variables and places. null: nothing was fetched. */
        history_coverage: number | null
        /** Share of the steps of the horizon with a known value, before gaps are filled: the smallest over all variables and places. null: nothing was fetched. */
        future_coverage: number | null
        /** null: the kind has none. */
        future_strategy: string | null
        /** SHA-256 of the values and their times of publication. Equal ids mean equal values. null: nothing was fetched. */
        snapshot_id: string | null
      }
      rates?: {
        /** used: all variables without a gap. partial: some variables, or with gaps. skipped: none. failed: the provider did not answer. */
        status: 'used' | 'partial' | 'skipped' | 'failed'
        /** Why variables were not used; null: all were used. */
        reason: string | null
        /** Id of the provider that answered; null: none answered. */
        provider: string | null
        /** As requested. */
        source: string
        /** The owner of the values; show it with the results. */
        attribution: string | null
        variables_requested: Array<string>
        /** The variables that the models use. */
        variables_used: Array<string>
        /** For weather and air quality: latitude and longitude, and the city if the request names one. With columns of coordinates: latitude_column, longitude_column and the number of places. */
        location?: Record<string, unknown>
        /** For holidays. */
        country?: string
        /** For holidays. */
        subdivision?: string | null
        /** For holidays; null: the first time zone of the country. */
        timezone?: string | null
        /** For electricity. */
        zone?: string
        /** For transport. */
        line?: string
        point_in_time: boolean
        /** Latest time at which one of the values was issued; null: not known. */
        issued_at: string | null
        /** Latest time at which one of the values was published; null: not known. */
        published_through: string | null
        /** Share of the steps of the history with a known value, before gaps are filled: the smallest over all variables and places. null: nothing was fetched. */
        history_coverage: number | null
        /** Share of the steps of the horizon with a known value, before gaps are filled: the smallest over all variables and places. null: nothing was fetched. */
        future_coverage: number | null
        /** null: the kind has none. */
        future_strategy: string | null
        /** SHA-256 of the values and their times of publication. Equal ids mean equal values. null: nothing was fetched. */
        snapshot_id: string | null
      }
      electricity?: {
        /** used: all variables without a gap. partial: some variables, or with gaps. skipped: none. failed: the provider did not answer. */
        status: 'used' | 'partial' | 'skipped' | 'failed'
        /** Why variables were not used; null: all were used. */
        reason: string | null
        /** Id of the provider that answered; null: none answered. */
        provider: string | null
        /** As requested. */
        source: string
        /** The owner of the values; show it with the results. */
        attribution: string | null
        variables_requested: Array<string>
        /** The variables that the models use. */
        variables_used: Array<string>
        /** For weather and air quality: latitude and longitude, and the city if the request names one. With columns of coordinates: latitude_column, longitude_column and the number of places. */
        location?: Record<string, unknown>
        /** For holidays. */
        country?: string
        /** For holidays. */
        subdivision?: string | null
        /** For holidays; null: the first time zone of the country. */
        timezone?: string | null
        /** For electricity. */
        zone?: string
        /** For transport. */
        line?: string
        point_in_time: boolean
        /** Latest time at which one of the values was issued; null: not known. */
        issued_at: string | null
        /** Latest time at which one of the values was published; null: not known. */
        published_through: string | null
        /** Share of the steps of the history with a known value, before gaps are filled: the smallest over all variables and places. null: nothing was fetched. */
        history_coverage: number | null
        /** Share of the steps of the horizon with a known value, before gaps are filled: the smallest over all variables and places. null: nothing was fetched. */
        future_coverage: number | null
        /** null: the kind has none. */
        future_strategy: string | null
        /** SHA-256 of the values and their times of publication. Equal ids mean equal values. null: nothing was fetched. */
        snapshot_id: string | null
      }
      transport?: {
        /** used: all variables without a gap. partial: some variables, or with gaps. skipped: none. failed: the provider did not answer. */
        status: 'used' | 'partial' | 'skipped' | 'failed'
        /** Why variables were not used; null: all were used. */
        reason: string | null
        /** Id of the provider that answered; null: none answered. */
        provider: string | null
        /** As requested. */
        source: string
        /** The owner of the values; show it with the results. */
        attribution: string | null
        variables_requested: Array<string>
        /** The variables that the models use. */
        variables_used: Array<string>
        /** For weather and air quality: latitude and longitude, and the city if the request names one. With columns of coordinates: latitude_column, longitude_column and the number of places. */
        location?: Record<string, unknown>
        /** For holidays. */
        country?: string
        /** For holidays. */
        subdivision?: string | null
        /** For holidays; null: the first time zone of the country. */
        timezone?: string | null
        /** For electricity. */
        zone?: string
        /** For transport. */
        line?: string
        point_in_time: boolean
        /** Latest time at which one of the values was issued; null: not known. */
        issued_at: string | null
        /** Latest time at which one of the values was published; null: not known. */
        published_through: string | null
        /** Share of the steps of the history with a known value, before gaps are filled: the smallest over all variables and places. null: nothing was fetched. */
        history_coverage: number | null
        /** Share of the steps of the horizon with a known value, before gaps are filled: the smallest over all variables and places. null: nothing was fetched. */
        future_coverage: number | null
        /** null: the kind has none. */
        future_strategy: string | null
        /** SHA-256 of the values and their times of publication. Equal ids mean equal values. null: nothing was fetched. */
        snapshot_id: string | null
      }
    }
  } | null
  /** The plot of the forecast as a page; null: the request does not ask for it, or it was skipped. */
  forecast_plot_url: string | null
  /** What happened to the rows before the forecast; null: the request has no preparation, or the job has not completed. */
  preparation: {
    rows_read: number
    /** Rows that match all filters. */
    rows_used: number
    filtered: Array<{
      column: string
      op: 'eq' | 'ne' | 'in' | 'not_in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'between'
      values: Array<string>
      /** Rows that match all filters before this one, but not this one. */
      rows: number
    }>
    /** Series that the rows of the dataset belong to. */
    series_before: number
    /** Series that are forecast. */
    series_after: number
    /** Used rows that were combined with an earlier row of the same series and step. */
    rows_combined: number
    /** How many of these have the same time as an earlier row and were combined by across; null: the job is older than this count. */
    rows_combined_across: number | null
    /** First and last periods that were dropped, 0 to 2, because the data cover only a part of them. Their sums would be too small, and their largest or smallest value may be missing. */
    incomplete_periods_dropped: number
    /** Steps without a value that were filled. */
    steps_filled: number
    /** Steps without a value that were left out. */
    steps_dropped: number
    anomalies: {
      found: number
      /** How many of them were changed or removed. */
      changed: number
      /** The first 20, by series and time. */
      examples: Array<{
        /** The series; a longer id ends after 200 characters, with an ellipsis. */
        item_id: string
        timestamp: string
        value: number
        /** The value used instead; null: it was not changed, or was removed and not filled. */
        used_instead: number | null
      }>
    }
  } | null
  /** What the reconciliation did; null: the request asks for none, or the job has not completed. */
  reconciliation: {
    enabled: boolean
    /** The method that was used. If it is not the requested one, `fallback` says why. */
    method: string
    /** For min_trace. */
    weights: string | null
    /** For top_down. */
    top_down_method: string | null
    /** From the grand total to the bottom. */
    levels: Array<{
      name: string
      num_nodes: number
    }>
    /** Nodes of the hierarchy. The table has all of them: the grand total first, then level by level. */
    num_series: number
    /** Series of the dataset. */
    num_bottom: number
    total_label: string
    separator: string
    /** Backtest windows that the weights come from; 0: they need none. */
    residual_windows_used: number
    /** For shrink: 0 uses the covariance of the residuals, 1 only their variances. */
    shrinkage: number | null
    /** Largest difference between a parent and the sum of its children, before reconciliation. */
    max_incoherence_before: number
    /** The same after reconciliation, in the table. */
    max_incoherence_after: number
    /** Which method replaced the requested one, and why. */
    fallback: {
      from: string
      to: string
      reason: string
    } | null
    warnings: Array<string>
  } | null
  /** The forecast in words; null: the job has not completed, trains a model, or has no explanation. */
  explanation: {
    headline: string
    narrative: string
    data_findings: Array<string>
    forecast_summary: Array<string>
    operational_implications: Array<string>
    caveats: Array<string>
    confidence: number
    generated_by: string
  } | null
  /** State of the delivery to a data connection. skipped: the forecast failed. null: the request asks for none. */
  delivery_status: 'pending' | 'delivering' | 'delivered' | 'failed' | 'skipped' | null
  delivery_connection_id: string | null
  delivery_uri: string | null
  delivery_error: string | null
  /** The request with all defaults filled in. */
  effective_config: {
    prediction_length: number
    presets: string
    item_id_column: string
    timestamp_column: string
    target_column: string
    /** As requested; the warnings of the job name those that were not used. */
    covariates: Array<string>
    /** null: inferred from the data. */
    freq: string | null
    quantile_levels: Array<number>
    timestamp_format: string
    quantile_column_style: string
    /** null: the first sheet of a spreadsheet, or no spreadsheet. */
    sheet_name: string | null
    /** null: rows are used as they are. */
    preparation: {
      filters: Array<{
        column: string
        op: 'eq' | 'ne' | 'in' | 'not_in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'between'
        values: Array<string>
      }>
      /** Columns whose values together name a series; empty: all rows are one series; null: the item id column names the series. */
      series_columns: Array<string> | null
      /** Frequency of the steps that rows were combined into; null: rows kept their times. */
      step: string | null
      /** How the rows of a step were combined. */
      aggregate: 'sum' | 'mean' | 'max' | 'min'
      /** How rows with the same time were combined before that; null: as aggregate. */
      across: 'sum' | 'mean' | 'max' | 'min' | null
      missing: 'ffill' | 'bfill' | 'interpolate' | 'zero' | 'mean' | 'drop' | 'none'
      anomalies: 'none' | 'flag' | 'clip' | 'interpolate' | 'remove'
    } | null
    /** External covariates by kind, with all defaults filled in; null: not requested. */
    external_covariates: Record<string, unknown> | null
    /** null: not requested. */
    reconciliation: {
      enabled: boolean
      hierarchy_columns: Array<string>
      method: string
      weights: string
      top_down_method: string
      separator: string
      total_label: string
      residual_windows: number
    } | null
    /** null: not requested. */
    feature_engineering: {
      enabled: boolean
      time_features: boolean
      cyclical_encoding: boolean
      lag_features: boolean
      lag_periods: Array<number>
      rolling_features: boolean
      rolling_windows: Array<number>
      rolling_stats: Array<string>
      growth_features: boolean
      growth_periods: Array<number>
      event_flags: boolean
    } | null
    /** null: not requested. */
    explainability: {
      enabled: boolean
      feature_importance: boolean
      shap: boolean
      feature_feature_correlations: boolean
      feature_target_correlations: boolean
      forecast_plot: boolean
      rolling_regression: boolean
      /** null: min(2 * prediction_length, 120). */
      trailing_history_steps: number | null
      max_rows: number
      max_features: number
      top_k_features: number
      shap_sample_size: number
    } | null
    /** Only for a job that trains a model, otherwise null. `presets` is its base preset. */
    training: {
      loss: string
      validation_windows: number
      /** null: the time budget of the deployment. */
      max_runtime_seconds: number | null
    } | null
  } | null
  /** The batch that created the job. */
  batch_id: string | null
  /** As given by the caller of the batch. */
  custom_id: string | null
}

export type TabularJob = {
  job_id: string
  status: 'pending' | 'running' | 'completed' | 'failed'
  /** RFC 3339, UTC. */
  created_at: string
  /** Selects the shape of the job. */
  job_type: 'classification' | 'regression' | 'sandbox_classification' | 'sandbox_regression'
  completed_at: string | null
  /** Seconds from created_at to completed_at. */
  elapsed_seconds: number | null
  /** Why the job failed, as a text. */
  error: string | null
  error_code: ErrorCode | null
  /** Set when the result can be downloaded. */
  download_url: string | null
  /** The report of the result as a page. */
  report_url: string | null
  /** The outcome of the analyses; null: the request asks for none. */
  explainability: {
    enabled: boolean
    /** At most 1,500 characters. */
    overview_markdown: string
    selected_analyses: Array<string>
    completed_analyses: Array<string>
    /** Why each analysis was skipped. */
    skipped_analyses: Record<string, string>
    warnings: Array<string>
    artifacts: Array<{
      /** The name of the file. */
      artifact_id: string
      /** The name of the request field that asks for it. */
      analysis: string
      label: string
      /** csv, html or svg. */
      format: string
      /** Path of the file in the zip of the result. */
      output_path: string
      download_url: string
      /** For html and svg; reading it needs the key. Show a page as `srcdoc` of a frame with `sandbox="allow-scripts"`, and a drawing as an image. */
      embed_url?: string
      description: string
      /** Whether it is small enough to show beside the result. */
      render_inline: boolean
      /** A few rows as a table. */
      preview_markdown: string
      highlights: Array<string>
      display_order: number
      /** true for one page: show it first. */
      is_primary_visual: boolean
      /** true for one drawing. */
      is_thumbnail: boolean
    }>
    /** Path of the summary in the zip of the result. Its address is `explainability_url`. */
    summary_path?: string
  } | null
  /** The summary of the analyses as JSON. */
  explainability_url: string | null
  /** Seconds of each stage. */
  timings: Record<string, number> | null
  /** Id of the request that created the job. */
  request_id: string | null
  /** SHA-256 of the effective configuration. */
  config_hash: string | null
  /** SHA-256 of the canonical rows. */
  dataset_hash: string | null
  /** Engine version and preset, or the id of the fine-tuned model. A job that trains a model has it once it has completed. Equal hashes and versions give equal bytes. */
  model_version: string | null
  /** What was wrong with the data connection that the job read from. */
  connector_code: 'AUTHENTICATION_FAILED' | 'AUTHORIZATION_FAILED' | 'CREDENTIALS_EXPIRED' | 'CREDENTIALS_UNAVAILABLE' | 'SOURCE_NOT_FOUND' | 'EMPTY_SOURCE' | 'RATE_LIMITED' | 'TIMEOUT' | 'NETWORK_ERROR' | 'TLS_ERROR' | 'ENDPOINT_NOT_ALLOWED' | 'PROVIDER_UNAVAILABLE' | 'DATASET_TOO_LARGE' | 'DECOMPRESSION_LIMIT' | 'UNSUPPORTED_FORMAT' | 'UNSUPPORTED_COMPRESSION' | 'FORMAT_MISMATCH' | 'CORRUPT_DATA' | 'SCHEMA_MISMATCH' | 'INVALID_CONFIGURATION' | 'INVALID_KEY' | 'DESTINATION_EXISTS' | 'WRITE_FAILED' | 'SOURCE_CHANGED' | 'INTERNAL_ERROR' | null
  /** State of the callback to callback_url: pending until the first attempt, failed when no attempt is left; null: no callback_url. */
  callback_status: 'pending' | 'delivering' | 'delivered' | 'failed' | null
  /** As given by the caller. */
  name: string | null
  /** As given by the caller. */
  metadata: Record<string, unknown> | null
  /** What the service noticed in the data. */
  warnings: Array<{
    code: string
    message: string
    count: number
  }> | null
  /** Only while pending or running. */
  progress: {
    stage: string
    fraction: number
    /** Jobs that start before this one; null in the answer that creates the job, and once it has left the queue. */
    queue_position: number | null
    /** The parts into which a large forecast is cut; null: it is computed in one piece, or not planned yet. */
    shards: {
      done: number
      total: number
    } | null
  } | null
  /** Runs started so far. */
  attempt: number | null
  /** When the job and its files are deleted. */
  expires_at: string | null
  /** Rows of the table, including those without a label. */
  num_samples: number | null
  /** null: the labels decide. */
  problem_type: 'binary' | 'multiclass' | 'regression' | 'quantile' | null
  /** Accuracy on rows that the model did not learn from; null for a regression. */
  accuracy: number | null
  /** How much each column contributes to the differences between predictions. The shares sum to 1: the 50 largest, and the rest as __other__. null: not known. */
  feature_importance: Record<string, number> | null
  /** null: the labels decide. */
  inference_mode: 'train_evaluate' | 'train_predict' | null
  /** Rows with a label. */
  labeled_row_count: number | null
  /** Rows without a label. */
  unlabeled_row_count: number | null
  /** Rows of the result. */
  predicted_row_count: number | null
  model_name: string | null
  /** Metrics on rows that the model did not learn from. */
  metrics: {
    /** Share of rows with the right predicted class. */
    accuracy: number | null
    /** Share of rows with the right predicted class, computed per class, then averaged over the classes. */
    balanced_accuracy: number | null
    /** Mean of -ln of the probability predicted for the true class. */
    log_loss: number | null
    /** Area under the ROC curve. With more than two classes, the mean of each class against the rest. */
    roc_auc: number | null
    /** 1 minus the unexplained share of the variance. */
    r2: number | null
    /** Root of the mean squared error. */
    rmse: number | null
    /** Mean absolute error. */
    mae: number | null
  } | null
  /** The request with all defaults filled in. */
  effective_config: {
    label_column: string
    problem_type: string
    inference_mode: string
    train_split_ratio: number
    validation_holdout_ratio: number
    /** null: rows have no order. */
    time_column: string | null
    /** null: the first sheet of a spreadsheet, or no spreadsheet. */
    sheet_name: string | null
    /** null: not requested. */
    explainability: {
      enabled: boolean
      feature_importance: boolean
      shap: boolean
      feature_feature_correlations: boolean
      feature_target_correlations: boolean
      forecast_plot: boolean
      rolling_regression: boolean
      /** null: min(2 * prediction_length, 120). */
      trailing_history_steps: number | null
      max_rows: number
      max_features: number
      top_k_features: number
      shap_sample_size: number
    } | null
  } | null
}

export type JobList = {
  jobs: Array<Job | TabularJob>
  /** Send it as `cursor` to get the next page; null: this is the last page. */
  next_cursor: string | null
}

export type Batch = {
  batch_id: string
  /** pending: no job has started. completed: all jobs have ended, at least one with a result. failed: all jobs have failed. */
  status: 'pending' | 'running' | 'completed' | 'failed'
  /** RFC 3339, UTC. */
  created_at: string
  /** Jobs that have not been deleted and have not expired. */
  total: number
  counts: {
    pending: number
    running: number
    completed: number
    failed: number
  }
  /** In the order of the requests. */
  jobs: Array<Job>
}

export type ForecastIntent = {
  /** The purpose of the forecast, in the words of the prompt. */
  business_objective?: string | null
  /** The column to forecast. */
  forecast_target?: string | null
  time_column?: string | null
  granularity?: 'minutely' | 'five_minutely' | 'quarter_hourly' | 'half_hourly' | 'hourly' | 'daily' | 'business_daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly' | 'irregular' | null
  /** Steps to forecast, of the length `granularity`, after the last time in the data. */
  horizon?: number | null
  /** Length of a step as a pandas alias. */
  forecast_frequency?: string | null
  /** The horizon in the words of the prompt. */
  horizon_quantity?: number | null
  horizon_unit?: 'steps' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'quarters' | 'years' | null
  /** Columns whose values name a series. */
  entity_columns?: Array<string>
  /** Columns that group the forecast instead of entity_columns. */
  grouping_dimensions?: Array<string>
  /** Only rows that match all filters are used. */
  filters?: Array<{
    column: string
    op: 'eq' | 'ne' | 'in' | 'not_in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'between'
    /** For in, not_in and between: several values, separated by commas, or a JSON list if values contain commas. */
    value: string
  }>
  /** All covariates: those known for the horizon and those known for the past only. */
  covariates?: Array<string>
  /** Columns that are known for the horizon, according to the prompt or the data. A column is used if the data have values for all steps of the horizon. */
  known_future_features?: Array<string>
  /** Columns known for the past only. */
  historical_features?: Array<string>
  evaluation_metric?: 'MAPE' | 'SMAPE' | 'WAPE' | 'MAE' | 'MSE' | 'RMSE' | 'MASE' | 'RMSSE' | 'WQL' | 'SQL'
  backtest_strategy?: 'holdout' | 'rolling_origin' | 'expanding_window' | 'none'
  /** Share of outcomes inside each interval. */
  confidence_intervals?: Array<number>
  /** Season lengths in steps of `granularity`. */
  seasonality?: Array<number>
  anomaly_handling?: 'none' | 'flag' | 'clip' | 'interpolate' | 'remove'
  missing_data_handling?: 'ffill' | 'bfill' | 'interpolate' | 'zero' | 'mean' | 'drop' | 'none'
  /** Requests that fit no other field, and parts of the prompt that were not understood (`Not used: ...`). */
  user_constraints?: Array<string>
  deployment_target?: 'one_off' | 'scheduled' | 'api' | 'write_back'
  /** Each answer sets it again. rejected stays. With an open question it is needs_clarification. Otherwise it is confirmed if the client says so, else ready. For a prompt it is draft. */
  review_status?: 'draft' | 'needs_clarification' | 'ready' | 'confirmed' | 'rejected'
  missing_required_fields?: Array<string>
  /** At most three questions, the most important first. */
  clarification_questions?: Array<{
    /** The field of the intent that the question is about. */
    field: string
    question: string
    /** At most four values from the data. */
    suggestions: Array<string>
  }>
  /** How much of the intent the prompt states, and how much of the prompt the intent covers. Not a probability. */
  confidence?: number
}

export type DatasetProfile = {
  /** Data rows of the file. */
  total_rows: number
  /** Series of the file. */
  num_items: number
  /** Rows of the shortest series up to its last target. */
  min_length: number
  max_length: number
  avg_length: number
  frequency?: 'minutely' | 'five_minutely' | 'quarter_hourly' | 'half_hourly' | 'hourly' | 'daily' | 'business_daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly' | 'irregular'
  /** Share of the steps between first and last observation without a value. */
  missingness_ratio: number
  /** By the number of rows: below a thousand, ten thousand, a hundred thousand, a million, or more. */
  dataset_size?: 'tiny' | 'small' | 'medium' | 'large' | 'huge'
  /** pandas alias; null: the rows have no regular step. */
  inferred_freq_str: string | null
  has_negatives: boolean
  covers_weekends: boolean
  value_min: number
  value_max: number
  /** Season lengths in steps that show in the values, strongest first. */
  candidate_seasonality: Array<number>
  /** Columns that correlate with the target, strongest first. */
  suspected_covariates: Array<string>
  hierarchical: boolean
  /** Columns whose values nest, coarsest first. */
  hierarchy_columns: Array<string>
}

export type Health = {
  version: string
  timestamp: string
  status: 'ok' | 'degraded'
  /** Commit of the deployed code. */
  commit: string
  /** For each resource, `ok` or the problem. */
  checks: Record<string, string>
}

export type Limits = {
  /** Largest multipart upload. */
  max_upload_bytes: number
  /** Largest upload to a signed URL. */
  max_object_bytes: number
  /** Stored objects that a tenant may have. A deleted object counts for one more day. */
  max_objects_per_tenant: number
  /** Content types of uploads to signed URLs; null: any. */
  upload_content_types: Array<string> | null
  /** Bytes of a stored file that a preview reads. */
  preview_max_bytes: number
  /** Rows that a preview returns. */
  preview_max_rows: number
  /** Requests of one batch. */
  max_batch_requests: number
  /** Largest JSON body. */
  max_json_bytes: number
  /** Deepest nesting of JSON, in bodies and in form fields. */
  max_json_depth: number
  /** Keys that one JSON value may have. */
  max_json_keys: number
  /** Largest text field of a form. */
  max_form_field_bytes: number
  /** Parts that a form may have. */
  max_form_parts: number
  /** Rows of a dataset. A job with fewer may still need more memory than a slot has. */
  max_rows: number
  /** Columns of a dataset. */
  max_columns: number
  /** Series of a dataset, and nodes of its hierarchy. */
  max_series: number
  /** Levels of a hierarchy below its total: columns, or parts of an item id. */
  max_hierarchy_levels: number
  /** Characters of a cell. */
  max_cell_chars: number
  /** Historical observations that each series needs. */
  min_observations_per_series: number
  /** Steps of a forecast. */
  max_prediction_length: number
  /** Steps times series, the aggregates of a hierarchy included. */
  max_forecast_points: number
  /** Size of the forecast table as CSV, bytes. */
  max_output_bytes: number
  /** Years for which external covariates are collected, from the first step of a dataset to the end of its horizon, if steps are a day or longer. */
  max_covariate_years: number
  /** The same if steps are shorter than a day. */
  max_covariate_years_within_days: number
  /** Quantile levels of a forecast. */
  max_quantile_levels: number
  /** Metadata of a job, as JSON. */
  max_metadata_bytes: number
  /** All options of a job together, as stored. */
  max_specification_bytes: number
  /** The CSV of a result above this size is written at its first download. */
  max_csv_bytes: number
  /** Uploads up to this size are checked in full before the answer. */
  sync_check_max_bytes: number
  /** Slowest upload, after the first 10 seconds. */
  min_upload_bytes_per_second: number
  /** Bytes that a connection may read for one job. */
  connector_max_bytes: number
  /** Rows that a connection may read for one job. */
  connector_max_rows: number
  /** Fine-tuned models that a tenant may have. */
  max_fine_tuned_models: number
  /** Seconds for which a fine-tuned model is kept; 0: until it is deleted. */
  fine_tuned_model_seconds: number
  /** Webhook endpoints that a tenant may have. */
  max_webhook_endpoints: number
  /** Valid API keys that a tenant may have. */
  max_keys_per_tenant: number
  /** Longest run of a job, seconds of wall time. */
  job_budget_seconds: number
  /** Seconds for which a job is kept after its end. */
  job_retention_seconds: number
  /** Lifetime of a signed download URL, seconds. */
  signed_url_seconds: number
  /** Lifetime of a signed upload URL, seconds. */
  signed_upload_seconds: number
  /** Simultaneous downloads of one tenant. */
  downloads_per_tenant: number
  /** Jobs of all tenants that may wait. */
  max_queued_jobs: number
  /** Jobs of one tenant that may wait. */
  max_queued_jobs_per_tenant: number
  /** Quotas of your tenant and their use; null: this deployment has none. */
  quotas: {
    jobs_per_day: {
      /** null: none. */
      limit: number | null
      used: number
      /** When the use starts again at 0; null: it falls when something is deleted or expires. */
      resets_at: string | null
    }
    rows_per_day: {
      /** null: none. */
      limit: number | null
      used: number
      /** When the use starts again at 0; null: it falls when something is deleted or expires. */
      resets_at: string | null
    }
    stored_bytes: {
      /** null: none. */
      limit: number | null
      used: number
      /** When the use starts again at 0; null: it falls when something is deleted or expires. */
      resets_at: string | null
    }
  } | null
  /** null: requests are not limited. */
  rate_limits: {
    /** Reads of one key per minute. */
    reads_per_minute: number
    /** Requests of one key per minute that create jobs. */
    creates_per_minute: number
    /** Uploads of one key per minute. */
    uploads_per_minute: number
    /** Requests of one key per minute to the agent. */
    agent_per_minute: number
    /** All keys of a tenant together have this many times the limits of one key. */
    tenant_factor: number
    /** Processor time of one tenant for work that its callers wait for, in milliseconds of a core: content checks, previews, the agent, estimates, connections. Above it, requests get 429. */
    sync_cpu_ms_per_minute: number
    /** Processor time of one tenant in the api process for bodies, lists and answers, in milliseconds. Above it, requests get 429. Reads of single things cost nothing, except for the bytes of files. */
    api_cpu_ms_per_minute: number
  } | null
}

export type StoredObject = {
  object_id: string
  /** failed: the address expired unused, or the file did not match the request. */
  status: 'presigned' | 'uploaded' | 'failed'
  original_filename: string
  content_type: string
  /** RFC 3339, UTC. */
  created_at: string
  /** Bytes, once known. */
  file_size?: number
  /** RFC 3339, UTC. */
  uploaded_at?: string
}

export type ObjectList = {
  objects: Array<StoredObject>
  /** Send it as `cursor` to get the next page; null: this is the last page. */
  next_cursor: string | null
}

export type PresignedUpload = {
  object_id: string
  /** The address takes one upload, until it expires. */
  upload_url: string
  /** RFC 3339, UTC. */
  expires_at: string
  method: 'PUT'
  /** Send exactly these headers; the signature covers them. */
  required_headers: Record<string, string>
}

export type PresignedDownload = {
  object_id: string
  download_url: string
  /** RFC 3339, UTC. */
  expires_at: string
  method: 'GET'
}

export type ObjectPreview = {
  object_id: string
  columns: Array<string>
  /** Rows by column name. */
  sample: Array<Record<string, unknown>>
  total_preview_rows: number
  /** null: no column looks suitable. */
  detected_timestamp_column: string | null
  /** null: no column looks suitable. */
  detected_target_column: string | null
  /** null: no column looks suitable. */
  detected_item_id_column: string | null
  /** Absent if it cannot be inferred. */
  detected_frequency?: string
  delimiter: string
  encoding: string
  /** null: no cell is quoted. */
  quote: string | null
  /** Whether the file has more rows than these. */
  truncated: boolean
}

export type FineTunedModel = {
  /** To forecast with the model, send `ft:` and this id as `presets`. */
  model_id: string
  /** As given by the caller. */
  name: string | null
  /** RFC 3339, UTC. */
  created_at: string
  /** Id of the key that asked for the training. */
  created_by: string
  base_preset: string
  /** Frequency of the data that it was trained on and can forecast. */
  freq: string
  /** The longest horizon that it can forecast. */
  prediction_length: number
  columns: {
    item_id_column: string
    timestamp_column: string
    target_column: string
  }
  /** Covariates that it uses. A forecast needs their values for all its steps. */
  covariates: Array<string>
  /** Number of series that it was trained on. */
  num_items: number | null
  /** Errors on the last part of the histories, which the training did not use. */
  metrics: {
    /** Errors of the model. */
    candidate: {
      /** Mean absolute error. */
      mae: number | null
      /** Mean squared error. */
      mse: number | null
      /** Root of the mean squared error. */
      rmse: number | null
      /** Mean absolute percentage error; null: the series have zeros. */
      mape: number | null
      /** Symmetric mean absolute percentage error. It says little where many values are zero. */
      smape: number | null
      /** Weighted quantile loss. */
      wql: number | null
    }
    /** Errors of `base_preset` on the same windows. This is not the baseline of reports, which repeats the last season. */
    baseline: {
      /** Mean absolute error. */
      mae: number | null
      /** Mean squared error. */
      mse: number | null
      /** Root of the mean squared error. */
      rmse: number | null
      /** Mean absolute percentage error; null: the series have zeros. */
      mape: number | null
      /** Symmetric mean absolute percentage error. It says little where many values are zero. */
      smape: number | null
      /** Weighted quantile loss. */
      wql: number | null
    }
  }
  /** SHA-256 of the canonical rows. */
  dataset_hash: string | null
  size_bytes: number
  /** When it is deleted; null: never. */
  expires_at: string | null
}

export type FineTunedModelList = {
  models: Array<FineTunedModel>
  /** Send it as `cursor` to get the next page; null: this is the last page. */
  next_cursor: string | null
}

/** An API key without its secret. */
export type ApiKey = {
  /** 8 characters. */
  id: string
  /** The first characters of the key; null for a key from TABCAST_STATIC_KEYS_FILE. */
  prefix: string | null
  /** null: a key of the sandbox, or a key from TABCAST_STATIC_KEYS_FILE without a tenant. */
  tenant: string | null
  scopes: Array<'forecast' | 'tabular' | 'agent' | 'jobs:read' | 'jobs:delete' | 'storage' | 'connections' | 'models' | 'sandbox' | 'admin' | 'keys:write' | 'webhooks' | 'audit:read'>
  name: string | null
  /** `static`: from TABCAST_STATIC_KEYS_FILE; it can be changed only there. */
  source: 'issued' | 'static'
  /** null for a key from TABCAST_STATIC_KEYS_FILE. */
  created_at: string | null
  /** When the secret was last replaced. */
  rotated_at: string | null
  /** null: it does not expire. */
  expires_at: string | null
  /** To the minute; null: never, or a key from TABCAST_STATIC_KEYS_FILE. */
  last_used_at: string | null
}

export type IssuedApiKey = {
  /** 8 characters. */
  id: string
  /** The first characters of the key; null for a key from TABCAST_STATIC_KEYS_FILE. */
  prefix: string | null
  /** null: a key of the sandbox, or a key from TABCAST_STATIC_KEYS_FILE without a tenant. */
  tenant: string | null
  scopes: Array<'forecast' | 'tabular' | 'agent' | 'jobs:read' | 'jobs:delete' | 'storage' | 'connections' | 'models' | 'sandbox' | 'admin' | 'keys:write' | 'webhooks' | 'audit:read'>
  name: string | null
  /** `static`: from TABCAST_STATIC_KEYS_FILE; it can be changed only there. */
  source: 'issued' | 'static'
  /** null for a key from TABCAST_STATIC_KEYS_FILE. */
  created_at: string | null
  /** When the secret was last replaced. */
  rotated_at: string | null
  /** null: it does not expire. */
  expires_at: string | null
  /** To the minute; null: never, or a key from TABCAST_STATIC_KEYS_FILE. */
  last_used_at: string | null
  /** The key itself. Send it as `Authorization: Bearer`. No other answer shows it. */
  key: string
}

export type ApiKeyList = {
  keys: Array<ApiKey>
  /** Send it as `cursor` to get the next page; null: this is the last page. */
  next_cursor: string | null
}

/** Newest first. */
export type AuditPage = {
  records: Array<{
    /** The audit of a connection uses the same id for the same action. */
    audit_id: string
    timestamp: string
    action: 'job.create' | 'job.delete' | 'batch.create' | 'batch.delete' | 'object.presign' | 'object.complete' | 'object.delete' | 'model.delete' | 'connection.create' | 'connection.update' | 'connection.rotate' | 'connection.test' | 'connection.validate' | 'connection.list' | 'connection.read' | 'connection.deliver' | 'connection.delete' | 'key.create' | 'key.rotate' | 'key.revoke' | 'webhook_secret.rotate' | 'webhook_endpoint.create' | 'webhook_endpoint.update' | 'webhook_endpoint.delete' | 'webhook_endpoint.disable' | 'webhook_endpoint.rotate_secret' | 'webhook_endpoint.test' | 'webhook_delivery.redeliver'
    /** Id of what was changed; null: it has none. */
    target_id: string | null
    outcome: 'success' | 'failure' | 'skipped'
    /** Why it failed; null: it did not fail, or the outcome is enough. */
    error_code: string | null
    /** Id of the key that made the request, also of an administrator. `command line`: the operator of the service. `service`: the service itself. */
    actor: string
    /** null: not caused by a request. */
    request_id: string | null
    /** SHA-256 of the previous record; empty for the first. */
    prev_hash: string
  }>
  /** Send it as `cursor` to get the next page; null: this is the last page. */
  next_cursor: string | null
}

export type WebhookEndpoint = {
  endpoint_id: string
  url: string
  events: Array<'job.completed' | 'job.failed' | 'job.delivered' | 'job.delivery_failed'>
  description: string | null
  enabled: boolean
  /** `failing`: every attempt of five days failed. `gone`: the address answered 410. null: the service did not disable it. */
  disabled_reason: 'failing' | 'gone' | null
  /** The first failed attempt after the last successful one; null: the last attempt succeeded, or there was none. */
  failing_since: string | null
  /** Messages that were not sent because too many were waiting. The newest 100 are in the list of deliveries, as failed without an attempt. You can redeliver them. */
  unsent_messages: number
  /** RFC 3339, UTC. */
  created_at: string
  /** RFC 3339, UTC. */
  updated_at: string
}

export type WebhookEndpointList = {
  /** All of them, oldest first. */
  endpoints: Array<WebhookEndpoint>
}

export type WebhookDelivery = {
  /** The webhook-id header, the same for every attempt. */
  webhook_id: string
  type: 'job.completed' | 'job.failed' | 'job.delivered' | 'job.delivery_failed' | 'webhook.test'
  /** null: a test event. */
  job_id: string | null
  status: 'pending' | 'delivering' | 'delivered' | 'failed'
  /** RFC 3339, UTC. */
  created_at: string
  /** null: there is no further attempt. */
  next_attempt_at: string | null
  /** Oldest first. */
  attempts: Array<{
    /** RFC 3339, UTC. */
    at: string
    /** null: no answer came. */
    status_code: number | null
    /** null: answered with 2xx. */
    error: 'timeout' | 'refused_by_policy' | 'name_not_resolved' | 'connection_failed' | 'tls_error' | 'invalid_response' | 'redirect' | 'http_status' | 'secret_unavailable' | 'endpoint_disabled' | null
    duration_ms: number
  }>
}

export type WebhookDeliveryList = {
  /** Newest first. A delivery is deleted with its job. The newest 20 test events are kept. */
  deliveries: Array<WebhookDelivery>
  /** Send it as `cursor` to get the next page; null: this is the last page. */
  next_cursor: string | null
}

export type Connection = {
  connection_id: string
  connector_type: string
  name: string
  object_storage: {
    provider: string | null
    bucket: string
    prefix: string | null
    key_pattern: string | null
    endpoint_url: string | null
    region: string
    auth_method: 'access_key' | 'assume_role' | 'iam_role' | 'instance_profile' | 'workload_identity'
    file_format: 'csv' | 'json' | 'jsonl' | 'parquet'
    compression: 'gzip' | 'zstd' | null
    role_arn: string | null
    external_id: string | null
  }
  /** The public part of the credentials. Secrets are never returned. */
  credential: {
    auth_method: 'access_key' | 'assume_role' | 'iam_role' | 'instance_profile' | 'workload_identity'
    /** The last four characters of the access key id, masked. */
    hint: string | null
    /** Id of the keyring key that encrypts the secrets. */
    key_version: string | null
    created_at: string
    rotated_at: string | null
  }
  status: 'untested' | 'connected' | 'failed' | 'disabled'
  capabilities: {
    /** Whether the store itself refuses to replace an object; null: not tested, or writing is not allowed. */
    conditional_put: boolean | null
    versioning: boolean | null
  }
  created_at: string
  updated_at: string
  last_tested_at: string | null
  /** What is wrong with the store. */
  last_error_code: 'AUTHENTICATION_FAILED' | 'AUTHORIZATION_FAILED' | 'CREDENTIALS_EXPIRED' | 'CREDENTIALS_UNAVAILABLE' | 'SOURCE_NOT_FOUND' | 'EMPTY_SOURCE' | 'RATE_LIMITED' | 'TIMEOUT' | 'NETWORK_ERROR' | 'TLS_ERROR' | 'ENDPOINT_NOT_ALLOWED' | 'PROVIDER_UNAVAILABLE' | 'DATASET_TOO_LARGE' | 'DECOMPRESSION_LIMIT' | 'UNSUPPORTED_FORMAT' | 'UNSUPPORTED_COMPRESSION' | 'FORMAT_MISMATCH' | 'CORRUPT_DATA' | 'SCHEMA_MISMATCH' | 'INVALID_CONFIGURATION' | 'INVALID_KEY' | 'DESTINATION_EXISTS' | 'WRITE_FAILED' | 'SOURCE_CHANGED' | 'INTERNAL_ERROR' | null
}

export type ConnectionList = {
  connections: Array<Connection>
  /** Send it as `cursor` to get the next page; null: this is the last page. */
  next_cursor: string | null
}

export type ConnectionTest = {
  connection_id: string
  status: 'untested' | 'connected' | 'failed' | 'disabled'
  /** If the store fails, this is false; the answer is not an error. */
  ok: boolean
  checked_at: string
  /** Milliseconds for the listing. */
  latency_ms: number
  checks: Array<{
    name: 'policy' | 'dns' | 'tls' | 'authenticate' | 'list' | 'read' | 'write'
    status: 'passed' | 'failed' | 'skipped'
    /** What is wrong with the store. */
    error_code: 'AUTHENTICATION_FAILED' | 'AUTHORIZATION_FAILED' | 'CREDENTIALS_EXPIRED' | 'CREDENTIALS_UNAVAILABLE' | 'SOURCE_NOT_FOUND' | 'EMPTY_SOURCE' | 'RATE_LIMITED' | 'TIMEOUT' | 'NETWORK_ERROR' | 'TLS_ERROR' | 'ENDPOINT_NOT_ALLOWED' | 'PROVIDER_UNAVAILABLE' | 'DATASET_TOO_LARGE' | 'DECOMPRESSION_LIMIT' | 'UNSUPPORTED_FORMAT' | 'UNSUPPORTED_COMPRESSION' | 'FORMAT_MISMATCH' | 'CORRUPT_DATA' | 'SCHEMA_MISMATCH' | 'INVALID_CONFIGURATION' | 'INVALID_KEY' | 'DESTINATION_EXISTS' | 'WRITE_FAILED' | 'SOURCE_CHANGED' | 'INTERNAL_ERROR' | null
  }>
  capabilities: {
    /** Whether the store itself refuses to replace an object; null: not tested, or writing is not allowed. */
    conditional_put: boolean | null
    versioning: boolean | null
  }
  /** What is wrong with the store. */
  error_code: 'AUTHENTICATION_FAILED' | 'AUTHORIZATION_FAILED' | 'CREDENTIALS_EXPIRED' | 'CREDENTIALS_UNAVAILABLE' | 'SOURCE_NOT_FOUND' | 'EMPTY_SOURCE' | 'RATE_LIMITED' | 'TIMEOUT' | 'NETWORK_ERROR' | 'TLS_ERROR' | 'ENDPOINT_NOT_ALLOWED' | 'PROVIDER_UNAVAILABLE' | 'DATASET_TOO_LARGE' | 'DECOMPRESSION_LIMIT' | 'UNSUPPORTED_FORMAT' | 'UNSUPPORTED_COMPRESSION' | 'FORMAT_MISMATCH' | 'CORRUPT_DATA' | 'SCHEMA_MISMATCH' | 'INVALID_CONFIGURATION' | 'INVALID_KEY' | 'DESTINATION_EXISTS' | 'WRITE_FAILED' | 'SOURCE_CHANGED' | 'INTERNAL_ERROR' | null
  error: string | null
  retryable: boolean
}

export type SourceValidation = {
  connection_id: string
  /** No check failed. */
  valid: boolean
  /** null, like the five figures below, if a required column is missing. */
  row_count: number | null
  num_items: number | null
  bytes_read: number
  /** Only the beginning of the source was read. */
  truncated: boolean
  columns: Array<{
    name: string
    type: string
    nulls: number
  }>
  inferred_frequency: string | null
  min_length: number | null
  max_length: number | null
  start: string | null
  end: string | null
  checks: Array<{
    check: string
    status: 'passed' | 'warning' | 'failed'
    count: number
    /** At most five rows, counted from 1. */
    sample_rows: Array<number>
    message: string
  }>
  schema_fingerprint: string
  /** Compared with the previous validation. */
  schema_drift: {
    drifted: boolean
    added: Array<string>
    removed: Array<string>
    type_changed: Array<string>
  }
  warnings: Array<{
    code: string
    message: string
    count: number
  }>
}

export type ConnectionObjects = {
  connection_id: string
  objects: Array<{
    key: string
    size: number
    modified: string
    etag: string
  }>
  /** A page can be short or empty although more pages follow. */
  next_cursor: string | null
}

/** Newest first. */
export type ConnectionAudit = {
  connection_id: string
  records: Array<{
    audit_id: string
    timestamp: string
    action: 'create' | 'update' | 'rotate' | 'test' | 'validate' | 'list' | 'read' | 'deliver' | 'delete'
    outcome: 'success' | 'failure' | 'skipped'
    /** Id of the key that made the request. */
    actor: string
    job_id: string | null
    object_uri: string | null
    bytes: number | null
    rows: number | null
    /** What is wrong with the store. */
    error_code: 'AUTHENTICATION_FAILED' | 'AUTHORIZATION_FAILED' | 'CREDENTIALS_EXPIRED' | 'CREDENTIALS_UNAVAILABLE' | 'SOURCE_NOT_FOUND' | 'EMPTY_SOURCE' | 'RATE_LIMITED' | 'TIMEOUT' | 'NETWORK_ERROR' | 'TLS_ERROR' | 'ENDPOINT_NOT_ALLOWED' | 'PROVIDER_UNAVAILABLE' | 'DATASET_TOO_LARGE' | 'DECOMPRESSION_LIMIT' | 'UNSUPPORTED_FORMAT' | 'UNSUPPORTED_COMPRESSION' | 'FORMAT_MISMATCH' | 'CORRUPT_DATA' | 'SCHEMA_MISMATCH' | 'INVALID_CONFIGURATION' | 'INVALID_KEY' | 'DESTINATION_EXISTS' | 'WRITE_FAILED' | 'SOURCE_CHANGED' | 'INTERNAL_ERROR' | null
    request_id: string
    /** SHA-256 of the previous record; empty for the first. */
    prev_hash: string
  }>
  next_cursor: string | null
}

/** The fields of createForecast. */
export type ForecastFields = {
  /** Steps to forecast, at most 1,000. */
  prediction_length?: number
  /** One of fast, balanced, best (more time for more accuracy), or ft: and the id of a fine-tuned model, which then makes the forecast. */
  presets?: string
  /** Column that names the series. */
  item_id_column?: string
  /** Column with the time stamps. */
  timestamp_column?: string
  /** Column with the values to forecast. */
  target_column?: string
  /** Frequency as a pandas alias, with a multiple in front if need be (15min, h, D, W-MON, MS, QE, ...); null or left out: inferred from the data, if 90 % of the gaps agree. */
  freq?: string | null
  /** Levels between 0 and 1 as a comma list or a JSON array, at most 99. Each is a column of the result. 0.025 and 0.975 are the ends of the 95 % interval. null or left out: 0.1 to 0.9 in steps of 0.1. */
  quantile_levels?: string | null
  /** pandas: 2026-01-31 00:00:00. iso8601: 2026-01-31T00:00:00+00:00. null or left out: pandas. */
  timestamp_format?: 'pandas' | 'iso8601' | null
  /** raw: 0.1. prefixed: q0.1. null or left out: raw. */
  quantile_column_style?: 'raw' | 'prefixed' | null
  /** Columns that may explain the target, as a comma list or a JSON array of names, at most 50. To give their future values, add rows with an empty target after the last target of a series. A column without such values is reported and not used; one with only some of them is refused. */
  covariates?: string | null
  /** The sheet of a spreadsheet (.xls, .xlsx) to read; null or left out: the first sheet. Refused with other files. */
  sheet_name?: string | null
  /** Place of the series. Only used for weather and air quality in external_covariates, if they name no place themselves. */
  latitude?: number | null
  /** Place of the series. Only used for weather and air quality in external_covariates, if they name no place themselves. */
  longitude?: number | null
  /** Filters and combines rows, and repairs values, before the forecast. A JSON object, in a form as text; null or left out: rows are used as they are. */
  preparation?: {
    /** Only rows that match all filters are used. A filter is an object with column, op (eq, ne, in, not_in, gt, gte, lt, lte, contains, between) and values, a list of texts. */
    filters?: Array<{
      column: string
      /** gt, gte, lt, lte and between compare numbers or times. A date without a time means the whole day. */
      op: 'eq' | 'ne' | 'in' | 'not_in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'between'
      /** One value. For in and not_in any number of values, for between the smallest and the largest. */
      values: Array<string>
    }>
    /** Columns whose values together name a series, instead of the item id column. Rows of a series with the same time are combined. An empty list: all rows are one series. null or left out: the item id column names the series. */
    series_columns?: Array<string> | null
    /** Combines rows into steps of this length, a pandas alias such as W or MS. If the data cover only a part of the first or last step, that step is left out, except with mean. null or left out: rows keep their times. */
    step?: string | null
    /** How to combine the targets of a series within one step: sum, mean, max or min. Rows with the same time are combined before that, by across. */
    aggregate?: 'sum' | 'mean' | 'max' | 'min'
    /** How to combine rows of a series that have the same time: sum, mean, max or min. With series_columns, these are the rows of the series that become one. Example: sum adds up the load of all substations, and aggregate mean then takes its mean of each day. null or left out: as aggregate, which then treats all rows of a step alike. */
    across?: 'sum' | 'mean' | 'max' | 'min' | null
    /** How to fill steps without a value. ffill: the previous value. bfill: the next value. interpolate: a straight line. zero: 0, for steps in which nothing happened, such as days that are closed. mean: the mean of the series. drop: leave such rows out. none: the forecast fills them from the same place in the seasons around them, or on a straight line. */
    missing?: 'ffill' | 'bfill' | 'interpolate' | 'zero' | 'mean' | 'drop' | 'none'
    /** What to do with outliers. clip: move them to the edge of the usual range. interpolate: replace them from their neighbours. remove: treat them as missing. flag: only report them. none: keep them. */
    anomalies?: 'none' | 'flag' | 'clip' | 'interpolate' | 'remove'
  } | null
  /** Makes features from the dataset: calendar, lags, rolling statistics, growth, event flags. Every preset uses them. A JSON object, in a form as text; `{}` makes all of them with their defaults; null or left out: none. */
  feature_engineering?: {
    /** Whether to make the features below. Every preset uses them. */
    enabled?: boolean
    /** Parts of the time stamp, as far as they vary at this frequency: year, quarter, month, week of the year, day of the year, month and week, hour, minute. */
    time_features?: boolean
    /** Sine and cosine of the parts that are periodic. */
    cyclical_encoding?: boolean
    /** Values of earlier steps. */
    lag_features?: boolean
    /** Lags, in steps of the series, at most 64 from 1 to 10,000. If one is longer than a series, it is not used there, and the job reports it. */
    lag_periods?: Array<number>
    /** Statistics over windows of recent values. */
    rolling_features?: boolean
    /** Lengths of the rolling windows, in steps of the series, at most 64 from 1 to 10,000. If one is longer than a series, it is not used there, and the job reports it. */
    rolling_windows?: Array<number>
    /** Statistics of each rolling window. */
    rolling_stats?: Array<'mean' | 'std' | 'min' | 'max'>
    /** Relative changes from earlier values to the last one. */
    growth_features?: boolean
    /** Distances of the growth metrics, in steps of the series, at most 64 from 1 to 10,000. If one is longer than a series, it is not used there, and the job reports it. */
    growth_periods?: Array<number>
    /** Flags for weekends, and for the first and last day of month, quarter and year. */
    event_flags?: boolean
  } | null
  /** Adds covariates from outside the dataset, such as weather and holidays. Values are those known at the last observation. A JSON object, in a form as text; null or left out: none. */
  external_covariates?: {
    /** Weather of a place, past and forecast. */
    weather?: {
      /** Whether to add this kind. If false, the other fields have no effect. */
      enabled?: boolean
      /** The variables to add; left out or empty: the first three. */
      variables?: Array<string>
      /** Id of the provider or catalogue to use. It supplies all variables. auto: the first of the deployment that covers the place and at least one of the variables. */
      source?: string
      /** Use only values that were known at the last observation of a series. false: use the newest values, which were not yet known at that time. */
      point_in_time?: boolean
      /** If values cover less than 99 % of the history, or have a gap in the horizon, the job fails with validation_error. false: the variable is left out, with a warning. */
      require_coverage?: boolean
      /** Use only values whose time of publication is known. false: for other values, a delay is assumed. */
      require_published?: boolean
      /** The place of all series: a city, if needed with division and country, such as `Portland, ME, US`. */
      city?: string | null
      /** Column of the dataset with the latitude of each series. Needs longitude_column. */
      latitude_column?: string | null
      /** Column of the dataset with the longitude of each series. Needs latitude_column. */
      longitude_column?: string | null
      /** The place of all series, degrees north. Needs longitude. */
      latitude?: number | null
      /** The place of all series, degrees east. Needs latitude. */
      longitude?: number | null
      /** A city with its coordinates, copied from `effective_config` of an earlier job. It is not looked up again. Columns and coordinates take precedence over it, and it takes precedence over city. */
      resolved_location?: {
        /** The requested place, such as `Vienna, AT`. Without coordinates it is looked up like `city`. */
        query?: string | null
        /** Name of the city. */
        name?: string | null
        /** ISO 3166-1 alpha-2. */
        country?: string | null
        /** First-level division of the country, such as a state. */
        admin1?: string | null
        /** IANA name of the time zone that days refer to. */
        timezone?: string | null
        /** Degrees north. */
        latitude?: number | null
        /** Degrees east. */
        longitude?: number | null
      } | null
    } | null
    /** Holidays of a country, built in. */
    holidays?: {
      /** Whether to add this kind. If false, the other fields have no effect. */
      enabled?: boolean
      /** The variables to add; left out or empty: the first three. */
      variables?: Array<string>
      /** ISO 3166-1 alpha-2 code, such as AT. Required. */
      country_code?: string | null
      /** A part of the country, such as BY or DE-BY; null or left out: the whole country. */
      subdivision_code?: string | null
      /** IANA name of the time zone that days refer to; null or left out: the first one of the country. */
      timezone?: string | null
    } | null
    /** Macroeconomic figures, as levels. */
    macro?: {
      /** Whether to add this kind. If false, the other fields have no effect. */
      enabled?: boolean
      /** The variables to add; left out or empty: the first three. */
      variables?: Array<string>
      /** What to use for steps after the last published figure. forward_fill_latest: this figure. seasonal_naive: the last season again. none: nothing, and no model uses the variable. error: the job fails. */
      future_strategy?: 'forward_fill_latest' | 'seasonal_naive' | 'none' | 'error'
    } | null
    /** Air quality of a place. */
    air_quality?: {
      /** Whether to add this kind. If false, the other fields have no effect. */
      enabled?: boolean
      /** The variables to add; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only values that were known at the last observation of a series. false: use the newest values, which were not yet known at that time. */
      point_in_time?: boolean
      /** The place of all series; left out: that of weather, or latitude and longitude of the request. */
      city?: string | null
    } | null
    /** Interest and exchange rates. A rate holds until the next one. */
    rates?: {
      /** Whether to add this kind. If false, the other fields have no effect. */
      enabled?: boolean
      /** The variables to add; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only values that were known at the last observation of a series. false: use the newest values, which were not yet known at that time. */
      point_in_time?: boolean
      /** What to use for steps after the last published figure. forward_fill_latest: this figure. seasonal_naive: the last season again. none: nothing, and no model uses the variable. error: the job fails. */
      future_strategy?: 'forward_fill_latest' | 'seasonal_naive' | 'none' | 'error'
    } | null
    /** Prices and load of a bidding zone. */
    electricity?: {
      /** Whether to add this kind. If false, the other fields have no effect. */
      enabled?: boolean
      /** The variables to add; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only values that were known at the last observation of a series. false: use the newest values, which were not yet known at that time. */
      point_in_time?: boolean
      /** A bidding zone such as DE-LU, or its EIC code. Required. */
      bidding_zone?: string | null
    } | null
    /** Trains of a line. */
    transport?: {
      /** Whether to add this kind. If false, the other fields have no effect. */
      enabled?: boolean
      /** The variables to add; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only values that were known at the last observation of a series. false: use the newest values, which were not yet known at that time. */
      point_in_time?: boolean
      /** A commuter line such as P, or the number of a train. Required. */
      train_line?: string | null
    } | null
  } | null
  /** Explains the forecast with a plot, the importance and contributions of features, and correlations. They are files of the result, and fields of the job. A JSON object, in a form as text; `{"enabled": true}` makes all of them; null or left out: none. */
  explainability?: {
    /** Whether to make analyses and plots after the forecast or the predictions. If false, the other fields have no effect. */
    enabled?: boolean
    /** Importance of features, from a model. */
    feature_importance?: boolean
    /** SHAP values of a surrogate model. */
    shap?: boolean
    /** Correlations between features. */
    feature_feature_correlations?: boolean
    /** Correlations between features and the target. */
    feature_target_correlations?: boolean
    /** Interactive plot of the forecast with the end of the history and prediction intervals. */
    forecast_plot?: boolean
    /** Regressions in rolling windows, which show how importance changes over time. Only if the deployment has enabled them. */
    rolling_regression?: boolean
    /** null: min(2 * prediction_length, 120). */
    trailing_history_steps?: number | null
    /** An analysis uses at most this many rows. */
    max_rows?: number
    /** An analysis uses at most this many features. */
    max_features?: number
    /** Features that drawings and summaries show, at most. */
    top_k_features?: number
    /** Rows whose contributions are listed. */
    shap_sample_size?: number
  } | null
  /** Makes the forecasts of a hierarchy add up. Every parent is forecast too, and is the sum of its children. A JSON object, in a form as text; `{"enabled": true, "hierarchy_columns": ["region", "store"]}` is enough. */
  reconciliation?: {
    enabled?: boolean
    /** Columns of the hierarchy, from top to bottom. Their values, joined by the separator, are the id of a bottom series, so the item id column may be missing. Left out or empty: item ids are split at the separator. */
    hierarchy_columns?: Array<string>
    /** How the forecasts of all nodes are made coherent. */
    method?: 'bottom_up' | 'top_down' | 'min_trace'
    /** How min_trace estimates the error variance of a node. ols: all equal. wls_struct: by its number of series. wls_var and shrink: from a backtest. Other methods ignore it. */
    weights?: 'ols' | 'wls_struct' | 'wls_var' | 'shrink'
    /** How top_down divides a total. Other methods ignore it. */
    top_down_method?: 'proportions_of_historical_totals' | 'average_historical_proportions' | 'forecast_proportions'
    /** Joins the values of the hierarchy columns to the id of a series. No value may contain it. At most 16 characters. */
    separator?: string
    /** Item id of the grand total; no other series may have it. At most 200 characters. */
    total_label?: string
    /** Backtest windows for wls_var and shrink. Each costs one more forecast. */
    residual_windows?: number
  } | null
  /** Receives a callback when the job has ended, as Standard Webhooks specifies. It must be https on port 443 or 8443 of a public address, unless the deployment allows others. GET /webhooks/secret returns the secret of the signature. */
  callback_url?: string | null
  /** A name that the job shows. */
  name?: string | null
  /** A JSON object of at most 2 KiB that the job shows. */
  metadata?: Record<string, unknown> | null
}

/** The fields of createForecastFromObject. */
export type ObjectForecast = {
  /** Id of a stored object whose upload is complete: CSV or Parquet. */
  object_id: string
  /** Steps to forecast, at most 1,000. */
  prediction_length?: number
  /** One of fast, balanced, best (more time for more accuracy), or ft: and the id of a fine-tuned model, which then makes the forecast. */
  presets?: string
  /** Column that names the series. */
  item_id_column?: string
  /** Column with the time stamps. */
  timestamp_column?: string
  /** Column with the values to forecast. */
  target_column?: string
  /** Frequency as a pandas alias, with a multiple in front if need be (15min, h, D, W-MON, MS, QE, ...); null or left out: inferred from the data, if 90 % of the gaps agree. */
  freq?: string | null
  /** Levels between 0 and 1 as a comma list or a JSON array, at most 99. Each is a column of the result. 0.025 and 0.975 are the ends of the 95 % interval. null or left out: 0.1 to 0.9 in steps of 0.1. */
  quantile_levels?: string | null
  /** pandas: 2026-01-31 00:00:00. iso8601: 2026-01-31T00:00:00+00:00. null or left out: pandas. */
  timestamp_format?: 'pandas' | 'iso8601' | null
  /** raw: 0.1. prefixed: q0.1. null or left out: raw. */
  quantile_column_style?: 'raw' | 'prefixed' | null
  /** Columns that may explain the target, as a comma list or a JSON array of names, at most 50. To give their future values, add rows with an empty target after the last target of a series. A column without such values is reported and not used; one with only some of them is refused. */
  covariates?: string | null
  /** The sheet of a spreadsheet (.xls, .xlsx) to read; null or left out: the first sheet. Refused with other files. */
  sheet_name?: string | null
  /** Place of the series. Only used for weather and air quality in external_covariates, if they name no place themselves. */
  latitude?: number | null
  /** Place of the series. Only used for weather and air quality in external_covariates, if they name no place themselves. */
  longitude?: number | null
  /** Filters and combines rows, and repairs values, before the forecast. A JSON object, in a form as text; null or left out: rows are used as they are. */
  preparation?: {
    /** Only rows that match all filters are used. A filter is an object with column, op (eq, ne, in, not_in, gt, gte, lt, lte, contains, between) and values, a list of texts. */
    filters?: Array<{
      column: string
      /** gt, gte, lt, lte and between compare numbers or times. A date without a time means the whole day. */
      op: 'eq' | 'ne' | 'in' | 'not_in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'between'
      /** One value. For in and not_in any number of values, for between the smallest and the largest. */
      values: Array<string>
    }>
    /** Columns whose values together name a series, instead of the item id column. Rows of a series with the same time are combined. An empty list: all rows are one series. null or left out: the item id column names the series. */
    series_columns?: Array<string> | null
    /** Combines rows into steps of this length, a pandas alias such as W or MS. If the data cover only a part of the first or last step, that step is left out, except with mean. null or left out: rows keep their times. */
    step?: string | null
    /** How to combine the targets of a series within one step: sum, mean, max or min. Rows with the same time are combined before that, by across. */
    aggregate?: 'sum' | 'mean' | 'max' | 'min'
    /** How to combine rows of a series that have the same time: sum, mean, max or min. With series_columns, these are the rows of the series that become one. Example: sum adds up the load of all substations, and aggregate mean then takes its mean of each day. null or left out: as aggregate, which then treats all rows of a step alike. */
    across?: 'sum' | 'mean' | 'max' | 'min' | null
    /** How to fill steps without a value. ffill: the previous value. bfill: the next value. interpolate: a straight line. zero: 0, for steps in which nothing happened, such as days that are closed. mean: the mean of the series. drop: leave such rows out. none: the forecast fills them from the same place in the seasons around them, or on a straight line. */
    missing?: 'ffill' | 'bfill' | 'interpolate' | 'zero' | 'mean' | 'drop' | 'none'
    /** What to do with outliers. clip: move them to the edge of the usual range. interpolate: replace them from their neighbours. remove: treat them as missing. flag: only report them. none: keep them. */
    anomalies?: 'none' | 'flag' | 'clip' | 'interpolate' | 'remove'
  } | null
  /** Makes features from the dataset: calendar, lags, rolling statistics, growth, event flags. Every preset uses them. A JSON object, in a form as text; `{}` makes all of them with their defaults; null or left out: none. */
  feature_engineering?: {
    /** Whether to make the features below. Every preset uses them. */
    enabled?: boolean
    /** Parts of the time stamp, as far as they vary at this frequency: year, quarter, month, week of the year, day of the year, month and week, hour, minute. */
    time_features?: boolean
    /** Sine and cosine of the parts that are periodic. */
    cyclical_encoding?: boolean
    /** Values of earlier steps. */
    lag_features?: boolean
    /** Lags, in steps of the series, at most 64 from 1 to 10,000. If one is longer than a series, it is not used there, and the job reports it. */
    lag_periods?: Array<number>
    /** Statistics over windows of recent values. */
    rolling_features?: boolean
    /** Lengths of the rolling windows, in steps of the series, at most 64 from 1 to 10,000. If one is longer than a series, it is not used there, and the job reports it. */
    rolling_windows?: Array<number>
    /** Statistics of each rolling window. */
    rolling_stats?: Array<'mean' | 'std' | 'min' | 'max'>
    /** Relative changes from earlier values to the last one. */
    growth_features?: boolean
    /** Distances of the growth metrics, in steps of the series, at most 64 from 1 to 10,000. If one is longer than a series, it is not used there, and the job reports it. */
    growth_periods?: Array<number>
    /** Flags for weekends, and for the first and last day of month, quarter and year. */
    event_flags?: boolean
  } | null
  /** Adds covariates from outside the dataset, such as weather and holidays. Values are those known at the last observation. A JSON object, in a form as text; null or left out: none. */
  external_covariates?: {
    /** Weather of a place, past and forecast. */
    weather?: {
      /** Whether to add this kind. If false, the other fields have no effect. */
      enabled?: boolean
      /** The variables to add; left out or empty: the first three. */
      variables?: Array<string>
      /** Id of the provider or catalogue to use. It supplies all variables. auto: the first of the deployment that covers the place and at least one of the variables. */
      source?: string
      /** Use only values that were known at the last observation of a series. false: use the newest values, which were not yet known at that time. */
      point_in_time?: boolean
      /** If values cover less than 99 % of the history, or have a gap in the horizon, the job fails with validation_error. false: the variable is left out, with a warning. */
      require_coverage?: boolean
      /** Use only values whose time of publication is known. false: for other values, a delay is assumed. */
      require_published?: boolean
      /** The place of all series: a city, if needed with division and country, such as `Portland, ME, US`. */
      city?: string | null
      /** Column of the dataset with the latitude of each series. Needs longitude_column. */
      latitude_column?: string | null
      /** Column of the dataset with the longitude of each series. Needs latitude_column. */
      longitude_column?: string | null
      /** The place of all series, degrees north. Needs longitude. */
      latitude?: number | null
      /** The place of all series, degrees east. Needs latitude. */
      longitude?: number | null
      /** A city with its coordinates, copied from `effective_config` of an earlier job. It is not looked up again. Columns and coordinates take precedence over it, and it takes precedence over city. */
      resolved_location?: {
        /** The requested place, such as `Vienna, AT`. Without coordinates it is looked up like `city`. */
        query?: string | null
        /** Name of the city. */
        name?: string | null
        /** ISO 3166-1 alpha-2. */
        country?: string | null
        /** First-level division of the country, such as a state. */
        admin1?: string | null
        /** IANA name of the time zone that days refer to. */
        timezone?: string | null
        /** Degrees north. */
        latitude?: number | null
        /** Degrees east. */
        longitude?: number | null
      } | null
    } | null
    /** Holidays of a country, built in. */
    holidays?: {
      /** Whether to add this kind. If false, the other fields have no effect. */
      enabled?: boolean
      /** The variables to add; left out or empty: the first three. */
      variables?: Array<string>
      /** ISO 3166-1 alpha-2 code, such as AT. Required. */
      country_code?: string | null
      /** A part of the country, such as BY or DE-BY; null or left out: the whole country. */
      subdivision_code?: string | null
      /** IANA name of the time zone that days refer to; null or left out: the first one of the country. */
      timezone?: string | null
    } | null
    /** Macroeconomic figures, as levels. */
    macro?: {
      /** Whether to add this kind. If false, the other fields have no effect. */
      enabled?: boolean
      /** The variables to add; left out or empty: the first three. */
      variables?: Array<string>
      /** What to use for steps after the last published figure. forward_fill_latest: this figure. seasonal_naive: the last season again. none: nothing, and no model uses the variable. error: the job fails. */
      future_strategy?: 'forward_fill_latest' | 'seasonal_naive' | 'none' | 'error'
    } | null
    /** Air quality of a place. */
    air_quality?: {
      /** Whether to add this kind. If false, the other fields have no effect. */
      enabled?: boolean
      /** The variables to add; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only values that were known at the last observation of a series. false: use the newest values, which were not yet known at that time. */
      point_in_time?: boolean
      /** The place of all series; left out: that of weather, or latitude and longitude of the request. */
      city?: string | null
    } | null
    /** Interest and exchange rates. A rate holds until the next one. */
    rates?: {
      /** Whether to add this kind. If false, the other fields have no effect. */
      enabled?: boolean
      /** The variables to add; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only values that were known at the last observation of a series. false: use the newest values, which were not yet known at that time. */
      point_in_time?: boolean
      /** What to use for steps after the last published figure. forward_fill_latest: this figure. seasonal_naive: the last season again. none: nothing, and no model uses the variable. error: the job fails. */
      future_strategy?: 'forward_fill_latest' | 'seasonal_naive' | 'none' | 'error'
    } | null
    /** Prices and load of a bidding zone. */
    electricity?: {
      /** Whether to add this kind. If false, the other fields have no effect. */
      enabled?: boolean
      /** The variables to add; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only values that were known at the last observation of a series. false: use the newest values, which were not yet known at that time. */
      point_in_time?: boolean
      /** A bidding zone such as DE-LU, or its EIC code. Required. */
      bidding_zone?: string | null
    } | null
    /** Trains of a line. */
    transport?: {
      /** Whether to add this kind. If false, the other fields have no effect. */
      enabled?: boolean
      /** The variables to add; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only values that were known at the last observation of a series. false: use the newest values, which were not yet known at that time. */
      point_in_time?: boolean
      /** A commuter line such as P, or the number of a train. Required. */
      train_line?: string | null
    } | null
  } | null
  /** Explains the forecast with a plot, the importance and contributions of features, and correlations. They are files of the result, and fields of the job. A JSON object, in a form as text; `{"enabled": true}` makes all of them; null or left out: none. */
  explainability?: {
    /** Whether to make analyses and plots after the forecast or the predictions. If false, the other fields have no effect. */
    enabled?: boolean
    /** Importance of features, from a model. */
    feature_importance?: boolean
    /** SHAP values of a surrogate model. */
    shap?: boolean
    /** Correlations between features. */
    feature_feature_correlations?: boolean
    /** Correlations between features and the target. */
    feature_target_correlations?: boolean
    /** Interactive plot of the forecast with the end of the history and prediction intervals. */
    forecast_plot?: boolean
    /** Regressions in rolling windows, which show how importance changes over time. Only if the deployment has enabled them. */
    rolling_regression?: boolean
    /** null: min(2 * prediction_length, 120). */
    trailing_history_steps?: number | null
    /** An analysis uses at most this many rows. */
    max_rows?: number
    /** An analysis uses at most this many features. */
    max_features?: number
    /** Features that drawings and summaries show, at most. */
    top_k_features?: number
    /** Rows whose contributions are listed. */
    shap_sample_size?: number
  } | null
  /** Makes the forecasts of a hierarchy add up. Every parent is forecast too, and is the sum of its children. A JSON object, in a form as text; `{"enabled": true, "hierarchy_columns": ["region", "store"]}` is enough. */
  reconciliation?: {
    enabled?: boolean
    /** Columns of the hierarchy, from top to bottom. Their values, joined by the separator, are the id of a bottom series, so the item id column may be missing. Left out or empty: item ids are split at the separator. */
    hierarchy_columns?: Array<string>
    /** How the forecasts of all nodes are made coherent. */
    method?: 'bottom_up' | 'top_down' | 'min_trace'
    /** How min_trace estimates the error variance of a node. ols: all equal. wls_struct: by its number of series. wls_var and shrink: from a backtest. Other methods ignore it. */
    weights?: 'ols' | 'wls_struct' | 'wls_var' | 'shrink'
    /** How top_down divides a total. Other methods ignore it. */
    top_down_method?: 'proportions_of_historical_totals' | 'average_historical_proportions' | 'forecast_proportions'
    /** Joins the values of the hierarchy columns to the id of a series. No value may contain it. At most 16 characters. */
    separator?: string
    /** Item id of the grand total; no other series may have it. At most 200 characters. */
    total_label?: string
    /** Backtest windows for wls_var and shrink. Each costs one more forecast. */
    residual_windows?: number
  } | null
  /** Receives a callback when the job has ended, as Standard Webhooks specifies. It must be https on port 443 or 8443 of a public address, unless the deployment allows others. GET /webhooks/secret returns the secret of the signature. */
  callback_url?: string | null
  /** A name that the job shows. */
  name?: string | null
  /** A JSON object of at most 2 KiB that the job shows. */
  metadata?: Record<string, unknown> | null
}

/** The fields of createClassification. */
export type ClassificationFields = {
  /** The column to predict. Rows in which it is empty have no label. */
  label_column?: string
  /** auto, binary or multiclass. auto: binary for two classes, multiclass for more. */
  problem_type?: string
  /** With train_evaluate: the share of the rows with a label that the model learns from, drawn so that each class keeps its share. It is measured on the others. */
  train_split_ratio?: number
  /** train_evaluate: the result has the rows with a label that the model did not learn from. train_predict (or predict_unlabeled): the model learns from all rows with a label, and the result has the others. auto: train_predict if there are rows without a label. */
  inference_mode?: string
  /** Share of the rows that each fold holds back. Models are compared and weighted on these rows. 0.2 means five folds, so that each row is held back once. From 50,000 rows on, only one part of this size is held back. */
  validation_holdout_ratio?: number
  /** A column of dates. The model learns from the earlier rows and is measured on the later ones. null or left out: rows have no order. */
  time_column?: string | null
  /** The sheet of a spreadsheet (.xls, .xlsx) to read; null or left out: the first sheet. Refused with other files. */
  sheet_name?: string | null
  /** Explains the predictions with the importance and contributions of columns, and correlations. They are files of the result, and fields of the job. forecast_plot and rolling_regression are skipped, because a table has no series. A JSON object, in a form as text; `{"enabled": true}` makes all of them; null or left out: none. */
  explainability?: {
    /** Whether to make analyses and plots after the forecast or the predictions. If false, the other fields have no effect. */
    enabled?: boolean
    /** Importance of features, from a model. */
    feature_importance?: boolean
    /** SHAP values of a surrogate model. */
    shap?: boolean
    /** Correlations between features. */
    feature_feature_correlations?: boolean
    /** Correlations between features and the target. */
    feature_target_correlations?: boolean
    /** Interactive plot of the forecast with the end of the history and prediction intervals. */
    forecast_plot?: boolean
    /** Regressions in rolling windows, which show how importance changes over time. Only if the deployment has enabled them. */
    rolling_regression?: boolean
    /** null: min(2 * prediction_length, 120). */
    trailing_history_steps?: number | null
    /** An analysis uses at most this many rows. */
    max_rows?: number
    /** An analysis uses at most this many features. */
    max_features?: number
    /** Features that drawings and summaries show, at most. */
    top_k_features?: number
    /** Rows whose contributions are listed. */
    shap_sample_size?: number
  } | null
  /** Receives a callback when the job has ended, as Standard Webhooks specifies. It must be https on port 443 or 8443 of a public address, unless the deployment allows others. GET /webhooks/secret returns the secret of the signature. */
  callback_url?: string | null
  /** A name that the job shows. */
  name?: string | null
  /** A JSON object of at most 2 KiB that the job shows. */
  metadata?: Record<string, unknown> | null
}

/** The fields of createRegression. */
export type RegressionFields = {
  /** The column to predict. Rows in which it is empty have no label. */
  label_column?: string
  /** auto, regression or quantile. auto: regression. */
  problem_type?: string
  /** With train_evaluate: the share of the rows with a label that the model learns from, drawn by chance. It is measured on the others. */
  train_split_ratio?: number
  /** train_evaluate: the result has the rows with a label that the model did not learn from. train_predict (or predict_unlabeled): the model learns from all rows with a label, and the result has the others. auto: train_predict if there are rows without a label. */
  inference_mode?: string
  /** Share of the rows that each fold holds back. Models are compared and weighted on these rows. 0.2 means five folds, so that each row is held back once. From 50,000 rows on, only one part of this size is held back. */
  validation_holdout_ratio?: number
  /** A column of dates. The model learns from the earlier rows and is measured on the later ones. null or left out: rows have no order. */
  time_column?: string | null
  /** The sheet of a spreadsheet (.xls, .xlsx) to read; null or left out: the first sheet. Refused with other files. */
  sheet_name?: string | null
  /** Explains the predictions with the importance and contributions of columns, and correlations. They are files of the result, and fields of the job. forecast_plot and rolling_regression are skipped, because a table has no series. A JSON object, in a form as text; `{"enabled": true}` makes all of them; null or left out: none. */
  explainability?: {
    /** Whether to make analyses and plots after the forecast or the predictions. If false, the other fields have no effect. */
    enabled?: boolean
    /** Importance of features, from a model. */
    feature_importance?: boolean
    /** SHAP values of a surrogate model. */
    shap?: boolean
    /** Correlations between features. */
    feature_feature_correlations?: boolean
    /** Correlations between features and the target. */
    feature_target_correlations?: boolean
    /** Interactive plot of the forecast with the end of the history and prediction intervals. */
    forecast_plot?: boolean
    /** Regressions in rolling windows, which show how importance changes over time. Only if the deployment has enabled them. */
    rolling_regression?: boolean
    /** null: min(2 * prediction_length, 120). */
    trailing_history_steps?: number | null
    /** An analysis uses at most this many rows. */
    max_rows?: number
    /** An analysis uses at most this many features. */
    max_features?: number
    /** Features that drawings and summaries show, at most. */
    top_k_features?: number
    /** Rows whose contributions are listed. */
    shap_sample_size?: number
  } | null
  /** Receives a callback when the job has ended, as Standard Webhooks specifies. It must be https on port 443 or 8443 of a public address, unless the deployment allows others. GET /webhooks/secret returns the secret of the signature. */
  callback_url?: string | null
  /** A name that the job shows. */
  name?: string | null
  /** A JSON object of at most 2 KiB that the job shows. */
  metadata?: Record<string, unknown> | null
}
