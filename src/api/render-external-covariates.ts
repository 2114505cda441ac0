import type { CovariateWhere, ExternalCovariatesReport,
  ExternalCovariatesSpec } from '../domain/external-covariates-spec.ts'
import type { ExternalCovariateMetadata, SourceMetadata } from './schemas/external-covariates.ts'

/** `external_covariate_metadata`: which external covariates were used. */
export function renderExternalCovariates (
  { cutoff, columnsAdded, warnings, sources }: ExternalCovariatesReport
): ExternalCovariateMetadata {
  return {
    cutoff,
    columns_added: columnsAdded,
    warnings,
    sources: Object.fromEntries(sources.map(({ kind, where, places, ...source }) => [kind, {
      status: source.status,
      reason: source.reason,
      provider: source.provider,
      source: source.source,
      attribution: source.attribution,
      variables_requested: source.variablesRequested,
      variables_used: source.variablesUsed,
      ...placeOf(where, places),
      point_in_time: source.pointInTime,
      issued_at: source.issuedAt,
      published_through: source.publishedThrough,
      history_coverage: source.historyCoverage,
      future_coverage: source.futureCoverage,
      future_strategy: source.futureStrategy,
      snapshot_id: source.snapshotId
    }]))
  }
}

function placeOf (where: CovariateWhere,
  places: number): Pick<SourceMetadata, 'location' | 'country' | 'subdivision' | 'timezone' | 'zone' | 'line'> {
  switch (where.type) {
    case 'columns':
      return { location: { latitude_column: where.latitude, longitude_column: where.longitude, places } }
    case 'place':
      return { location: { ...where.location, latitude: where.latitude, longitude: where.longitude } }
    case 'city':
      return { location: { query: where.query } }
    case 'country':
      return { country: where.country, subdivision: where.subdivision, timezone: where.timeZone }
    case 'zone':
      return { zone: where.zone }
    case 'line':
      return { line: where.line }
    case 'series':
      return {}
  }
}

/** `external_covariates` with every default filled in, in the form of a request. */
export function renderExternalCovariatesConfig (specs: readonly ExternalCovariatesSpec[]): Record<string, unknown> {
  return Object.fromEntries(
    specs.map((
      { kind, variables, source, pointInTime, requireCoverage, requirePublished, futureStrategy, where }
    ) => [kind, {
      enabled: true,
      variables,
      ...(kind === 'weather' ? { source, require_coverage: requireCoverage, require_published: requirePublished } : {}),
      ...(kind === 'holidays' || kind === 'macro' ? {} : { point_in_time: pointInTime }),
      ...(futureStrategy === null ? {} : { future_strategy: futureStrategy }),
      ...fieldsOf(kind, where)
    }])
  )
}

function fieldsOf (kind: ExternalCovariatesSpec['kind'], where: CovariateWhere): Record<string, unknown> {
  switch (where.type) {
    case 'columns':
      return { latitude_column: where.latitude, longitude_column: where.longitude }
    case 'place': {
      const { latitude, longitude, location } = where
      if (kind === 'air_quality') return location === null ? {} : { city: location.query }
      return location === null ? { latitude, longitude } : { resolved_location: { ...location } }
    }
    case 'city':
      return { city: where.query }
    case 'country':
      return { country_code: where.country, subdivision_code: where.subdivision, timezone: where.timeZone }
    case 'zone':
      return { bidding_zone: where.zone }
    case 'line':
      return { train_line: where.line }
    case 'series':
      return {}
  }
}
