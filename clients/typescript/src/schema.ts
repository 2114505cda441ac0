// Made by scripts/generate-client-types.mjs from the interface description: not to be edited.

export type ErrorCode = 'validation_error' | 'dataset_too_large' | 'file_too_large' | 'invalid_preset' | 'auth_failed' | 'job_not_found' | 'job_not_completed' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'object_not_ready' | 'idempotency_conflict' | 'rate_limited' | 'internal_error' | 'pipeline_failed' | 'invalid_forecast' | 'connector_error' | 'connection_not_found' | 'server_overloaded' | 'compute_unavailable' | 'storage_error' | 'gpu_offload_unavailable' | 'tabular_runtime_unavailable' | 'fine_tune_disabled' | 'timeout' | 'sandbox_domain_used' | 'sandbox_captcha_failed' | 'sandbox_dataset_too_large' | 'sandbox_corporate_email_required'

/** The body of every answer that is not 2xx. */
export type ErrorBody = {
  /** Text where the status says it all (401, 404, 405), a list of fields for 422, else an object with a text and what to do. */
  detail: string | {
    error_code: ErrorCode
    detail: string
    /** Which of several causes it is. */
    reason?: string
    /** What the caller can do. */
    suggestion?: string
    /** Of a connector_error: what is wrong with the customer's store. */
    connector_code?: 'AUTHENTICATION_FAILED' | 'AUTHORIZATION_FAILED' | 'CREDENTIALS_EXPIRED' | 'CREDENTIALS_UNAVAILABLE' | 'SOURCE_NOT_FOUND' | 'EMPTY_SOURCE' | 'RATE_LIMITED' | 'TIMEOUT' | 'NETWORK_ERROR' | 'TLS_ERROR' | 'ENDPOINT_NOT_ALLOWED' | 'PROVIDER_UNAVAILABLE' | 'DATASET_TOO_LARGE' | 'DECOMPRESSION_LIMIT' | 'UNSUPPORTED_FORMAT' | 'UNSUPPORTED_COMPRESSION' | 'FORMAT_MISMATCH' | 'CORRUPT_DATA' | 'SCHEMA_MISMATCH' | 'INVALID_CONFIGURATION' | 'INVALID_KEY' | 'DESTINATION_EXISTS' | 'WRITE_FAILED' | 'SOURCE_CHANGED' | 'INTERNAL_ERROR'
    /** Of a quota that is used up. */
    quota?: {
      name: 'jobs_per_day' | 'rows_per_day' | 'stored_bytes'
      limit: number
      used: number
      /** null: it falls with what is deleted or expires. */
      resets_at: string | null
    }
    retryable: boolean
    retry_after_seconds?: number
  } | Array<{
    /** Where: body, query or path, then the field. */
    loc: Array<string | number>
    /** What is wrong and, for the content of a file, what to do about it. */
    msg: string
    type: string
    input?: unknown
    /** For the content of a file: row (the first one concerned, counted from 1 without header and blank lines), item and count, as far as they are known. */
    ctx?: Record<string, unknown>
  }>
  error_code: ErrorCode
  /** The same request may succeed later. */
  retryable: boolean
  /** Echoes X-Request-ID. */
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
  /** From created_at to completed_at. */
  elapsed_seconds: number | null
  /** Failure in words. */
  error: string | null
  error_code: ErrorCode | null
  /** Set when the result can be downloaded. */
  download_url: string | null
  /** The report of the result as a page. */
  report_url: string | null
  /** What came of the analyses; null: none were asked for. */
  explainability: {
    enabled: boolean
    /** At most 1,500 characters. */
    overview_markdown: string
    selected_analyses: Array<string>
    completed_analyses: Array<string>
    /** Reason by analysis. */
    skipped_analyses: Record<string, string>
    warnings: Array<string>
    artifacts: Array<{
      /** The name of the file. */
      artifact_id: string
      /** Called as the flag of the request that asks for it. */
      analysis: string
      label: string
      /** csv, html or svg. */
      format: string
      /** Among the files of the result, as the zip has them. */
      output_path: string
      download_url: string
      /** Of html and svg, read with the key: show a page as `srcdoc` of a frame with `sandbox="allow-scripts"`, a drawing as an image. */
      embed_url?: string
      description: string
      /** Small enough to be shown beside the result. */
      render_inline: boolean
      /** A few rows as a table. */
      preview_markdown: string
      highlights: Array<string>
      display_order: number
      /** True of one page, the one to be shown first. */
      is_primary_visual: boolean
      /** True of one drawing. */
      is_thumbnail: boolean
    }>
    /** Among the files of the result, once there is one; its address is `explainability_url`. */
    summary_path?: string
  } | null
  /** The summary of the analyses as JSON. */
  explainability_url: string | null
  /** Seconds by stage. */
  timings: Record<string, number> | null
  /** Of the request that created the job. */
  request_id: string | null
  /** SHA-256 of the effective configuration. */
  config_hash: string | null
  /** SHA-256 of the canonical rows. */
  dataset_hash: string | null
  /** Engine version and preset, or the id of the fine-tuned model; of a job that trains one it is known when it has completed. Equal hashes and version give equal bytes. */
  model_version: string | null
  /** What was wrong with the data connection that the job read from. */
  connector_code: 'AUTHENTICATION_FAILED' | 'AUTHORIZATION_FAILED' | 'CREDENTIALS_EXPIRED' | 'CREDENTIALS_UNAVAILABLE' | 'SOURCE_NOT_FOUND' | 'EMPTY_SOURCE' | 'RATE_LIMITED' | 'TIMEOUT' | 'NETWORK_ERROR' | 'TLS_ERROR' | 'ENDPOINT_NOT_ALLOWED' | 'PROVIDER_UNAVAILABLE' | 'DATASET_TOO_LARGE' | 'DECOMPRESSION_LIMIT' | 'UNSUPPORTED_FORMAT' | 'UNSUPPORTED_COMPRESSION' | 'FORMAT_MISMATCH' | 'CORRUPT_DATA' | 'SCHEMA_MISMATCH' | 'INVALID_CONFIGURATION' | 'INVALID_KEY' | 'DESTINATION_EXISTS' | 'WRITE_FAILED' | 'SOURCE_CHANGED' | 'INTERNAL_ERROR' | null
  /** How the announcement at callback_url goes: pending until its first attempt, failed when no attempt is left; null without one. */
  callback_status: 'pending' | 'delivering' | 'delivered' | 'failed' | null
  /** As given by the caller. */
  name: string | null
  /** As given by the caller. */
  metadata: Record<string, unknown> | null
  /** What was noticed in the data. */
  warnings: Array<{
    code: string
    message: string
    count: number
  }> | null
  /** Only while pending or running. */
  progress: {
    stage: string
    fraction: number
    /** Jobs that would start before this one; null in the answer that creates it, and once it is out of the queue. */
    queue_position: number | null
  } | null
  /** Runs started so far. */
  attempt: number | null
  /** When the job and its files are deleted. */
  expires_at: string | null
  /** Series of the dataset, without the aggregates of a hierarchy. */
  num_items: number | null
  prediction_length: number | null
  /** What was used of the external covariates; null: none were asked for, or the job has not completed. */
  external_covariate_metadata: {
    /** The last observation over all series; of each series its own counts. */
    cutoff: string
    /** Covariates that the models get: kind, underscore, variable. */
    columns_added: Array<string>
    warnings: Array<string>
    /** What became of each kind that was asked for. */
    sources: {
      weather?: {
        /** used: all variables, without a gap; partial: some, or with gaps; skipped: none; failed: the provider did not answer. */
        status: 'used' | 'partial' | 'skipped' | 'failed'
        /** Why not all was used, by variable; null: all was. */
        reason: string | null
        /** Id of the provider that answered; null: none did. */
        provider: string | null
        /** As asked for. */
        source: string
        /** Whom the values are from, to be shown with results. */
        attribution: string | null
        variables_requested: Array<string>
        /** Those that the models get. */
        variables_used: Array<string>
        /** Of weather and air quality: latitude and longitude, with the city where one was named; or latitude_column, longitude_column and the number of places. */
        location?: Record<string, unknown>
        /** Of holidays. */
        country?: string
        /** Of holidays. */
        subdivision?: string | null
        /** Of holidays; null: the first of the country. */
        timezone?: string | null
        /** Of electricity. */
        zone?: string
        /** Of transport. */
        line?: string
        point_in_time: boolean
        /** Newest issue among the values used; null: not known. */
        issued_at: string | null
        /** Newest publication among the values used; null: not known. */
        published_through: string | null
        /** Least share of the steps of the history that are known, over variables and places, before anything is filled; null: nothing was fetched. */
        history_coverage: number | null
        /** Least share of the steps of the horizon that are known, over variables and places, before anything is filled; null: nothing was fetched. */
        future_coverage: number | null
        /** null: the kind has none. */
        future_strategy: string | null
        /** SHA-256 of the values used and their times of publication: equal ids, equal values. null: nothing was fetched. */
        snapshot_id: string | null
      }
      holidays?: {
        /** used: all variables, without a gap; partial: some, or with gaps; skipped: none; failed: the provider did not answer. */
        status: 'used' | 'partial' | 'skipped' | 'failed'
        /** Why not all was used, by variable; null: all was. */
        reason: string | null
        /** Id of the provider that answered; null: none did. */
        provider: string | null
        /** As asked for. */
        source: string
        /** Whom the values are from, to be shown with results. */
        attribution: string | null
        variables_requested: Array<string>
        /** Those that the models get. */
        variables_used: Array<string>
        /** Of weather and air quality: latitude and longitude, with the city where one was named; or latitude_column, longitude_column and the number of places. */
        location?: Record<string, unknown>
        /** Of holidays. */
        country?: string
        /** Of holidays. */
        subdivision?: string | null
        /** Of holidays; null: the first of the country. */
        timezone?: string | null
        /** Of electricity. */
        zone?: string
        /** Of transport. */
        line?: string
        point_in_time: boolean
        /** Newest issue among the values used; null: not known. */
        issued_at: string | null
        /** Newest publication among the values used; null: not known. */
        published_through: string | null
        /** Least share of the steps of the history that are known, over variables and places, before anything is filled; null: nothing was fetched. */
        history_coverage: number | null
        /** Least share of the steps of the horizon that are known, over variables and places, before anything is filled; null: nothing was fetched. */
        future_coverage: number | null
        /** null: the kind has none. */
        future_strategy: string | null
        /** SHA-256 of the values used and their times of publication: equal ids, equal values. null: nothing was fetched. */
        snapshot_id: string | null
      }
      macro?: {
        /** used: all variables, without a gap; partial: some, or with gaps; skipped: none; failed: the provider did not answer. */
        status: 'used' | 'partial' | 'skipped' | 'failed'
        /** Why not all was used, by variable; null: all was. */
        reason: string | null
        /** Id of the provider that answered; null: none did. */
        provider: string | null
        /** As asked for. */
        source: string
        /** Whom the values are from, to be shown with results. */
        attribution: string | null
        variables_requested: Array<string>
        /** Those that the models get. */
        variables_used: Array<string>
        /** Of weather and air quality: latitude and longitude, with the city where one was named; or latitude_column, longitude_column and the number of places. */
        location?: Record<string, unknown>
        /** Of holidays. */
        country?: string
        /** Of holidays. */
        subdivision?: string | null
        /** Of holidays; null: the first of the country. */
        timezone?: string | null
        /** Of electricity. */
        zone?: string
        /** Of transport. */
        line?: string
        point_in_time: boolean
        /** Newest issue among the values used; null: not known. */
        issued_at: string | null
        /** Newest publication among the values used; null: not known. */
        published_through: string | null
        /** Least share of the steps of the history that are known, over variables and places, before anything is filled; null: nothing was fetched. */
        history_coverage: number | null
        /** Least share of the steps of the horizon that are known, over variables and places, before anything is filled; null: nothing was fetched. */
        future_coverage: number | null
        /** null: the kind has none. */
        future_strategy: string | null
        /** SHA-256 of the values used and their times of publication: equal ids, equal values. null: nothing was fetched. */
        snapshot_id: string | null
      }
      air_quality?: {
        /** used: all variables, without a gap; partial: some, or with gaps; skipped: none; failed: the provider did not answer. */
        status: 'used' | 'partial' | 'skipped' | 'failed'
        /** Why not all was used, by variable; null: all was. */
        reason: string | null
        /** Id of the provider that answered; null: none did. */
        provider: string | null
        /** As asked for. */
        source: string
        /** Whom the values are from, to be shown with results. */
        attribution: string | null
        variables_requested: Array<string>
        /** Those that the models get. */
        variables_used: Array<string>
        /** Of weather and air quality: latitude and longitude, with the city where one was named; or latitude_column, longitude_column and the number of places. */
        location?: Record<string, unknown>
        /** Of holidays. */
        country?: string
        /** Of holidays. */
        subdivision?: string | null
        /** Of holidays; null: the first of the country. */
        timezone?: string | null
        /** Of electricity. */
        zone?: string
        /** Of transport. */
        line?: string
        point_in_time: boolean
        /** Newest issue among the values used; null: not known. */
        issued_at: string | null
        /** Newest publication among the values used; null: not known. */
        published_through: string | null
        /** Least share of the steps of the history that are known, over variables and places, before anything is filled; null: nothing was fetched. */
        history_coverage: number | null
        /** Least share of the steps of the horizon that are known, over variables and places, before anything is filled; null: nothing was fetched. */
        future_coverage: number | null
        /** null: the kind has none. */
        future_strategy: string | null
        /** SHA-256 of the values used and their times of publication: equal ids, equal values. null: nothing was fetched. */
        snapshot_id: string | null
      }
      rates?: {
        /** used: all variables, without a gap; partial: some, or with gaps; skipped: none; failed: the provider did not answer. */
        status: 'used' | 'partial' | 'skipped' | 'failed'
        /** Why not all was used, by variable; null: all was. */
        reason: string | null
        /** Id of the provider that answered; null: none did. */
        provider: string | null
        /** As asked for. */
        source: string
        /** Whom the values are from, to be shown with results. */
        attribution: string | null
        variables_requested: Array<string>
        /** Those that the models get. */
        variables_used: Array<string>
        /** Of weather and air quality: latitude and longitude, with the city where one was named; or latitude_column, longitude_column and the number of places. */
        location?: Record<string, unknown>
        /** Of holidays. */
        country?: string
        /** Of holidays. */
        subdivision?: string | null
        /** Of holidays; null: the first of the country. */
        timezone?: string | null
        /** Of electricity. */
        zone?: string
        /** Of transport. */
        line?: string
        point_in_time: boolean
        /** Newest issue among the values used; null: not known. */
        issued_at: string | null
        /** Newest publication among the values used; null: not known. */
        published_through: string | null
        /** Least share of the steps of the history that are known, over variables and places, before anything is filled; null: nothing was fetched. */
        history_coverage: number | null
        /** Least share of the steps of the horizon that are known, over variables and places, before anything is filled; null: nothing was fetched. */
        future_coverage: number | null
        /** null: the kind has none. */
        future_strategy: string | null
        /** SHA-256 of the values used and their times of publication: equal ids, equal values. null: nothing was fetched. */
        snapshot_id: string | null
      }
      electricity?: {
        /** used: all variables, without a gap; partial: some, or with gaps; skipped: none; failed: the provider did not answer. */
        status: 'used' | 'partial' | 'skipped' | 'failed'
        /** Why not all was used, by variable; null: all was. */
        reason: string | null
        /** Id of the provider that answered; null: none did. */
        provider: string | null
        /** As asked for. */
        source: string
        /** Whom the values are from, to be shown with results. */
        attribution: string | null
        variables_requested: Array<string>
        /** Those that the models get. */
        variables_used: Array<string>
        /** Of weather and air quality: latitude and longitude, with the city where one was named; or latitude_column, longitude_column and the number of places. */
        location?: Record<string, unknown>
        /** Of holidays. */
        country?: string
        /** Of holidays. */
        subdivision?: string | null
        /** Of holidays; null: the first of the country. */
        timezone?: string | null
        /** Of electricity. */
        zone?: string
        /** Of transport. */
        line?: string
        point_in_time: boolean
        /** Newest issue among the values used; null: not known. */
        issued_at: string | null
        /** Newest publication among the values used; null: not known. */
        published_through: string | null
        /** Least share of the steps of the history that are known, over variables and places, before anything is filled; null: nothing was fetched. */
        history_coverage: number | null
        /** Least share of the steps of the horizon that are known, over variables and places, before anything is filled; null: nothing was fetched. */
        future_coverage: number | null
        /** null: the kind has none. */
        future_strategy: string | null
        /** SHA-256 of the values used and their times of publication: equal ids, equal values. null: nothing was fetched. */
        snapshot_id: string | null
      }
      transport?: {
        /** used: all variables, without a gap; partial: some, or with gaps; skipped: none; failed: the provider did not answer. */
        status: 'used' | 'partial' | 'skipped' | 'failed'
        /** Why not all was used, by variable; null: all was. */
        reason: string | null
        /** Id of the provider that answered; null: none did. */
        provider: string | null
        /** As asked for. */
        source: string
        /** Whom the values are from, to be shown with results. */
        attribution: string | null
        variables_requested: Array<string>
        /** Those that the models get. */
        variables_used: Array<string>
        /** Of weather and air quality: latitude and longitude, with the city where one was named; or latitude_column, longitude_column and the number of places. */
        location?: Record<string, unknown>
        /** Of holidays. */
        country?: string
        /** Of holidays. */
        subdivision?: string | null
        /** Of holidays; null: the first of the country. */
        timezone?: string | null
        /** Of electricity. */
        zone?: string
        /** Of transport. */
        line?: string
        point_in_time: boolean
        /** Newest issue among the values used; null: not known. */
        issued_at: string | null
        /** Newest publication among the values used; null: not known. */
        published_through: string | null
        /** Least share of the steps of the history that are known, over variables and places, before anything is filled; null: nothing was fetched. */
        history_coverage: number | null
        /** Least share of the steps of the horizon that are known, over variables and places, before anything is filled; null: nothing was fetched. */
        future_coverage: number | null
        /** null: the kind has none. */
        future_strategy: string | null
        /** SHA-256 of the values used and their times of publication: equal ids, equal values. null: nothing was fetched. */
        snapshot_id: string | null
      }
    }
  } | null
  /** The plot of the forecast as a page; null: none was asked for, or it was skipped. */
  forecast_plot_url: string | null
  /** What was done with the rows before they were forecast; null: nothing was asked for, or the job has not completed. */
  preparation: {
    rows_read: number
    /** Rows for which all filters hold. */
    rows_used: number
    filtered: Array<{
      column: string
      op: 'eq' | 'ne' | 'in' | 'not_in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'between'
      values: Array<string>
      /** Rows for which it is the first filter that does not hold. */
      rows: number
    }>
    /** Series that the rows of the dataset belong to. */
    series_before: number
    /** Series that are forecast. */
    series_after: number
    /** Used rows that became one with an earlier row of their series and step. */
    rows_combined: number
    /** Of these, the rows with the same time as an earlier one, which were combined by across. null: of a job before there was such a count. */
    rows_combined_across: number | null
    /** Periods at the beginning and the end, 0 to 2, that the data do not cover wholly, so that sums of them would be too small, and largest and least values may be missing. */
    incomplete_periods_dropped: number
    /** Steps without a value that were given one. */
    steps_filled: number
    /** Steps without a value that were left out. */
    steps_dropped: number
    anomalies: {
      found: number
      /** Those that were given another value, or none. */
      changed: number
      /** The first 20, by series and time. */
      examples: Array<{
        /** The series; of a longer id the first 200 characters and an ellipsis. */
        item_id: string
        timestamp: string
        value: number
        /** null: it was not changed, or was removed and not filled. */
        used_instead: number | null
      }>
    }
  } | null
  /** What the reconciliation did; null: none was asked for, or the job has not completed. */
  reconciliation: {
    enabled: boolean
    /** What was done; see `fallback` where that is not what was asked for. */
    method: string
    /** Of min_trace. */
    weights: string | null
    /** Of top_down. */
    top_down_method: string | null
    /** From the grand total to the bottom. */
    levels: Array<{
      name: string
      num_nodes: number
    }>
    /** Nodes of the hierarchy: each is in the table, the grand total first, then level by level. */
    num_series: number
    /** Series of the dataset. */
    num_bottom: number
    total_label: string
    separator: string
    /** Windows of the backtest that the weights come from; 0 where they need none. */
    residual_windows_used: number
    /** Of shrink: 0 is the covariance of the residuals, 1 only their variances. */
    shrinkage: number | null
    /** Largest distance between a parent and the sum of its children, as they were forecast. */
    max_incoherence_before: number
    /** The same in the table. */
    max_incoherence_after: number
    /** What was done instead of what was asked for, and why. */
    fallback: {
      from: string
      to: string
      reason: string
    } | null
    warnings: Array<string>
  } | null
  /** The forecast in words; null: the job has not completed, trains a model, or could not be put into words. */
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
  /** Writing back to a data connection; skipped: the forecast failed. null: not asked for. */
  delivery_status: 'pending' | 'delivering' | 'delivered' | 'failed' | 'skipped' | null
  delivery_connection_id: string | null
  delivery_uri: string | null
  delivery_error: string | null
  /** The request with every default resolved. */
  effective_config: {
    prediction_length: number
    presets: string
    item_id_column: string
    timestamp_column: string
    target_column: string
    /** As asked for; the job's warnings name those that are not used. */
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
      /** Columns whose values together name a series; empty: all rows are one. null: the item id column names it. */
      series_columns: Array<string> | null
      /** Frequency alias of the steps that rows were combined into; null: rows kept their times. */
      step: string | null
      /** How the rows of a step became one. */
      aggregate: 'sum' | 'mean' | 'max' | 'min'
      /** How rows with the same time became one before that; null: as aggregate. */
      across: 'sum' | 'mean' | 'max' | 'min' | null
      missing: 'ffill' | 'bfill' | 'interpolate' | 'zero' | 'mean' | 'drop' | 'none'
      anomalies: 'none' | 'flag' | 'clip' | 'interpolate' | 'remove'
    } | null
    /** Covariates from outside, by kind, with every default resolved; null: not asked for. */
    external_covariates: Record<string, unknown> | null
    /** null: not asked for. */
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
    /** null: not asked for. */
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
    /** null: not asked for. */
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
    /** Of a job that trains a model, and null for any other; `presets` is its base preset. */
    training: {
      loss: string
      validation_windows: number
      /** null: the time budget of the deployment. */
      max_runtime_seconds: number | null
    } | null
  } | null
  /** The batch that it was created with. */
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
  /** From created_at to completed_at. */
  elapsed_seconds: number | null
  /** Failure in words. */
  error: string | null
  error_code: ErrorCode | null
  /** Set when the result can be downloaded. */
  download_url: string | null
  /** The report of the result as a page. */
  report_url: string | null
  /** What came of the analyses; null: none were asked for. */
  explainability: {
    enabled: boolean
    /** At most 1,500 characters. */
    overview_markdown: string
    selected_analyses: Array<string>
    completed_analyses: Array<string>
    /** Reason by analysis. */
    skipped_analyses: Record<string, string>
    warnings: Array<string>
    artifacts: Array<{
      /** The name of the file. */
      artifact_id: string
      /** Called as the flag of the request that asks for it. */
      analysis: string
      label: string
      /** csv, html or svg. */
      format: string
      /** Among the files of the result, as the zip has them. */
      output_path: string
      download_url: string
      /** Of html and svg, read with the key: show a page as `srcdoc` of a frame with `sandbox="allow-scripts"`, a drawing as an image. */
      embed_url?: string
      description: string
      /** Small enough to be shown beside the result. */
      render_inline: boolean
      /** A few rows as a table. */
      preview_markdown: string
      highlights: Array<string>
      display_order: number
      /** True of one page, the one to be shown first. */
      is_primary_visual: boolean
      /** True of one drawing. */
      is_thumbnail: boolean
    }>
    /** Among the files of the result, once there is one; its address is `explainability_url`. */
    summary_path?: string
  } | null
  /** The summary of the analyses as JSON. */
  explainability_url: string | null
  /** Seconds by stage. */
  timings: Record<string, number> | null
  /** Of the request that created the job. */
  request_id: string | null
  /** SHA-256 of the effective configuration. */
  config_hash: string | null
  /** SHA-256 of the canonical rows. */
  dataset_hash: string | null
  /** Engine version and preset, or the id of the fine-tuned model; of a job that trains one it is known when it has completed. Equal hashes and version give equal bytes. */
  model_version: string | null
  /** What was wrong with the data connection that the job read from. */
  connector_code: 'AUTHENTICATION_FAILED' | 'AUTHORIZATION_FAILED' | 'CREDENTIALS_EXPIRED' | 'CREDENTIALS_UNAVAILABLE' | 'SOURCE_NOT_FOUND' | 'EMPTY_SOURCE' | 'RATE_LIMITED' | 'TIMEOUT' | 'NETWORK_ERROR' | 'TLS_ERROR' | 'ENDPOINT_NOT_ALLOWED' | 'PROVIDER_UNAVAILABLE' | 'DATASET_TOO_LARGE' | 'DECOMPRESSION_LIMIT' | 'UNSUPPORTED_FORMAT' | 'UNSUPPORTED_COMPRESSION' | 'FORMAT_MISMATCH' | 'CORRUPT_DATA' | 'SCHEMA_MISMATCH' | 'INVALID_CONFIGURATION' | 'INVALID_KEY' | 'DESTINATION_EXISTS' | 'WRITE_FAILED' | 'SOURCE_CHANGED' | 'INTERNAL_ERROR' | null
  /** How the announcement at callback_url goes: pending until its first attempt, failed when no attempt is left; null without one. */
  callback_status: 'pending' | 'delivering' | 'delivered' | 'failed' | null
  /** As given by the caller. */
  name: string | null
  /** As given by the caller. */
  metadata: Record<string, unknown> | null
  /** What was noticed in the data. */
  warnings: Array<{
    code: string
    message: string
    count: number
  }> | null
  /** Only while pending or running. */
  progress: {
    stage: string
    fraction: number
    /** Jobs that would start before this one; null in the answer that creates it, and once it is out of the queue. */
    queue_position: number | null
  } | null
  /** Runs started so far. */
  attempt: number | null
  /** When the job and its files are deleted. */
  expires_at: string | null
  /** Rows of the table, those without a label included. */
  num_samples: number | null
  /** null: to be decided by the labels. */
  problem_type: 'binary' | 'multiclass' | 'regression' | 'quantile' | null
  /** On rows that the model did not learn from; null for a regression. */
  accuracy: number | null
  /** Share of each column in what sets the predictions apart; they sum to 1. The 50 greatest, and the rest as __other__; null where they are not known. */
  feature_importance: Record<string, number> | null
  /** null: to be decided by the labels. */
  inference_mode: 'train_evaluate' | 'train_predict' | null
  /** Rows with a label. */
  labeled_row_count: number | null
  /** Rows without one. */
  unlabeled_row_count: number | null
  /** Rows of the result. */
  predicted_row_count: number | null
  model_name: string | null
  /** On rows that the model did not learn from. */
  metrics: {
    /** Share of rows whose class was predicted. */
    accuracy: number | null
    /** Mean over the classes of the share of their rows that were predicted. */
    balanced_accuracy: number | null
    /** Mean of -ln of the probability that the true class was given. */
    log_loss: number | null
    /** Area under the ROC curve; of more than two classes the mean of each against the rest. */
    roc_auc: number | null
    /** 1 less the share of the variance that is left. */
    r2: number | null
    /** Root of the mean squared error. */
    rmse: number | null
    /** Mean absolute error. */
    mae: number | null
  } | null
  /** The request with every default resolved. */
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
    /** null: not asked for. */
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
  /** Give it back as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export type Batch = {
  batch_id: string
  /** pending: no job has started. completed: all have ended, at least one with a result. failed: all have failed. */
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
  /** What the forecast is for, in the sender's words. */
  business_objective?: string | null
  /** The column to forecast. */
  forecast_target?: string | null
  time_column?: string | null
  granularity?: 'minutely' | 'five_minutely' | 'quarter_hourly' | 'half_hourly' | 'hourly' | 'daily' | 'business_daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly' | 'irregular' | null
  /** Steps of `granularity` after the last time of the data. */
  horizon?: number | null
  /** pandas alias of a step. */
  forecast_frequency?: string | null
  /** The horizon as the prompt puts it. */
  horizon_quantity?: number | null
  horizon_unit?: 'steps' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'quarters' | 'years' | null
  /** Columns whose values name a series. */
  entity_columns?: Array<string>
  /** Columns to forecast by in their place. */
  grouping_dimensions?: Array<string>
  /** Rows are used for which all of them hold. */
  filters?: Array<{
    column: string
    op: 'eq' | 'ne' | 'in' | 'not_in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'between'
    /** Of in, not_in and between several, separated by commas, or a JSON list where values have commas of their own. */
    value: string
  }>
  /** Those known ahead and those known of the past only, together. */
  covariates?: Array<string>
  /** Columns known for the steps that are forecast, as the prompt or the data say; used where the data have values for all of them. */
  known_future_features?: Array<string>
  /** Columns known for the past only. */
  historical_features?: Array<string>
  evaluation_metric?: 'MAPE' | 'SMAPE' | 'WAPE' | 'MAE' | 'MSE' | 'RMSE' | 'MASE' | 'RMSSE' | 'WQL' | 'SQL'
  backtest_strategy?: 'holdout' | 'rolling_origin' | 'expanding_window' | 'none'
  /** Shares of the outcomes that an interval shall hold. */
  confidence_intervals?: Array<number>
  /** Season lengths in steps of `granularity`. */
  seasonality?: Array<number>
  anomaly_handling?: 'none' | 'flag' | 'clip' | 'interpolate' | 'remove'
  missing_data_handling?: 'ffill' | 'bfill' | 'interpolate' | 'zero' | 'mean' | 'drop' | 'none'
  /** Wishes that no other field has, and what of the prompt was not understood (`Not used: ...`). */
  user_constraints?: Array<string>
  deployment_target?: 'one_off' | 'scheduled' | 'api' | 'write_back'
  /** Answers give it anew: rejected stays; with a question needs_clarification; else confirmed if the client says so, else ready; of a prompt draft. */
  review_status?: 'draft' | 'needs_clarification' | 'ready' | 'confirmed' | 'rejected'
  missing_required_fields?: Array<string>
  /** At most three, the most important first. */
  clarification_questions?: Array<{
    /** The field of the intent that the answer goes to. */
    field: string
    question: string
    /** At most four, of the real data. */
    suggestions: Array<string>
  }>
  /** How much of the intent was said, and how much of what was said is in it. No probability. */
  confidence?: number
}

