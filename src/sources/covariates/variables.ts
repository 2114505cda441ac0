import { editDistance } from '../../platform/text/edit-distance.ts'
import { CovariateInputError } from './covariate-input-error.ts'
import type { Kind } from './covariate-key.ts'

/**
 * How a step of a series combines the values in it. `mean` is for levels, `sum` for amounts that finer steps share,
 * `count` for flags and counts that every finer step repeats, `max` for gusts, `last` for rates, which also hold until
 * the next one.
 */
export type Aggregate = 'mean' | 'sum' | 'count' | 'max' | 'last'

const each = (aggregate: Aggregate, names: string): Array<[string, Aggregate]> =>
  names.split(' ').map((name) => [name, aggregate])

/** The first three are the default. Names of weather and air quality are Open-Meteo's. */
const known: Record<Kind, ReadonlyMap<string, Aggregate>> = {
  weather: new Map([
    ...each('mean', 'temperature_2m'),
    ...each('sum', 'precipitation'),
    ...each('mean', 'wind_speed_10m relative_humidity_2m cloud_cover shortwave_radiation'),
    ...each('mean', 'dew_point_2m apparent_temperature pressure_msl surface_pressure cloud_cover_low cloud_cover_mid ' +
      'cloud_cover_high'),
    ...each('mean',
      'direct_radiation diffuse_radiation direct_normal_irradiance vapour_pressure_deficit snow_depth is_day ' +
        'wind_speed_100m'),
    ...each('mean', 'soil_temperature_0_to_7cm soil_moisture_0_to_7cm'),
    ...each('sum', 'rain showers snowfall et0_fao_evapotranspiration sunshine_duration'),
    ...each('max', 'wind_gusts_10m weather_code'),
    ...each('last', 'wind_direction_10m')
  ]),
  holidays: new Map([...each('count', 'is_holiday is_observance is_bridge_day'),
    ...each('mean', 'days_to_holiday days_since_holiday')]),
  macro: new Map(each('mean', 'cpi unemployment gdp policy_rate fx_usd_eur yield_10y')),
  rates: new Map(each('last', 'policy_rate fx_usd_eur yield_10y cpi unemployment gdp')),
  air_quality: new Map(
    each('mean',
      'pm2_5 pm10 nitrogen_dioxide ozone european_aqi us_aqi carbon_monoxide sulphur_dioxide dust uv_index ' +
        'aerosol_optical_depth ammonia')
  ),
  electricity: new Map(each('mean', 'day_ahead_price load_forecast')),
  transport: new Map([...each('sum', 'planned_departures'), ...each('mean', 'cancelled_share mean_delay_minutes')])
}

/**
 * A series of FRED (UNRATE) or of the ECB (EXR/D.USD.EUR.SP00.A). Aliases are in lower case, so that a misspelled one
 * is not taken for a series.
 */
const seriesId = /^(?:[A-Z0-9_]{1,60}|[A-Z0-9_]{1,30}\/[A-Za-z0-9_.-]{1,120})$/
const maxShown = 40

/**
 * The requested variables, each once; the kind's first three if none are named. `aliases`: names of series that the
 * operator added. Throws CovariateInputError that lists the known ones.
 */
export function chooseVariables (kind: Kind, requested: readonly string[] | undefined,
  aliases: readonly string[] = []): string[] {
  const names = [...new Set([...knownVariables(kind), ...aliases])]
  if (requested === undefined || requested.length === 0) return names.slice(0, 3)
  const takesSeries = kind === 'macro' || kind === 'rates'
  const wrong = requested.filter((name) => !names.includes(name) && !(takesSeries && seriesId.test(name)))
  if (wrong.length > 0) throw new CovariateInputError(`${kind}.variables`, unknownText(wrong, names, takesSeries))
  return [...new Set(requested)]
}

/** The variables of the kind that every deployment has, the defaults first; a deployment may add series. */
export function knownVariables (kind: Kind): string[] {
  return [...known[kind].keys()]
}

/** How the variable is combined to the steps of a series. A raw series is a rate or a level, depending on its kind. */
export function aggregateOf (kind: Kind, variable: string): Aggregate {
  return known[kind].get(variable) ?? (kind === 'rates' ? 'last' : 'mean')
}

/** The column of a variable in the table that the models get. */
export function columnName (kind: Kind, variable: string): string {
  return `${kind}_${variable}`
}

function unknownText (wrong: readonly string[], names: string[], takesSeries: boolean): string {
  const isNear = (one: string, name: string) =>
    editDistance(one, name) <= 2 || (one.length >= 4 && name.startsWith(one))
  const near = names.filter((name) => wrong.some((one) => isNear(one.slice(0, 100).toLowerCase(), name)))
  const hint = near.length === 0 ? '.' : `; did you mean ${near.slice(0, 3).join(', ')}?`
  const series = takesSeries ? ', or the id of a series of the provider such as UNRATE or EXR/D.USD.EUR.SP00.A' : ''
  const shown = wrong.slice(0, 5).map((name) => JSON.stringify(name.slice(0, maxShown))).join(', ')
  return `${shown} ${wrong.length === 1 ? 'is not a known variable' : 'are not known variables'}${hint} Known: ${
    names.join(', ')
  }${series}`
}
