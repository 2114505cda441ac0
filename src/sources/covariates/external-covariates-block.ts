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
      'Use only what was known at the last observation of a series; false: the newest values that there are, which a ' +
      'forecast made at that time would not have had.'
  })
const futureStrategy = () =>
  Type.Enum(futureStrategies, {
    default: 'forward_fill_latest',
    description: 'What stands in for steps after the last published figure: the figure itself, the last season again ' +
      '(seasonal_naive), nothing (none: then no model uses it), or the end of the job (error).'
  })

/** The schema of one kind: each kind can be switched on, names its variables, and is left out by default. */
const kind = <T extends TProperties>(description: string, properties: T) =>
  Type.Optional(Type.Union([
    closedObject({
      enabled: Type.Boolean({
        default: false,
        description: 'Whether the kind is added; without it the other fields do nothing.'
      }),
      variables: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
          maxItems: 64,
          description: 'Which of its variables are added; left out or empty: the first three.'
        })
      ),
      ...properties
    }),
    Type.Null()
  ], { description }))

const resolvedLocation = closedObject({
  query: text('What was asked for, as in `Vienna, AT`; without coordinates it is looked up like `city`.'),
  name: text('Of the city.'),
  country: text('ISO 3166-1 alpha-2.'),
  admin1: text('First division of the country.'),
  timezone: text('IANA name; the zone whose days are meant.'),
  latitude: latitude('Degrees north.'),
  longitude: longitude('Degrees east.')
})

export const externalCovariates = closedObject({
  weather: kind('Weather of a place: archived and forecast.', {
    source: Type.String({
      minLength: 1,
      maxLength: 200,
      default: 'auto',
      description:
        'Id of the one provider or catalogue that is asked; auto: the first of the deployment that covers the place ' +
        'and one of the variables. One source answers for all variables.'
    }),
    point_in_time: pointInTime(),
    require_coverage: Type.Boolean({
      default: false,
      description:
        'Less than 99 % of the history, or a gap in the horizon, ends the job with validation_error; false: the ' +
        'variable is left out with a warning.'
    }),
    require_published: Type.Boolean({
      default: false,
      description:
        'Take only values with a time of publication of their own; false: an assumed delay stands in where there is ' +
        'none.'
    }),
    city: text('The place of all series: a name, where needed with division and country, as in `Portland, ME, US`.'),
    latitude_column: text('Column of the dataset with the latitude of each series; with longitude_column.'),
    longitude_column: text('Column of the dataset with the longitude of each series.'),
    latitude: latitude('The place of all series, degrees north; with longitude.'),
    longitude: longitude('The place of all series, degrees east.'),
    resolved_location: Type.Optional(
      Type.Union([resolvedLocation, Type.Null()], {
        description:
          'A city with its coordinates, as `effective_config` of an earlier job has it; it is not looked up again. ' +
          'Counts after columns and coordinates, and before city.'
      })
    )
  }),
  holidays: kind('Holidays of a country, built in.', {
    country_code: text('ISO 3166-1 alpha-2, such as AT; needed.'),
    subdivision_code: text(
      'A part of the country, such as BY or DE-BY; null or left out: holidays of the whole country.'
    ),
    timezone: text('IANA name of the zone whose days are meant; null or left out: the first of the country.')
  }),
  macro: kind('Macroeconomic figures as levels.', { future_strategy: futureStrategy() }),
  air_quality: kind('Air quality of a place.', {
    point_in_time: pointInTime(),
    city: text('The place of all series; left out: the place of weather, or latitude and longitude of the request.')
  }),
  rates: kind('Interest and exchange rates, each held until the next.', {
    point_in_time: pointInTime(),
    future_strategy: futureStrategy()
  }),
  electricity: kind('Prices and load of a bidding zone.', {
    point_in_time: pointInTime(),
    bidding_zone: text('A bidding zone such as DE-LU, or its EIC; needed.')
  }),
  transport: kind('Trains of a line.', {
    point_in_time: pointInTime(),
    train_line: text('A commuter line such as P, or the number of a train; needed.')
  })
}, { description: 'Covariates from outside the dataset, by kind.' })
