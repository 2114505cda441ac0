import { Type, type TProperties } from 'typebox'
import { futureStrategies } from '../../domain/external-covariates-spec.ts'
import { closedObject } from '../../platform/closed-object.ts'

const text = (description: string) =>
  Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], { description }))
const latitude = (description: string) =>
  Type.Optional(Type.Union([Type.Number({ minimum: -90, maximum: 90 }), Type.Null()], { description }))
const longitude = (description: string) =>
  Type.Optional(Type.Union([Type.Number({ minimum: -180, maximum: 180 }), Type.Null()], { description }))
const pointInTime = () =>
  Type.Boolean({
    default: true,
    description:
      'Use only values that were known at the last observation of a series. false: use the newest values, which were ' +
      'not yet known at that time.'
  })
const futureStrategy = () =>
  Type.Enum(futureStrategies, {
    default: 'forward_fill_latest',
    description:
      'What to use for steps after the last published figure. forward_fill_latest: this figure. seasonal_naive: the ' +
      'last season again. none: nothing, and no model uses the variable. error: the job fails.'
  })

/** The schema of one kind: each kind can be switched on, names its variables, and is left out by default. */
const kind = <T extends TProperties>(description: string, properties: T) =>
  Type.Optional(Type.Union([
    closedObject({
      enabled: Type.Boolean({
        default: false,
        description: 'Whether to add this kind. If false, the other fields have no effect.'
      }),
      variables: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
          maxItems: 64,
          description: 'The variables to add; left out or empty: the first three.'
        })
      ),
      ...properties
    }),
    Type.Null()
  ], { description }))

const resolvedLocation = closedObject({
  query: text('The requested place, such as `Vienna, AT`. Without coordinates it is looked up like `city`.'),
  name: text('Name of the city.'),
  country: text('ISO 3166-1 alpha-2.'),
  admin1: text('First-level division of the country, such as a state.'),
  timezone: text('IANA name of the time zone that days refer to.'),
  latitude: latitude('Degrees north.'),
  longitude: longitude('Degrees east.')
})

export const externalCovariates = closedObject({
  weather: kind('Weather of a place, past and forecast.', {
    source: Type.String({
      minLength: 1,
      maxLength: 200,
      default: 'auto',
      description:
        'Id of the provider or catalogue to use. It supplies all variables. auto: the first of the deployment that ' +
        'covers the place and at least one of the variables.'
    }),
    point_in_time: pointInTime(),
    require_coverage: Type.Boolean({
      default: false,
      description: 'If values cover less than 99 % of the history, or have a gap in the horizon, the job fails with ' +
        'validation_error. false: the variable is left out, with a warning.'
    }),
    require_published: Type.Boolean({
      default: false,
      description: 'Use only values whose time of publication is known. false: for other values, a delay is assumed.'
    }),
    city: text('The place of all series: a city, if needed with division and country, such as `Portland, ME, US`.'),
    latitude_column: text('Column of the dataset with the latitude of each series. Needs longitude_column.'),
    longitude_column: text('Column of the dataset with the longitude of each series. Needs latitude_column.'),
    latitude: latitude('The place of all series, degrees north. Needs longitude.'),
    longitude: longitude('The place of all series, degrees east. Needs latitude.'),
    resolved_location: Type.Optional(
      Type.Union([resolvedLocation, Type.Null()], {
        description:
          'A city with its coordinates, copied from `effective_config` of an earlier job. It is not looked up again. ' +
          'Columns and coordinates take precedence over it, and it takes precedence over city.'
      })
    )
  }),
  holidays: kind('Holidays of a country, built in.', {
    country_code: text('ISO 3166-1 alpha-2 code, such as AT. Required.'),
    subdivision_code: text(
      'A part of the country, such as BY or DE-BY; null or left out: the whole country.'
    ),
    timezone: text('IANA name of the time zone that days refer to; null or left out: the first one of the country.')
  }),
  macro: kind('Macroeconomic figures, as levels.', { future_strategy: futureStrategy() }),
  air_quality: kind('Air quality of a place.', {
    point_in_time: pointInTime(),
    city: text('The place of all series; left out: that of weather, or latitude and longitude of the request.')
  }),
  rates: kind('Interest and exchange rates. A rate holds until the next one.', {
    point_in_time: pointInTime(),
    future_strategy: futureStrategy()
  }),
  electricity: kind('Prices and load of a bidding zone.', {
    point_in_time: pointInTime(),
    bidding_zone: text('A bidding zone such as DE-LU, or its EIC code. Required.')
  }),
  transport: kind('Trains of a line.', {
    point_in_time: pointInTime(),
    train_line: text('A commuter line such as P, or the number of a train. Required.')
  })
}, { description: 'Covariates from outside the dataset, one block for each kind.' })
