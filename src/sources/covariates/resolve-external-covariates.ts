import type { Static } from 'typebox'
import type { FieldError } from '../../domain/error-codes.ts'
import type { CovariateWhere, ExternalCovariatesSpec, FutureStrategy } from '../../domain/external-covariates-spec.ts'
import { isTimeZone } from './alignment/civil-time.ts'
import { CovariateInputError } from './covariate-input-error.ts'
import { kinds, type Kind } from './covariate-key.ts'
import type { externalCovariates } from './external-covariates-block.ts'
import { chooseLocation, type ChosenLocation, type LocationFields } from './locations/choose-location.ts'
import { chooseVariables, columnName } from './variables.ts'

type Block = Static<typeof externalCovariates>
type Degrees = number | null | undefined

/** What a request can ask this deployment for. */
export interface KnownSources {
  /** Allowed values of a kind's `source`. */
  ids(kind: Kind): string[]
  /** Names of series that the operator added. */
  aliases(kind: Kind): string[]
}

/** For requests without such a block. */
export const noSources: KnownSources = { ids: () => [], aliases: () => [] }

export interface CovariateRoles {
  latitude: Degrees
  longitude: Degrees
  /** Columns of the dataset that have a role, covariates included. */
  columns: readonly string[]
}

/** As many columns as a dataset may have covariates. */
const maxColumns = 50

interface KindBlock extends LocationFields {
  enabled: boolean
  variables?: string[]
  source?: string
  point_in_time?: boolean
  require_coverage?: boolean
  require_published?: boolean
  future_strategy?: FutureStrategy
  country_code?: string | null
  subdivision_code?: string | null
  timezone?: string | null
  bidding_zone?: string | null
  train_line?: string | null
}

/** undefined: no kind is enabled. Errors are added to `fields`. Cities and countries are not looked up here. */
export function resolveExternalCovariates (block: Block | null | undefined, roles: CovariateRoles,
  sources: KnownSources, fields: FieldError[]): ExternalCovariatesSpec[] | undefined {
  const specs = kinds.flatMap((kind): ExternalCovariatesSpec[] => {
    const wanted = block?.[kind] as KindBlock | null | undefined
    if (wanted?.enabled !== true) return []
    try {
      return [resolveKind(kind, wanted, roles, sources, block?.weather ?? null)]
    } catch (error) {
      if (!(error instanceof CovariateInputError)) throw error
      fields.push(covariateFieldError(error))
      return []
    }
  })
  const names = specs.flatMap(({ kind, variables }) => variables.map((variable) => columnName(kind, variable)))
  if (names.length > maxColumns) {
    fields.push(
      covariateFieldError(
        new CovariateInputError('', `${names.length} variables are asked for; at most ${maxColumns} are taken`)
      )
    )
  }
  const taken = names.find((name) => roles.columns.includes(name))
  if (taken !== undefined) {
    fields.push(
      covariateFieldError(
        new CovariateInputError('',
          `the column ${
            JSON.stringify(taken)
          } would be added, and the dataset has one of that name; leave one of the two out`)
      )
    )
  }
  return specs.length === 0 ? undefined : specs
}

/** The 422 item for an error in the block. */
export function covariateFieldError ({ field, message }: CovariateInputError): FieldError {
  const isOfRequest = field === 'latitude'
  const path = field.split('.').filter((part) => part !== '')
  return {
    loc: ['body', ...isOfRequest ? [] : ['external_covariates'], ...path],
    msg: message,
    type: 'value_error',
    ctx: { error: message }
  }
}

function resolveKind (kind: Kind, wanted: KindBlock, roles: CovariateRoles, sources: KnownSources,
  weather: LocationFields | null): ExternalCovariatesSpec {
  const variables = chooseVariables(kind, wanted.variables, sources.aliases(kind))
  const source = wanted.source ?? 'auto'
  const ids = sources.ids(kind)
  if (!ids.includes(source)) {
    throw new CovariateInputError(`${kind}.source`,
      `${JSON.stringify(source.slice(0, 40))} is not a source of ${kind} on this deployment; one of ${ids.join(', ')}`)
  }
  return {
    kind,
    variables,
    source,
    pointInTime: wanted.point_in_time ?? true,
    requireCoverage: wanted.require_coverage ?? false,
    requirePublished: wanted.require_published ?? false,
    futureStrategy: wanted.future_strategy ?? null,
    where: whereOf(kind, wanted, roles, weather)
  }
}

function whereOf (kind: Kind, block: KindBlock, roles: CovariateRoles, weather: LocationFields | null): CovariateWhere {
  switch (kind) {
    case 'weather':
      return checkedColumns(chooseLocation(kind, block, roles), roles) ??
        missing(kind, 'weather needs a place: city, latitude and longitude, or columns of the dataset that hold them')
    // The location of the weather block applies to the series.
    case 'air_quality':
      return checkedColumns(
        chooseLocation(kind, block, roles) ?? (weather === null ? null : chooseLocation('weather', weather, roles)),
        roles
      ) ?? missing(kind, 'air_quality needs a place: city, or latitude and longitude of the request or of weather')
    case 'holidays': {
      const { country_code: country, subdivision_code: subdivision = null, timezone: timeZone = null } = block
      if (timeZone !== null && !isTimeZone(timeZone)) {
        throw new CovariateInputError('holidays.timezone',
          `${JSON.stringify(timeZone.slice(0, 60))} is not a time zone; one looks like Europe/Berlin`)
      }
      return {
        type: 'country',
        country: country ?? missing('holidays.country_code', 'holidays need a country such as DE'),
        subdivision,
        timeZone
      }
    }
    case 'electricity':
      return {
        type: 'zone',
        zone: block.bidding_zone ??
          missing('electricity.bidding_zone', 'electricity needs a bidding zone such as DE-LU')
      }
    case 'transport':
      return {
        type: 'line',
        line: block.train_line ?? missing('transport.train_line', 'transport needs a line, or the number of a train')
      }
    case 'macro':
    case 'rates':
      return { type: 'series' }
  }
}

function checkedColumns (where: ChosenLocation | null, { columns }: CovariateRoles): ChosenLocation | null {
  const clash = where?.type === 'columns' &&
    [where.latitude, where.longitude].some((name, index, all) =>
      columns.slice(0, 3).includes(name) || all.indexOf(name) !== index
    )
  if (clash) throw new CovariateInputError('weather.latitude_column', 'each role needs a column of its own')
  return where
}

function missing (field: string, message: string): never {
  throw new CovariateInputError(field, message)
}