export type DatasetProfile = {
  /** Data rows of the file. */
  total_rows: number
  /** Series. */
  num_items: number
  /** Rows of the shortest series, up to its last target. */
  min_length: number
  max_length: number
  avg_length: number
  frequency?: 'minutely' | 'five_minutely' | 'quarter_hourly' | 'half_hourly' | 'hourly' | 'daily' | 'business_daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly' | 'irregular'
  /** Share of the steps between first and last observation without a value. */
  missingness_ratio: number
  /** By rows: below a thousand, ten thousand, a hundred thousand, a million, and more. */
  dataset_size?: 'tiny' | 'small' | 'medium' | 'large' | 'huge'
  /** pandas alias; null: the rows have no regular step. */
  inferred_freq_str: string | null
  has_negatives: boolean
  covers_weekends: boolean
  value_min: number
  value_max: number
  /** Season lengths in steps that the values bear out, strongest first. */
  candidate_seasonality: Array<number>
  /** Columns that move with the target, strongest first. */
  suspected_covariates: Array<string>
  hierarchical: boolean
  /** Columns whose values nest, coarsest first. */
  hierarchy_columns: Array<string>
}

export type Health = {
  version: string
  timestamp: string
  status: 'ok' | 'degraded'
  /** Identifier of the deployed code. */
  commit: string
  /** `ok` or what is wrong, by resource. */
  checks: Record<string, string>
}

