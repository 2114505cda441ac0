import { Type, type TProperties } from 'typebox'
import { closedObject } from '../closed-object.ts'

const text = () => Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()]))
const latitude = () => Type.Optional(Type.Union([Type.Number({ minimum: -90, maximum: 90 }), Type.Null()]))
const longitude = () => Type.Optional(Type.Union([Type.Number({ minimum: -180, maximum: 180 }), Type.Null()]))
const pointInTime = () => Type.Boolean({ default: true, description: 'Use only what was known at the last observation.' })
const futureStrategy = () => Type.Enum(['forward_fill_latest', 'seasonal_naive', 'none', 'error'], { default: 'forward_fill_latest' })

/** One kind of covariate: every kind can be switched on, names its variables, and is left out by default. */
const kind = <T extends TProperties>(properties: T) => Type.Optional(Type.Union([
  closedObject({
    enabled: Type.Boolean({ default: false }),
    variables: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 64 })),
    ...properties
  }),
  Type.Null()
]))

const resolvedLocation = closedObject({
  query: text(), name: text(), country: text(), admin1: text(), timezone: text(), latitude: latitude(), longitude: longitude()
})

export const externalCovariates = closedObject({
  weather: kind({
    source: Type.String({ minLength: 1, maxLength: 200, default: 'auto' }),
    point_in_time: pointInTime(),
    require_coverage: Type.Boolean({ default: false }),
    require_published: Type.Boolean({ default: false }),
    city: text(),
    latitude_column: text(),
    longitude_column: text(),
    latitude: latitude(),
    longitude: longitude(),
    resolved_location: Type.Optional(Type.Union([resolvedLocation, Type.Null()]))
  }),
  holidays: kind({ country_code: text(), subdivision_code: text(), timezone: text() }),
  macro: kind({ future_strategy: futureStrategy() }),
  air_quality: kind({ point_in_time: pointInTime(), city: text() }),
  rates: kind({ point_in_time: pointInTime(), future_strategy: futureStrategy() }),
  electricity: kind({ point_in_time: pointInTime(), bidding_zone: text() }),
  transport: kind({ point_in_time: pointInTime(), train_line: text() })
}, { description: 'Covariates from outside the dataset, by kind.' })
