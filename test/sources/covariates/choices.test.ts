import t from 'tap'
import { biddingZones, eicOf } from '../../../src/sources/covariates/bidding-zones.ts'
import { kinds } from '../../../src/sources/covariates/covariate-key.ts'
import { holidays } from '../../../src/sources/covariates/holidays.ts'
import { chooseLocation } from '../../../src/sources/covariates/locations/choose-location.ts'
import { localNames } from '../../../src/sources/covariates/locations/local-names.ts'
import { resolveCity } from '../../../src/sources/covariates/locations/resolve-city.ts'
import { aggregateOf, chooseVariables, columnName } from '../../../src/sources/covariates/variables.ts'

const at = (text: string) => Date.parse(text)

t.test('without names a kind has its first three; an unknown one is refused with the known ones', async (t) => {
  t.strictSame(Object.fromEntries(kinds.map((kind) => [kind, chooseVariables(kind, undefined)])), {
    weather: ['temperature_2m', 'precipitation', 'wind_speed_10m'],
    holidays: ['is_holiday', 'is_observance', 'is_bridge_day'],
    macro: ['cpi', 'unemployment', 'gdp'],
    air_quality: ['pm2_5', 'pm10', 'nitrogen_dioxide'],
    rates: ['policy_rate', 'fx_usd_eur', 'yield_10y'],
    electricity: ['day_ahead_price', 'load_forecast'],
    transport: ['planned_departures', 'cancelled_share', 'mean_delay_minutes']
  })
  t.strictSame(chooseVariables('weather', ['cloud_cover', 'cloud_cover']), ['cloud_cover'])
  t.throws(() => chooseVariables('weather', ['temperatur']), {
    message: /"temperatur" is not a known variable; did you mean temperature_2m\? Known: /
  })
  t.throws(() => chooseVariables('weather', ['warmth']), {
    message: /"warmth" is not a known variable\. Known: temperature_2m, /
  })
  t.throws(() => chooseVariables('weather', ['temperatur_2m']), {
    name: 'CovariateInputError',
    field: 'weather.variables',
    message:
      /"temperatur_2m" is not a known variable; did you mean temperature_2m\? Known: temperature_2m, precipitation/
  })
  for (const name of ['__proto__', 'constructor', '', 'x'.repeat(200)]) {
    t.throws(() => chooseVariables('transport', [name]), { name: 'CovariateInputError' }, name)
  }
  t.strictSame(chooseVariables('macro', ['UNRATE', 'EXR/D.USD.EUR.SP00.A', 'cpi']), ['UNRATE', 'EXR/D.USD.EUR.SP00.A',
    'cpi'])
  for (const name of ['cpii', '../x', 'A/B/C', 'A?b']) {
    t.throws(() => chooseVariables('rates', [name]), { message: /or the id of a series/ }, name)
  }
  t.strictSame([aggregateOf('weather', 'precipitation'), aggregateOf('rates', 'DGS2'), aggregateOf('macro', 'UNRATE')],
    ['sum', 'last', 'mean'])
  t.equal(columnName('weather', 'rain'), 'weather_rain')
})

t.test('the codes of bidding zones have right check characters', async (t) => {
  // ENTSO-E, The Energy Identification Coding Scheme reference manual: weights 16 to 2, modulo 37.
  const checks = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-'
  for (const zone of biddingZones) {
    const eic = eicOf(zone)!
    const sum = [...eic.slice(0, 15)].reduce((all, character, index) => all + checks.indexOf(character) * (16 - index),
      0)
    t.equal(checks[36 - (sum - 1) % 37], eic[15], zone)
  }
  t.equal(eicOf('de_lu'), '10Y1001A1001A82H')
  t.equal(eicOf('10Y1001A1001A82H'), '10Y1001A1001A82H')
  t.equal(eicOf('XX'), undefined)
  t.equal(eicOf('constructor'), undefined)
})