export type Limits = {
  /** Largest multipart upload. */
  max_upload_bytes: number
  /** Largest upload to a signed URL. */
  max_object_bytes: number
  /** Stored objects that a tenant may have; one that was deleted counts for a day more. */
  max_objects_per_tenant: number
  /** Content types of uploads to signed URLs; null: any. */
  upload_content_types: Array<string> | null
  /** Bytes of a stored file that a preview reads. */
  preview_max_bytes: number
  /** Rows that a preview gives. */
  preview_max_rows: number
  /** Requests of one batch. */
  max_batch_requests: number
  /** Largest JSON body. */
  max_json_bytes: number
  /** Deepest nesting of JSON, in bodies and in form fields. */
  max_json_depth: number
  /** Most keys of one JSON value. */
  max_json_keys: number
  /** Largest text field of a form. */
  max_form_field_bytes: number
  /** Most parts of a form. */
  max_form_parts: number
  /** Rows of a dataset. */
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
  /** Of the forecast table as CSV. */
  max_output_bytes: number
  /** Years from the first step of a dataset to the end of its horizon for which covariates from outside are found; of steps of a day or longer. */
  max_covariate_years: number
  /** The same of steps shorter than a day. */
  max_covariate_years_within_days: number
  /** Quantile levels of a forecast. */
  max_quantile_levels: number
  /** Metadata of a job, as JSON. */
  max_metadata_bytes: number
  /** All options of a job together, as it is stored. */
  max_specification_bytes: number
  /** Results above this size are written as CSV at their first download. */
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
  /** Time for which a fine-tuned model is kept; 0: until it is deleted. */
  fine_tuned_model_seconds: number
  /** Webhook endpoints that a tenant may have. */
  max_webhook_endpoints: number
  /** API keys that work which a tenant may have. */
  max_keys_per_tenant: number
  /** Wall clock of one run of a job. */
  job_budget_seconds: number
  /** Time after its end that a job is kept. */
  job_retention_seconds: number
  /** Lifetime of a signed download URL. */
  signed_url_seconds: number
  /** Lifetime of a signed upload URL. */
  signed_upload_seconds: number
  /** Downloads of one tenant that are sent side by side. */
  downloads_per_tenant: number
  /** Jobs that may wait in all. */
  max_queued_jobs: number
  /** Jobs of one tenant that may wait. */
  max_queued_jobs_per_tenant: number
  /** Of the caller's tenant, and what of them is used; null: this deployment has none. */
  quotas: {
    jobs_per_day: {
      /** null: none. */
      limit: number | null
      used: number
      /** null: it falls with what is deleted or expires. */
      resets_at: string | null
    }
    rows_per_day: {
      /** null: none. */
      limit: number | null
      used: number
      /** null: it falls with what is deleted or expires. */
      resets_at: string | null
    }
    stored_bytes: {
      /** null: none. */
      limit: number | null
      used: number
      /** null: it falls with what is deleted or expires. */
      resets_at: string | null
    }
  } | null
  /** null: requests are not limited. */
  rate_limits: {
    /** Reads of one key. */
    reads_per_minute: number
    /** Job-creating requests of one key. */
    creates_per_minute: number
    /** Uploads of one key. */
    uploads_per_minute: number
    /** Requests to the agent of one key. */
    agent_per_minute: number
    /** How many times the limits of one key all keys of a tenant together have. */
    tenant_factor: number
    /** Processor time of one tenant for what workers compute while its caller waits (content checks, previews, the agent, estimates, connections), milliseconds of a core; over it 429. */
    sync_cpu_ms_per_minute: number
    /** Processor time of one tenant for what the api itself does with its bodies, lists and answers, milliseconds; over it 429. Reads of single things take none, but for the bytes of files. */
    api_cpu_ms_per_minute: number
  } | null
}

export type StoredObject = {
  object_id: string
  /** failed: the address expired unused, or the file was not as announced. */
  status: 'presigned' | 'uploaded' | 'failed'
  original_filename: string
  content_type: string
  /** RFC 3339, UTC. */
  created_at: string
  /** Bytes; there once known. */
  file_size?: number
  /** RFC 3339, UTC. */
  uploaded_at?: string
}

export type ObjectList = {
  objects: Array<StoredObject>
  /** Give it back as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export type PresignedUpload = {
  object_id: string
  /** Takes one upload, until it expires. */
  upload_url: string
  /** RFC 3339, UTC. */
  expires_at: string
  method: 'PUT'
  /** Part of the signature: send exactly these. */
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
  /** null: no column looks like it. */
  detected_timestamp_column: string | null
  /** null: no column looks like it. */
  detected_target_column: string | null
  /** null: no column looks like it. */
  detected_item_id_column: string | null
  /** There when it can be inferred. */
  detected_frequency?: string
  delimiter: string
  encoding: string
  /** null: no cell is quoted. */
  quote: string | null
  /** The file goes on behind these rows. */
  truncated: boolean
}

export type FineTunedModel = {
  /** Forecasts name it as `presets`: `ft:` and this id. */
  model_id: string
  /** As given by the caller. */
  name: string | null
  /** RFC 3339, UTC. */
  created_at: string
  /** Id of the key that asked for the training. */
  created_by: string
  base_preset: string
  /** Of the data that it was trained on, and that it forecasts. */
  freq: string
  /** The longest horizon that it forecasts. */
  prediction_length: number
  columns: {
    item_id_column: string
    timestamp_column: string
    target_column: string
  }
  /** Those that it uses; a forecast needs their values for all of its steps. */
  covariates: Array<string>
  /** Series that it was trained on. */
  num_items: number | null
  /** On the ends of the histories that were held back from the training. */
  metrics: {
    /** Of the model. */
    candidate: {
      /** Mean absolute error. */
      mae: number | null
      /** Mean squared error. */
      mse: number | null
      /** Its square root. */
      rmse: number | null
      /** Mean absolute percentage error; null where the series have zeros. */
      mape: number | null
      /** Symmetric mean absolute percentage error. */
      smape: number | null
      /** Weighted quantile loss. */
      wql: number | null
    }
    /** Of its base preset, on the same windows. */
    baseline: {
      /** Mean absolute error. */
      mae: number | null
      /** Mean squared error. */
      mse: number | null
      /** Its square root. */
      rmse: number | null
      /** Mean absolute percentage error; null where the series have zeros. */
      mape: number | null
      /** Symmetric mean absolute percentage error. */
      smape: number | null
      /** Weighted quantile loss. */
      wql: number | null
    }
  }
  /** SHA-256 of the canonical rows. */
  dataset_hash: string | null
  size_bytes: number
  /** When it is deleted; null: it stays. */
  expires_at: string | null
}