t.test('a city is found without accents and by its local name; of several the largest, with a warning', async (t) => {
  const found = await resolveCity('Berlin', 'weather.city')
  t.match(found, {
    location: { query: 'Berlin', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
    warning: null
  })
  t.ok(Math.abs(found.location.latitude - 52.52) < 0.05 && Math.abs(found.location.longitude - 13.41) < 0.05)
  for (const [query, name, country] of [['zurich', 'Zürich', 'CH'], ['MÜNCHEN', 'Munich', 'DE'], ['Sao Paulo',
    'São Paulo', 'BR'], ['new york', 'New York City', 'US'], ['Łódź', 'Łódź', 'PL'], ['kobenhavn', 'Copenhagen',
    'DK']] as const) {
    t.match((await resolveCity(query, 'weather.city')).location, { query, name, country }, query)
  }
  const portland = await resolveCity('Portland', 'weather.city')
  t.match(portland, {
    location: { admin1: 'OR', timezone: 'America/Los_Angeles' },
    warning: /cities named "Portland": Portland, OR, US, the most populous, was used; others are Portland, ME, US/
  })
  t.match(await resolveCity('Portland, ME', 'weather.city'), {
    location: { admin1: 'ME', country: 'US' },
    warning: null
  })
  t.match((await resolveCity('London, Canada', 'weather.city')).location, { country: 'CA' })
})

t.test('an unknown city is refused with near ones', async (t) => {
  await t.rejects(resolveCity('Hamburgg', 'weather.city'), {
    name: 'CovariateInputError',
    field: 'weather.city',
    message: /"Hamburgg" is not a known city; near are Hamburg, DE/
  })
  await t.rejects(resolveCity('Berlin, France', 'weather.city'), { message: /near are Berlin, DE/ })
  for (const query of ['', ',', '__proto__', 'constructor', '\u0000', 'x'.repeat(10_000)]) {
    await t.rejects(resolveCity(query, 'weather.city'), { name: 'CovariateInputError' },
      JSON.stringify(query.slice(0, 20)))
  }
})

t.test('every local name leads to its city', async (t) => {
  for (const [local, name, country] of localNames) {
    t.match((await resolveCity(`${local}, ${country}`, 'weather.city')).location, { name, country }, local)
  }
})

t.test('columns, then coordinates, then the resolved location, then the city, then those of the request', async (t) => {
  const request = { latitude: 1, longitude: 2 }
  const block = {
    latitude_column: 'lat',
    longitude_column: 'lon',
    latitude: 3,
    longitude: 4,
    resolved_location: { name: 'There', latitude: 5, longitude: 6 },
    city: 'Berlin'
  }
  t.strictSame(chooseLocation('weather', block, request), { type: 'columns', latitude: 'lat', longitude: 'lon' })
  const { latitude_column: _latitudeColumn, longitude_column: _longitudeColumn, ...second } = block
  t.match(chooseLocation('weather', second, request), { type: 'place', latitude: 3, longitude: 4, location: null })
  t.match(chooseLocation('weather', { ...second, latitude: null, longitude: null }, request), {
    type: 'place',
    latitude: 5,
    longitude: 6,
    location: { name: 'There', country: '', latitude: 5 }
  })
  t.strictSame(chooseLocation('weather', { city: 'Berlin' }, request), { type: 'city', query: 'Berlin' })
  t.strictSame(chooseLocation('air_quality', { resolved_location: { query: 'Berlin' } }, request), {
    type: 'city',
    query: 'Berlin'
  })
  t.match(chooseLocation('weather', {}, { latitude: 0, longitude: 0 }), {
    type: 'place',
    latitude: 0,
    longitude: 0,
    location: null
  })
  t.equal(chooseLocation('weather', {}, {}), null)
  t.throws(() => chooseLocation('weather', { latitude: 3 }, request), {
    field: 'weather.latitude',
    message: /come together/
  })
})

t.test('holidays by local day, with bridges and distances', async (t) => {
  const calendar = holidays()
  const ask = async (start: string, end: string, variables: string[], key = {}) => {
    const answer = await calendar.fetch({
      kind: 'holidays',
      key: { country: 'DE', subdivision: 'BY', timeZone: null, ...key },
      variables,
      startMs: at(start),
      endMs: at(end),
      cutoffMs: 0,
      mode: 'as_of',
      signal: new AbortController().signal
    })
    return answer.observations
  }
  const [isHoliday, isBridge, to, since] = await ask('2025-05-27T22:00:00Z', '2025-06-01T22:00:00Z', ['is_holiday',
    'is_bridge_day', 'days_to_holiday', 'days_since_holiday'])
  t.strictSame([...isHoliday!.validTimeMs].map((time) => new Date(time).toISOString()).slice(0, 2), [
    '2025-05-27T22:00:00.000Z',
    '2025-05-28T22:00:00.000Z'
  ], 'midnight in Berlin')
  t.strictSame([...isHoliday!.values], [0, 1, 0, 0, 0], 'Ascension is Thursday, 29 May')
  t.strictSame([...isBridge!.values], [0, 0, 1, 0, 0])
  t.strictSame([...to!.values], [1, 0, 10, 9, 8], 'Whit Monday is 9 June')
  t.strictSame([...since!.values], [27, 0, 1, 2, 3], 'the last was 1 May')
  const valueOn = async (day: string, variable: string, key = {}) =>
    (await ask(`${day}T11:00:00Z`, `${day}T12:00:00Z`, [variable], key))[0]!.values[0]
  t.equal(await valueOn('2025-01-06', 'is_holiday'), 1, 'Epiphany in Bavaria')
  t.equal(await valueOn('2025-01-06', 'is_holiday', { subdivision: null }), 0, 'not in all of Germany')
  t.equal(await valueOn('2025-01-06', 'is_holiday', { subdivision: 'DE-BY' }), 1, 'as ISO 3166-2 has it')
  t.equal(await valueOn('2025-12-24', 'is_observance'), 1, 'half a day at banks')
  t.equal(await valueOn('2022-01-03', 'is_holiday', { country: 'GB', subdivision: null }), 1, 'a substitute day')
  t.equal((await ask('2025-10-25T22:00:00Z', '2025-10-27T23:00:00Z', ['is_holiday']))[0]!.values.length, 2,
    'a day of 25 hours is one day')
  t.equal(
    (await ask('2025-01-05T05:00:00Z', '2025-01-07T05:00:00Z', ['is_holiday'], { timeZone: 'America/New_York' }))[0]!
      .validTimeMs[0],
    at('2025-01-05T05:00:00Z')
  )
  await t.rejects(ask('2025-01-01', '2025-01-02', ['is_holiday'], { country: 'ZZ' }), {
    field: 'holidays.country_code',
    message: /"ZZ" is not a country .* Known: .*DE/
  })
  await t.rejects(ask('2025-01-01', '2025-01-02', ['is_holiday'], { subdivision: 'XX' }), {
    field: 'holidays.subdivision_code',
    message: /of DE are known BB, BE/
  })
  await t.rejects(ask('2025-01-01', '2025-01-02', ['is_holiday'], { timeZone: 'Berlin' }), {
    name: 'CovariateInputError',
    field: 'holidays.timezone'
  })
  t.equal(await calendar.covers({ country: 'de', subdivision: null, timeZone: null }, []), true)
  t.equal(await calendar.covers({ country: 'constructor', subdivision: null, timeZone: null }, []), false)
})

t.test('the distances to holidays are those that a look at every day finds', async (t) => {
  const key = { country: 'AT', subdivision: '9', timeZone: 'UTC' }
  const variables = ['is_holiday', 'days_to_holiday', 'days_since_holiday']
  const ask = async (start: string, end: string) => {
    const { observations } = await holidays().fetch({
      kind: 'holidays',
      key,
      variables,
      startMs: at(start),
      endMs: at(end),
      cutoffMs: 0,
      mode: 'as_of',
      signal: new AbortController().signal
    })
    return observations.map(({ values }) => values)
  }
  const [isOff] = await ask('2018-01-01', '2030-01-01')
  const [, to, since] = await ask('2020-01-01', '2028-01-01')
  const first = (at('2020-01-01') - at('2018-01-01')) / 86_400_000
  const distance = (day: number, step: number) => {
    for (let away = 0; away < 366; away++) if (isOff![day + step * away] === 1) return away
    return 366
  }
  t.equal(to!.length, (at('2028-01-01') - at('2020-01-01')) / 86_400_000)
  t.strictSame([...to!], Array.from(to!, (_, day) => distance(first + day, 1)))
  t.strictSame([...since!], Array.from(since!, (_, day) => distance(first + day, -1)))
})