export type FineTunedModelList = {
  models: Array<FineTunedModel>
  /** Give it back as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/** An API key without its secret. */
export type ApiKey = {
  /** 8 characters. */
  id: string
  /** What the key itself begins with; null for a key of the static map. */
  prefix: string | null
  /** null: a key of the sandbox, or one of the static map that belongs to nobody. */
  tenant: string | null
  scopes: Array<'forecast' | 'tabular' | 'agent' | 'jobs:read' | 'jobs:delete' | 'storage' | 'connections' | 'models' | 'sandbox' | 'admin' | 'keys:write' | 'webhooks' | 'audit:read'>
  name: string | null
  /** `static`: from the file of TABCAST_STATIC_KEYS_FILE, where alone it can be changed. */
  source: 'issued' | 'static'
  /** null for a key of the static map. */
  created_at: string | null
  /** When the secret was last replaced. */
  rotated_at: string | null
  /** null: it does not. */
  expires_at: string | null
  /** To the minute; null: never, or a key of the static map. */
  last_used_at: string | null
}

export type IssuedApiKey = {
  /** 8 characters. */
  id: string
  /** What the key itself begins with; null for a key of the static map. */
  prefix: string | null
  /** null: a key of the sandbox, or one of the static map that belongs to nobody. */
  tenant: string | null
  scopes: Array<'forecast' | 'tabular' | 'agent' | 'jobs:read' | 'jobs:delete' | 'storage' | 'connections' | 'models' | 'sandbox' | 'admin' | 'keys:write' | 'webhooks' | 'audit:read'>
  name: string | null
  /** `static`: from the file of TABCAST_STATIC_KEYS_FILE, where alone it can be changed. */
  source: 'issued' | 'static'
  /** null for a key of the static map. */
  created_at: string | null
  /** When the secret was last replaced. */
  rotated_at: string | null
  /** null: it does not. */
  expires_at: string | null
  /** To the minute; null: never, or a key of the static map. */
  last_used_at: string | null
  /** The key itself, to be sent as `Authorization: Bearer`. It is shown only now. */
  key: string
}

export type ApiKeyList = {
  keys: Array<ApiKey>
  /** Give it back as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/** Newest first. */
export type AuditPage = {
  records: Array<{
    /** What was done with a connection has the same id in the connection's own audit. */
    audit_id: string
    timestamp: string
    action: 'job.create' | 'job.delete' | 'batch.create' | 'batch.delete' | 'object.presign' | 'object.complete' | 'object.delete' | 'model.delete' | 'connection.create' | 'connection.update' | 'connection.rotate' | 'connection.test' | 'connection.validate' | 'connection.list' | 'connection.read' | 'connection.deliver' | 'connection.delete' | 'key.create' | 'key.rotate' | 'key.revoke' | 'webhook_secret.rotate' | 'webhook_endpoint.create' | 'webhook_endpoint.update' | 'webhook_endpoint.delete' | 'webhook_endpoint.disable' | 'webhook_endpoint.rotate_secret' | 'webhook_endpoint.test' | 'webhook_delivery.redeliver'
    /** Of what was changed; null: it has no id. */
    target_id: string | null
    outcome: 'success' | 'failure' | 'skipped'
    /** Why not; null: nothing was wrong, or the outcome says it all. */
    error_code: string | null
    /** Id of the key that asked, also an administrator's; `command line`: whoever runs the service; `service`: the service by itself. */
    actor: string
    /** null: it was no request. */
    request_id: string | null
    /** SHA-256 of the record before it; empty for the first. */
    prev_hash: string
  }>
  /** Give it back as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export type WebhookEndpoint = {
  endpoint_id: string
  url: string
  events: Array<'job.completed' | 'job.failed' | 'job.delivered' | 'job.delivery_failed'>
  description: string | null
  enabled: boolean
  /** `failing`: no attempt got through for five days. `gone`: it answered 410. null: the service did not disable it. */
  disabled_reason: 'failing' | 'gone' | null
  /** The first failed attempt since one that got through; null: the last one did, or none was made. */
  failing_since: string | null
  /** Messages that were not sent as they came, since too many waited. The newest 100 are among the deliveries, failed without an attempt, and can be redelivered. */
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
  /** The webhook-id header; the same for every attempt. */
  webhook_id: string
  type: 'job.completed' | 'job.failed' | 'job.delivered' | 'job.delivery_failed' | 'webhook.test'
  /** null: a test event. */
  job_id: string | null
  status: 'pending' | 'delivering' | 'delivered' | 'failed'
  /** RFC 3339, UTC. */
  created_at: string
  /** null: nothing more will be sent. */
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
  /** Newest first. A delivery goes with its job; of test events the newest 20 are kept. */
  deliveries: Array<WebhookDelivery>
  /** Give it back as `cursor` for the next page; null on the last one. */
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
  /** What may be shown of the credentials; the secrets are never given back. */
  credential: {
    auth_method: 'access_key' | 'assume_role' | 'iam_role' | 'instance_profile' | 'workload_identity'
    /** The last four characters of the access key id, masked. */
    hint: string | null
    /** The key of the server's keyring that wraps the secrets. */
    key_version: string | null
    created_at: string
    rotated_at: string | null
  }
  status: 'untested' | 'connected' | 'failed' | 'disabled'
  capabilities: {
    /** The store itself keeps an object from being replaced; null: not tested, or not allowed to write. */
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
  /** Give it back as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export type ConnectionTest = {
  connection_id: string
  status: 'untested' | 'connected' | 'failed' | 'disabled'
  /** A target that fails is an answer with false, not an error. */
  ok: boolean
  checked_at: string
  /** Of the listing. */
  latency_ms: number
  checks: Array<{
    name: 'policy' | 'dns' | 'tls' | 'authenticate' | 'list' | 'read' | 'write'
    status: 'passed' | 'failed' | 'skipped'
    /** What is wrong with the store. */
    error_code: 'AUTHENTICATION_FAILED' | 'AUTHORIZATION_FAILED' | 'CREDENTIALS_EXPIRED' | 'CREDENTIALS_UNAVAILABLE' | 'SOURCE_NOT_FOUND' | 'EMPTY_SOURCE' | 'RATE_LIMITED' | 'TIMEOUT' | 'NETWORK_ERROR' | 'TLS_ERROR' | 'ENDPOINT_NOT_ALLOWED' | 'PROVIDER_UNAVAILABLE' | 'DATASET_TOO_LARGE' | 'DECOMPRESSION_LIMIT' | 'UNSUPPORTED_FORMAT' | 'UNSUPPORTED_COMPRESSION' | 'FORMAT_MISMATCH' | 'CORRUPT_DATA' | 'SCHEMA_MISMATCH' | 'INVALID_CONFIGURATION' | 'INVALID_KEY' | 'DESTINATION_EXISTS' | 'WRITE_FAILED' | 'SOURCE_CHANGED' | 'INTERNAL_ERROR' | null
  }>
  capabilities: {
    /** The store itself keeps an object from being replaced; null: not tested, or not allowed to write. */
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
  /** null, like the five figures below: a column that is needed is missing. */
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
  /** Compared with the validation before. */
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
  /** A page may be short, even empty, and still have a next one. */
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
    /** Id of the key that asked. */
    actor: string
    job_id: string | null
    object_uri: string | null
    bytes: number | null
    rows: number | null
    /** What is wrong with the store. */
    error_code: 'AUTHENTICATION_FAILED' | 'AUTHORIZATION_FAILED' | 'CREDENTIALS_EXPIRED' | 'CREDENTIALS_UNAVAILABLE' | 'SOURCE_NOT_FOUND' | 'EMPTY_SOURCE' | 'RATE_LIMITED' | 'TIMEOUT' | 'NETWORK_ERROR' | 'TLS_ERROR' | 'ENDPOINT_NOT_ALLOWED' | 'PROVIDER_UNAVAILABLE' | 'DATASET_TOO_LARGE' | 'DECOMPRESSION_LIMIT' | 'UNSUPPORTED_FORMAT' | 'UNSUPPORTED_COMPRESSION' | 'FORMAT_MISMATCH' | 'CORRUPT_DATA' | 'SCHEMA_MISMATCH' | 'INVALID_CONFIGURATION' | 'INVALID_KEY' | 'DESTINATION_EXISTS' | 'WRITE_FAILED' | 'SOURCE_CHANGED' | 'INTERNAL_ERROR' | null
    request_id: string
    /** SHA-256 of the record before it; empty for the first. */
    prev_hash: string
  }>
  next_cursor: string | null
}

/** The fields of createForecast. */
export type ForecastFields = {
  /** Steps to forecast, at most 1,000. */
  prediction_length?: number
  /** One of fast, balanced, best, which trade time for accuracy, or ft: and the id of a fine-tuned model, which makes the forecast then. */
  presets?: string
  /** Column that names the series. */
  item_id_column?: string
  /** Column of the time stamps. */
  timestamp_column?: string
  /** Column of the values. */
  target_column?: string
  /** Frequency as a pandas alias (h, 30min, D, W-MON, MS, QE, ...); null or left out: inferred, where 90 % of the gaps agree. */
  freq?: string | null
  /** Levels between 0 and 1 as a comma list or a JSON array, as many as fit into the text (50 of two digits, as in .05,.1); null or left out: 0.1, 0.2 ... 0.9. */
  quantile_levels?: string | null
  /** pandas: 2026-01-31 00:00:00. iso8601: 2026-01-31T00:00:00+00:00. null or left out: pandas. */
  timestamp_format?: 'pandas' | 'iso8601' | null
  /** raw: 0.1. prefixed: q0.1. null or left out: raw. */
  quantile_column_style?: 'raw' | 'prefixed' | null
  /** Columns that may explain the target, as a comma list or a JSON array of names, at most 50. Rows after the last target of a series, with an empty target, say what they will be; a column without such values is reported and not used. */
  covariates?: string | null
  /** Which sheet of a spreadsheet (.xls, .xlsx) to read; null or left out: the first. Not taken with other files. */
  sheet_name?: string | null
  /** Where the series are, for weather and air quality among external_covariates that name no place of their own; otherwise without effect. */
  latitude?: number | null
  /** Where the series are, for weather and air quality among external_covariates that name no place of their own; otherwise without effect. */
  longitude?: number | null
  /** Uses some of the rows, combines them, and repairs values, before anything is forecast. A JSON object, in a form as text; null or left out: rows are used as they are. */
  preparation?: {
    /** Rows are used for which all of them hold: objects of column, op (eq, ne, in, not_in, gt, gte, lt, lte, contains, between) and values, a list of texts. */
    filters?: Array<{
      column: string
      /** gt, gte, lt, lte and between compare numbers or times; a day without a time of day is the whole day. */
      op: 'eq' | 'ne' | 'in' | 'not_in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'between'
      /** One; of in and not_in any number; of between the least and the most. */
      values: Array<string>
    }>
    /** Columns whose values together name a series, in place of the item id column; an empty list: all rows are one series. Rows of a series with the same time are combined. null or left out: the item id column names the series. */
    series_columns?: Array<string> | null
    /** Length of the steps that rows are combined into, as a pandas alias such as W or MS; null or left out: rows keep their times. With any aggregate but mean a first or last step that the data do not cover wholly is left out. */
    step?: string | null
    /** How the targets of a series that fall into one step become one: sum, mean, max or min. Rows of several series with the same time become one before that, by across. */
    aggregate?: 'sum' | 'mean' | 'max' | 'min'
    /** How targets of several rows of a series with the same time become one, by the same names: with series_columns those of the series that are combined, such as a sum for the load of all substations, of which aggregate then takes the mean of a day. null or left out: as aggregate, which then counts all rows of a step alike. */
    across?: 'sum' | 'mean' | 'max' | 'min' | null
    /** What steps without a value get: ffill the value before, bfill the one behind, interpolate a straight line, zero, mean that of the series; drop leaves such rows out; none: the models fill them as they see fit. */
    missing?: 'ffill' | 'bfill' | 'interpolate' | 'zero' | 'mean' | 'drop' | 'none'
    /** What happens to values far from what the series would have there: clip to what would be ordinary, interpolate between their neighbours, remove; flag reports them only. */
    anomalies?: 'none' | 'flag' | 'clip' | 'interpolate' | 'remove'
  } | null
  /** Makes features from the dataset and uses them in every preset: parts of the calendar, lags, rolling statistics, growth, event flags. A JSON object, in a form as text; `{}` is all of them with their defaults; null or left out: off. */
  feature_engineering?: {
    /** Make the features below, and use them in every preset. */
    enabled?: boolean
    /** Parts of the time stamp that vary at the frequency: year, quarter, month, week of year, days of year, month and week, hour, minute. */
    time_features?: boolean
    /** Sine and cosine of those parts that have a period. */
    cyclical_encoding?: boolean
    /** Values some steps earlier. */
    lag_features?: boolean
    /** Lags, in steps of the series, at most 64 from 1 to 10,000; one that is longer than a series is not used there and reported. */
    lag_periods?: Array<number>
    /** Statistics of the last values. */
    rolling_features?: boolean
    /** Lengths of the rolling windows, in steps of the series, at most 64 from 1 to 10,000; one that is longer than a series is not used there and reported. */
    rolling_windows?: Array<number>
    /** Statistics of each rolling window. */
    rolling_stats?: Array<'mean' | 'std' | 'min' | 'max'>
    /** Relative changes of the last value. */
    growth_features?: boolean
    /** Distances of the growth metrics, in steps of the series, at most 64 from 1 to 10,000; one that is longer than a series is not used there and reported. */
    growth_periods?: Array<number>
    /** Weekend, first and last day of month, quarter and year. */
    event_flags?: boolean
  } | null
  /** Adds covariates from outside the dataset, such as weather and holidays, as they were known at the last observation. A JSON object, in a form as text; null or left out: none. */
  external_covariates?: {
    /** Weather of a place: archived and forecast. */
    weather?: {
      /** Whether the kind is added; without it the other fields do nothing. */
      enabled?: boolean
      /** Which of its variables are added; left out or empty: the first three. */
      variables?: Array<string>
      /** Id of the one provider or catalogue that is asked; auto: the first of the deployment that covers the place and one of the variables. One source answers for all variables. */
      source?: string
      /** Use only what was known at the last observation of a series; false: the newest values that there are, which a forecast made at that time would not have had. */
      point_in_time?: boolean
      /** Less than 99 % of the history, or a gap in the horizon, ends the job with validation_error; false: the variable is left out with a warning. */
      require_coverage?: boolean
      /** Take only values with a time of publication of their own; false: an assumed delay stands in where there is none. */
      require_published?: boolean
      /** The place of all series: a name, where needed with division and country, as in `Portland, ME, US`. */
      city?: string | null
      /** Column of the dataset with the latitude of each series; with longitude_column. */
      latitude_column?: string | null
      /** Column of the dataset with the longitude of each series. */
      longitude_column?: string | null
      /** The place of all series, degrees north; with longitude. */
      latitude?: number | null
      /** The place of all series, degrees east. */
      longitude?: number | null
      /** A city with its coordinates, as `effective_config` of an earlier job has it; it is not looked up again. Counts after columns and coordinates, and before city. */
      resolved_location?: {
        /** What was asked for, as in `Vienna, AT`; without coordinates it is looked up like `city`. */
        query?: string | null
        /** Of the city. */
        name?: string | null
        /** ISO 3166-1 alpha-2. */
        country?: string | null
        /** First division of the country. */
        admin1?: string | null
        /** IANA name; the zone whose days are meant. */
        timezone?: string | null
        /** Degrees north. */
        latitude?: number | null
        /** Degrees east. */
        longitude?: number | null
      } | null
    } | null
    /** Holidays of a country, built in. */
    holidays?: {
      /** Whether the kind is added; without it the other fields do nothing. */
      enabled?: boolean
      /** Which of its variables are added; left out or empty: the first three. */
      variables?: Array<string>
      /** ISO 3166-1 alpha-2, such as AT; needed. */
      country_code?: string | null
      /** A part of the country, such as BY or DE-BY; null or left out: holidays of the whole country. */
      subdivision_code?: string | null
      /** IANA name of the zone whose days are meant; null or left out: the first of the country. */
      timezone?: string | null
    } | null
    /** Macroeconomic figures as levels. */
    macro?: {
      /** Whether the kind is added; without it the other fields do nothing. */
      enabled?: boolean
      /** Which of its variables are added; left out or empty: the first three. */
      variables?: Array<string>
      /** What stands in for steps after the last published figure: the figure itself, the last season again (seasonal_naive), nothing (none: then no model uses it), or the end of the job (error). */
      future_strategy?: 'forward_fill_latest' | 'seasonal_naive' | 'none' | 'error'
    } | null
    /** Air quality of a place. */
    air_quality?: {
      /** Whether the kind is added; without it the other fields do nothing. */
      enabled?: boolean
      /** Which of its variables are added; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only what was known at the last observation of a series; false: the newest values that there are, which a forecast made at that time would not have had. */
      point_in_time?: boolean
      /** The place of all series; left out: the place of weather, or latitude and longitude of the request. */
      city?: string | null
    } | null
    /** Interest and exchange rates, each held until the next. */
    rates?: {
      /** Whether the kind is added; without it the other fields do nothing. */
      enabled?: boolean
      /** Which of its variables are added; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only what was known at the last observation of a series; false: the newest values that there are, which a forecast made at that time would not have had. */
      point_in_time?: boolean
      /** What stands in for steps after the last published figure: the figure itself, the last season again (seasonal_naive), nothing (none: then no model uses it), or the end of the job (error). */
      future_strategy?: 'forward_fill_latest' | 'seasonal_naive' | 'none' | 'error'
    } | null
    /** Prices and load of a bidding zone. */
    electricity?: {
      /** Whether the kind is added; without it the other fields do nothing. */
      enabled?: boolean
      /** Which of its variables are added; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only what was known at the last observation of a series; false: the newest values that there are, which a forecast made at that time would not have had. */
      point_in_time?: boolean
      /** A bidding zone such as DE-LU, or its EIC; needed. */
      bidding_zone?: string | null
    } | null
    /** Trains of a line. */
    transport?: {
      /** Whether the kind is added; without it the other fields do nothing. */
      enabled?: boolean
      /** Which of its variables are added; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only what was known at the last observation of a series; false: the newest values that there are, which a forecast made at that time would not have had. */
      point_in_time?: boolean
      /** A commuter line such as P, or the number of a train; needed. */
      train_line?: string | null
    } | null
  } | null
  /** Explains the forecast: a plot, importance and contributions of features, correlations, as files and on the job. A JSON object, in a form as text; `{"enabled": true}` makes all of them; null or left out: none. */
  explainability?: {
    /** Generate analyses and plots after forecasting, or after the predictions of a table; the other fields do nothing without it. */
    enabled?: boolean
    /** Model-based importance where supported. */
    feature_importance?: boolean
    /** Surrogate SHAP artifacts. */
    shap?: boolean
    /** Correlations between features. */
    feature_feature_correlations?: boolean
    /** Correlations between features and target. */
    feature_target_correlations?: boolean
    /** Interactive plot with trailing history and uncertainty bands. */
    forecast_plot?: boolean
    /** Rolling-window regression for importance that varies in time; made where the deployment has switched it on. */
    rolling_regression?: boolean
    /** null: min(2 * prediction_length, 120). */
    trailing_history_steps?: number | null
    /** Rows that an analysis looks at, at most. */
    max_rows?: number
    /** Features that an analysis looks at, at most. */
    max_features?: number
    /** Features that drawings and summaries show. */
    top_k_features?: number
    /** Rows whose contributions are told. */
    shap_sample_size?: number
  } | null
  /** Forecasts a hierarchy so that it adds up: the parents are forecast too, and each is the sum of its children. A JSON object, in a form as text; `{"enabled": true, "hierarchy_columns": ["region", "store"]}` is enough. */
  reconciliation?: {
    enabled?: boolean
    /** Grouping columns, top to bottom; their values joined by the separator are the id of a bottom series, and the item id column may be missing. Left out or empty: item ids are split at the separator. */
    hierarchy_columns?: Array<string>
    /** How the forecasts of all nodes become coherent. */
    method?: 'bottom_up' | 'top_down' | 'min_trace'
    /** What min_trace holds the error of a node to be: all equal, by its number of series, or from a backtest (wls_var, shrink). Ignored by the other methods. */
    weights?: 'ols' | 'wls_struct' | 'wls_var' | 'shrink'
    /** Shares by which a total is divided. Ignored unless the method is top_down. */
    top_down_method?: 'proportions_of_historical_totals' | 'average_historical_proportions' | 'forecast_proportions'
    /** Joins the group names to the id of a series; no value of a hierarchy column may contain it. At most 16 characters. */
    separator?: string
    /** Item id of the grand total; no other series may have it. At most 200 characters. */
    total_label?: string
    /** Windows of the backtest of wls_var and shrink; each costs one more forecast. */
    residual_windows?: number
  } | null
  /** Address that is told when the job has ended, as Standard Webhooks has it: https, on port 443 or 8443 of a public address, unless the deployment opens others. The secret of the signature is at /webhooks/secret. */
  callback_url?: string | null
  /** Shown on the job. */
  name?: string | null
  /** JSON object of at most 2 KiB, shown on the job. */
  metadata?: Record<string, unknown> | null
}

/** The fields of createForecastFromObject. */
export type ObjectForecast = {
  /** A stored object that is uploaded: CSV or Parquet, as for an upload. */
  object_id: string
  /** Steps to forecast, at most 1,000. */
  prediction_length?: number
  /** One of fast, balanced, best, which trade time for accuracy, or ft: and the id of a fine-tuned model, which makes the forecast then. */
  presets?: string
  /** Column that names the series. */
  item_id_column?: string
  /** Column of the time stamps. */
  timestamp_column?: string
  /** Column of the values. */
  target_column?: string
  /** Frequency as a pandas alias (h, 30min, D, W-MON, MS, QE, ...); null or left out: inferred, where 90 % of the gaps agree. */
  freq?: string | null
  /** Levels between 0 and 1 as a comma list or a JSON array, as many as fit into the text (50 of two digits, as in .05,.1); null or left out: 0.1, 0.2 ... 0.9. */
  quantile_levels?: string | null
  /** pandas: 2026-01-31 00:00:00. iso8601: 2026-01-31T00:00:00+00:00. null or left out: pandas. */
  timestamp_format?: 'pandas' | 'iso8601' | null
  /** raw: 0.1. prefixed: q0.1. null or left out: raw. */
  quantile_column_style?: 'raw' | 'prefixed' | null
  /** Columns that may explain the target, as a comma list or a JSON array of names, at most 50. Rows after the last target of a series, with an empty target, say what they will be; a column without such values is reported and not used. */
  covariates?: string | null
  /** Which sheet of a spreadsheet (.xls, .xlsx) to read; null or left out: the first. Not taken with other files. */
  sheet_name?: string | null
  /** Where the series are, for weather and air quality among external_covariates that name no place of their own; otherwise without effect. */
  latitude?: number | null
  /** Where the series are, for weather and air quality among external_covariates that name no place of their own; otherwise without effect. */
  longitude?: number | null
  /** Uses some of the rows, combines them, and repairs values, before anything is forecast. A JSON object, in a form as text; null or left out: rows are used as they are. */
  preparation?: {
    /** Rows are used for which all of them hold: objects of column, op (eq, ne, in, not_in, gt, gte, lt, lte, contains, between) and values, a list of texts. */
    filters?: Array<{
      column: string
      /** gt, gte, lt, lte and between compare numbers or times; a day without a time of day is the whole day. */
      op: 'eq' | 'ne' | 'in' | 'not_in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'between'
      /** One; of in and not_in any number; of between the least and the most. */
      values: Array<string>
    }>
    /** Columns whose values together name a series, in place of the item id column; an empty list: all rows are one series. Rows of a series with the same time are combined. null or left out: the item id column names the series. */
    series_columns?: Array<string> | null
    /** Length of the steps that rows are combined into, as a pandas alias such as W or MS; null or left out: rows keep their times. With any aggregate but mean a first or last step that the data do not cover wholly is left out. */
    step?: string | null
    /** How the targets of a series that fall into one step become one: sum, mean, max or min. Rows of several series with the same time become one before that, by across. */
    aggregate?: 'sum' | 'mean' | 'max' | 'min'
    /** How targets of several rows of a series with the same time become one, by the same names: with series_columns those of the series that are combined, such as a sum for the load of all substations, of which aggregate then takes the mean of a day. null or left out: as aggregate, which then counts all rows of a step alike. */
    across?: 'sum' | 'mean' | 'max' | 'min' | null
    /** What steps without a value get: ffill the value before, bfill the one behind, interpolate a straight line, zero, mean that of the series; drop leaves such rows out; none: the models fill them as they see fit. */
    missing?: 'ffill' | 'bfill' | 'interpolate' | 'zero' | 'mean' | 'drop' | 'none'
    /** What happens to values far from what the series would have there: clip to what would be ordinary, interpolate between their neighbours, remove; flag reports them only. */
    anomalies?: 'none' | 'flag' | 'clip' | 'interpolate' | 'remove'
  } | null
  /** Makes features from the dataset and uses them in every preset: parts of the calendar, lags, rolling statistics, growth, event flags. A JSON object, in a form as text; `{}` is all of them with their defaults; null or left out: off. */
  feature_engineering?: {
    /** Make the features below, and use them in every preset. */
    enabled?: boolean
    /** Parts of the time stamp that vary at the frequency: year, quarter, month, week of year, days of year, month and week, hour, minute. */
    time_features?: boolean
    /** Sine and cosine of those parts that have a period. */
    cyclical_encoding?: boolean
    /** Values some steps earlier. */
    lag_features?: boolean
    /** Lags, in steps of the series, at most 64 from 1 to 10,000; one that is longer than a series is not used there and reported. */
    lag_periods?: Array<number>
    /** Statistics of the last values. */
    rolling_features?: boolean
    /** Lengths of the rolling windows, in steps of the series, at most 64 from 1 to 10,000; one that is longer than a series is not used there and reported. */
    rolling_windows?: Array<number>
    /** Statistics of each rolling window. */
    rolling_stats?: Array<'mean' | 'std' | 'min' | 'max'>
    /** Relative changes of the last value. */
    growth_features?: boolean
    /** Distances of the growth metrics, in steps of the series, at most 64 from 1 to 10,000; one that is longer than a series is not used there and reported. */
    growth_periods?: Array<number>
    /** Weekend, first and last day of month, quarter and year. */
    event_flags?: boolean
  } | null
  /** Adds covariates from outside the dataset, such as weather and holidays, as they were known at the last observation. A JSON object, in a form as text; null or left out: none. */
  external_covariates?: {
    /** Weather of a place: archived and forecast. */
    weather?: {
      /** Whether the kind is added; without it the other fields do nothing. */
      enabled?: boolean
      /** Which of its variables are added; left out or empty: the first three. */
      variables?: Array<string>
      /** Id of the one provider or catalogue that is asked; auto: the first of the deployment that covers the place and one of the variables. One source answers for all variables. */
      source?: string
      /** Use only what was known at the last observation of a series; false: the newest values that there are, which a forecast made at that time would not have had. */
      point_in_time?: boolean
      /** Less than 99 % of the history, or a gap in the horizon, ends the job with validation_error; false: the variable is left out with a warning. */
      require_coverage?: boolean
      /** Take only values with a time of publication of their own; false: an assumed delay stands in where there is none. */
      require_published?: boolean
      /** The place of all series: a name, where needed with division and country, as in `Portland, ME, US`. */
      city?: string | null
      /** Column of the dataset with the latitude of each series; with longitude_column. */
      latitude_column?: string | null
      /** Column of the dataset with the longitude of each series. */
      longitude_column?: string | null
      /** The place of all series, degrees north; with longitude. */
      latitude?: number | null
      /** The place of all series, degrees east. */
      longitude?: number | null
      /** A city with its coordinates, as `effective_config` of an earlier job has it; it is not looked up again. Counts after columns and coordinates, and before city. */
      resolved_location?: {
        /** What was asked for, as in `Vienna, AT`; without coordinates it is looked up like `city`. */
        query?: string | null
        /** Of the city. */
        name?: string | null
        /** ISO 3166-1 alpha-2. */
        country?: string | null
        /** First division of the country. */
        admin1?: string | null
        /** IANA name; the zone whose days are meant. */
        timezone?: string | null
        /** Degrees north. */
        latitude?: number | null
        /** Degrees east. */
        longitude?: number | null
      } | null
    } | null
    /** Holidays of a country, built in. */
    holidays?: {
      /** Whether the kind is added; without it the other fields do nothing. */
      enabled?: boolean
      /** Which of its variables are added; left out or empty: the first three. */
      variables?: Array<string>
      /** ISO 3166-1 alpha-2, such as AT; needed. */
      country_code?: string | null
      /** A part of the country, such as BY or DE-BY; null or left out: holidays of the whole country. */
      subdivision_code?: string | null
      /** IANA name of the zone whose days are meant; null or left out: the first of the country. */
      timezone?: string | null
    } | null
    /** Macroeconomic figures as levels. */
    macro?: {
      /** Whether the kind is added; without it the other fields do nothing. */
      enabled?: boolean
      /** Which of its variables are added; left out or empty: the first three. */
      variables?: Array<string>
      /** What stands in for steps after the last published figure: the figure itself, the last season again (seasonal_naive), nothing (none: then no model uses it), or the end of the job (error). */
      future_strategy?: 'forward_fill_latest' | 'seasonal_naive' | 'none' | 'error'
    } | null
    /** Air quality of a place. */
    air_quality?: {
      /** Whether the kind is added; without it the other fields do nothing. */
      enabled?: boolean
      /** Which of its variables are added; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only what was known at the last observation of a series; false: the newest values that there are, which a forecast made at that time would not have had. */
      point_in_time?: boolean
      /** The place of all series; left out: the place of weather, or latitude and longitude of the request. */
      city?: string | null
    } | null
    /** Interest and exchange rates, each held until the next. */
    rates?: {
      /** Whether the kind is added; without it the other fields do nothing. */
      enabled?: boolean
      /** Which of its variables are added; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only what was known at the last observation of a series; false: the newest values that there are, which a forecast made at that time would not have had. */
      point_in_time?: boolean
      /** What stands in for steps after the last published figure: the figure itself, the last season again (seasonal_naive), nothing (none: then no model uses it), or the end of the job (error). */
      future_strategy?: 'forward_fill_latest' | 'seasonal_naive' | 'none' | 'error'
    } | null
    /** Prices and load of a bidding zone. */
    electricity?: {
      /** Whether the kind is added; without it the other fields do nothing. */
      enabled?: boolean
      /** Which of its variables are added; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only what was known at the last observation of a series; false: the newest values that there are, which a forecast made at that time would not have had. */
      point_in_time?: boolean
      /** A bidding zone such as DE-LU, or its EIC; needed. */
      bidding_zone?: string | null
    } | null
    /** Trains of a line. */
    transport?: {
      /** Whether the kind is added; without it the other fields do nothing. */
      enabled?: boolean
      /** Which of its variables are added; left out or empty: the first three. */
      variables?: Array<string>
      /** Use only what was known at the last observation of a series; false: the newest values that there are, which a forecast made at that time would not have had. */
      point_in_time?: boolean
      /** A commuter line such as P, or the number of a train; needed. */
      train_line?: string | null
    } | null
  } | null
  /** Explains the forecast: a plot, importance and contributions of features, correlations, as files and on the job. A JSON object, in a form as text; `{"enabled": true}` makes all of them; null or left out: none. */
  explainability?: {
    /** Generate analyses and plots after forecasting, or after the predictions of a table; the other fields do nothing without it. */
    enabled?: boolean
    /** Model-based importance where supported. */
    feature_importance?: boolean
    /** Surrogate SHAP artifacts. */
    shap?: boolean
    /** Correlations between features. */
    feature_feature_correlations?: boolean
    /** Correlations between features and target. */
    feature_target_correlations?: boolean
    /** Interactive plot with trailing history and uncertainty bands. */
    forecast_plot?: boolean
    /** Rolling-window regression for importance that varies in time; made where the deployment has switched it on. */
    rolling_regression?: boolean
    /** null: min(2 * prediction_length, 120). */
    trailing_history_steps?: number | null
    /** Rows that an analysis looks at, at most. */
    max_rows?: number
    /** Features that an analysis looks at, at most. */
    max_features?: number
    /** Features that drawings and summaries show. */
    top_k_features?: number
    /** Rows whose contributions are told. */
    shap_sample_size?: number
  } | null
  /** Forecasts a hierarchy so that it adds up: the parents are forecast too, and each is the sum of its children. A JSON object, in a form as text; `{"enabled": true, "hierarchy_columns": ["region", "store"]}` is enough. */
  reconciliation?: {
    enabled?: boolean
    /** Grouping columns, top to bottom; their values joined by the separator are the id of a bottom series, and the item id column may be missing. Left out or empty: item ids are split at the separator. */
    hierarchy_columns?: Array<string>
    /** How the forecasts of all nodes become coherent. */
    method?: 'bottom_up' | 'top_down' | 'min_trace'
    /** What min_trace holds the error of a node to be: all equal, by its number of series, or from a backtest (wls_var, shrink). Ignored by the other methods. */
    weights?: 'ols' | 'wls_struct' | 'wls_var' | 'shrink'
    /** Shares by which a total is divided. Ignored unless the method is top_down. */
    top_down_method?: 'proportions_of_historical_totals' | 'average_historical_proportions' | 'forecast_proportions'
    /** Joins the group names to the id of a series; no value of a hierarchy column may contain it. At most 16 characters. */
    separator?: string
    /** Item id of the grand total; no other series may have it. At most 200 characters. */
    total_label?: string
    /** Windows of the backtest of wls_var and shrink; each costs one more forecast. */
    residual_windows?: number
  } | null
  /** Address that is told when the job has ended, as Standard Webhooks has it: https, on port 443 or 8443 of a public address, unless the deployment opens others. The secret of the signature is at /webhooks/secret. */
  callback_url?: string | null
  /** Shown on the job. */
  name?: string | null
  /** JSON object of at most 2 KiB, shown on the job. */
  metadata?: Record<string, unknown> | null
}

/** The fields of createClassification. */
export type ClassificationFields = {
  /** Column of what is to be predicted; rows in which it is empty are unlabelled. */
  label_column?: string
  /** auto, binary or multiclass; auto: binary for two labels, multiclass for more. */
  problem_type?: string
  /** With train_evaluate: the share of the labelled rows that the model learns from, drawn so that each class keeps its share; it is measured on the others. */
  train_split_ratio?: number
  /** train_evaluate: the table has the labelled rows that the model did not learn from. train_predict (or predict_unlabeled): it learns from all labelled rows, and the table has the unlabelled ones. auto: train_predict where there are unlabelled rows. */
  inference_mode?: string
  /** Share of the rows that each fold holds back, on which models are compared and weighed: 0.2 is five folds, each row held back once. From 50,000 rows on one part of that size. */
  validation_holdout_ratio?: number
  /** Column of dates: the model learns from the earlier rows and is measured on the later ones; null or left out: rows have no order. */
  time_column?: string | null
  /** Which sheet of a spreadsheet (.xls, .xlsx) to read; null or left out: the first. Not taken with other files. */
  sheet_name?: string | null
  /** Explains the predictions: importance and contributions of columns, correlations, as files and on the job; forecast_plot and rolling_regression are skipped, as a table has no series. A JSON object, in a form as text; `{"enabled": true}` makes all of them; null or left out: none. */
  explainability?: {
    /** Generate analyses and plots after forecasting, or after the predictions of a table; the other fields do nothing without it. */
    enabled?: boolean
    /** Model-based importance where supported. */
    feature_importance?: boolean
    /** Surrogate SHAP artifacts. */
    shap?: boolean
    /** Correlations between features. */
    feature_feature_correlations?: boolean
    /** Correlations between features and target. */
    feature_target_correlations?: boolean
    /** Interactive plot with trailing history and uncertainty bands. */
    forecast_plot?: boolean
    /** Rolling-window regression for importance that varies in time; made where the deployment has switched it on. */
    rolling_regression?: boolean
    /** null: min(2 * prediction_length, 120). */
    trailing_history_steps?: number | null
    /** Rows that an analysis looks at, at most. */
    max_rows?: number
    /** Features that an analysis looks at, at most. */
    max_features?: number
    /** Features that drawings and summaries show. */
    top_k_features?: number
    /** Rows whose contributions are told. */
    shap_sample_size?: number
  } | null
  /** Address that is told when the job has ended, as Standard Webhooks has it: https, on port 443 or 8443 of a public address, unless the deployment opens others. The secret of the signature is at /webhooks/secret. */
  callback_url?: string | null
  /** Shown on the job. */
  name?: string | null
  /** JSON object of at most 2 KiB, shown on the job. */
  metadata?: Record<string, unknown> | null
}

/** The fields of createRegression. */
export type RegressionFields = {
  /** Column of what is to be predicted; rows in which it is empty are unlabelled. */
  label_column?: string
  /** auto, regression or quantile; auto: regression. */
  problem_type?: string
  /** With train_evaluate: the share of the labelled rows that the model learns from, drawn by chance; it is measured on the others. */
  train_split_ratio?: number
  /** train_evaluate: the table has the labelled rows that the model did not learn from. train_predict (or predict_unlabeled): it learns from all labelled rows, and the table has the unlabelled ones. auto: train_predict where there are unlabelled rows. */
  inference_mode?: string
  /** Share of the rows that each fold holds back, on which models are compared and weighed: 0.2 is five folds, each row held back once. From 50,000 rows on one part of that size. */
  validation_holdout_ratio?: number
  /** Column of dates: the model learns from the earlier rows and is measured on the later ones; null or left out: rows have no order. */
  time_column?: string | null
  /** Which sheet of a spreadsheet (.xls, .xlsx) to read; null or left out: the first. Not taken with other files. */
  sheet_name?: string | null
  /** Explains the predictions: importance and contributions of columns, correlations, as files and on the job; forecast_plot and rolling_regression are skipped, as a table has no series. A JSON object, in a form as text; `{"enabled": true}` makes all of them; null or left out: none. */
  explainability?: {
    /** Generate analyses and plots after forecasting, or after the predictions of a table; the other fields do nothing without it. */
    enabled?: boolean
    /** Model-based importance where supported. */
    feature_importance?: boolean
    /** Surrogate SHAP artifacts. */
    shap?: boolean
    /** Correlations between features. */
    feature_feature_correlations?: boolean
    /** Correlations between features and target. */
    feature_target_correlations?: boolean
    /** Interactive plot with trailing history and uncertainty bands. */
    forecast_plot?: boolean
    /** Rolling-window regression for importance that varies in time; made where the deployment has switched it on. */
    rolling_regression?: boolean
    /** null: min(2 * prediction_length, 120). */
    trailing_history_steps?: number | null
    /** Rows that an analysis looks at, at most. */
    max_rows?: number
    /** Features that an analysis looks at, at most. */
    max_features?: number
    /** Features that drawings and summaries show. */
    top_k_features?: number
    /** Rows whose contributions are told. */
    shap_sample_size?: number
  } | null
  /** Address that is told when the job has ended, as Standard Webhooks has it: https, on port 443 or 8443 of a public address, unless the deployment opens others. The secret of the signature is at /webhooks/secret. */
  callback_url?: string | null
  /** Shown on the job. */
  name?: string | null
  /** JSON object of at most 2 KiB, shown on the job. */
  metadata?: Record<string, unknown> | null
}
