/*
 * npx tsx scripts/make-agent-fixtures.mjs writes test/fixtures/agent/SCHEMA.csv and SCHEMA.profile.json: the files that
 * the prompts of the agent's tests are about, and what the engine finds in them
 * (test/services/agent/fixture-profiles.test.ts holds the two together). No chance in it: the same bytes on every
 * machine.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTask, profileData } from '../src/engine/index.ts'

const limits = { maxRows: 1_000_000, maxColumns: 100, maxSeries: 10_000, maxCellChars: 1000 }
const folder = join(import.meta.dirname, '..', 'test', 'fixtures', 'agent')
const minuteMs = 60_000

/** A step of this many minutes, or of a month. */
function stamps (start, step, count) {
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(start)
    if (step === 'month') date.setUTCMonth(date.getUTCMonth() + index)
    else date.setTime(date.getTime() + index * step * minuteMs)
    return date.toISOString()
  })
}

function random (seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const wave = (index, season) => Math.sin((2 * Math.PI * index) / season)
const day = (stamp) => stamp.slice(0, 10)
const minute = (stamp) => stamp.slice(0, 19).replace('T', ' ')
const isWeekend = (stamp) => [0, 6].includes(new Date(stamp).getUTCDay())

/**
 * `row(stamp, step, series, isFuture, draw)` gives the cells of a row in the order of `columns`. `future`: the number
 * of steps behind the last target.
 */
const schemas = {
  energy: {
    columns: ['settlement_time', 'demand_mw', 'temperature', 'wind_speed', 'holiday'],
    start: '2024-02-20T00:00:00Z',
    step: 30,
    count: 1200,
    future: 96,
    series: [[]],
    row: (stamp, step, _series, isFuture, draw) => [
      minute(stamp),
      isFuture ? '' : (900 + 180 * wave(step - 14, 48) + 40 * draw()).toFixed(1),
      (6 + 5 * wave(step - 18, 48) + draw()).toFixed(1),
      (4 + 3 * draw()).toFixed(1),
      String(Number(day(stamp) === '2024-03-08'))
    ]
  },
  retail: {
    columns: ['date', 'region', 'store', 'sku', 'units_sold', 'price', 'promo', 'stock'],
    start: '2024-03-13T00:00:00Z',
    step: 1440,
    count: 80,
    future: 14,
    series: [['North', 'Hamburg'], ['North', 'Kiel'], ['South', 'Munich'], ['South', 'Augsburg'], ['West', 'Cologne'], [
      'West',
      'Bonn'
    ]]
      .flatMap((place) => [[...place, 'MILK-1L'], [...place, 'OAT-1L']]),
    row: (stamp, step, series, isFuture, draw) => {
      const promo = Number(step % 11 === 3)
      return [day(stamp), ...series,
        isFuture ? '' : String(Math.round(20 + 6 * wave(step, 7) + 15 * promo + 5 * draw())),
        (1.2 - 0.2 * promo).toFixed(2), String(promo), isFuture ? '' : String(Math.round(100 + 50 * draw()))]
    }
  },
  wide: {
    columns: ['Order Date', 'productFamily', 'Customer Segment', 'netRevenue', 'grossRevenue', 'Units Shipped',
      'discountRate', 'Marketing Spend (EUR)'],
    start: '2024-03-01T00:00:00Z',
    step: 1440,
    count: 184,
    future: 0,
    series: [['Office Chairs', 'Business'], ['Standing Desks', 'Business'], ['Lamps', 'Consumer']],
    row: (stamp, step, series, _isFuture, draw) => {
      const net = 4000 + 900 * wave(step, 7) + 500 * draw()
      return [day(stamp), ...series, net.toFixed(2), (net * 1.19).toFixed(2), String(Math.round(net / 90)),
        (0.05 + 0.1 * draw()).toFixed(3), (200 + 100 * draw()).toFixed(0)]
    }
  },
  filialen: {
    columns: ['Datum', 'Filiale', 'Umsätze (€)', 'Stückzahl', 'Temperatur', 'Aktion', '天気'],
    start: '2024-05-01T00:00:00Z',
    step: 1440,
    count: 184,
    future: 21,
    series: [['Köln'], ['München'], ['Düsseldorf']],
    row: (stamp, step, series, isFuture, draw) => {
      const sold = Math.round(300 + 80 * wave(step, 7) + 40 * draw())
      return [day(stamp), ...series, isFuture ? '' : (sold * 3.5).toFixed(2), isFuture ? '' : String(sold),
        isFuture ? '' : (14 + 8 * wave(step, 365) + draw()).toFixed(1), String(Number(step % 13 === 5)),
        isFuture ? '' : draw() < 0.4 ? '雨' : '晴れ']
    }
  },
  finance: {
    columns: ['month', 'revenue', 'operating_costs', 'ebitda', 'cash_balance', 'headcount'],
    start: '2019-06-01T00:00:00Z',
    step: 'month',
    count: 60,
    future: 0,
    series: [[]],
    row: (stamp, step, _series, _isFuture, draw) => {
      const revenue = 500_000 + 4000 * step + 30_000 * wave(step, 12) + 9000 * draw()
      const costs = 380_000 + 2500 * step + 8000 * draw()
      return [day(stamp), revenue.toFixed(0), costs.toFixed(0), (revenue - costs).toFixed(0),
        (900_000 + 20_000 * step).toFixed(0), String(40 + Math.floor(step / 3))]
    }
  },
  web: {
    columns: ['day', 'visits', 'signups', 'ad_spend', 'campaign'],
    start: '2022-09-01T00:00:00Z',
    step: 1440,
    count: 731,
    future: 0,
    series: [[]],
    row: (stamp, step, _series, _isFuture, draw) => {
      const visits = Math.round(5200 + 700 * draw() - (isWeekend(stamp) ? 1800 : 0) + step)
      return [day(stamp), String(visits), String(Math.round(visits * 0.03)), (100 + 60 * draw()).toFixed(0),
        ['none', 'newsletter', 'social', 'search'][Math.floor(step / 9) % 4]]
    }
  },
  sensors: {
    columns: ['ts', 'sensor_id', 'pressure_bar', 'vibration', 'status'],
    start: '2024-04-10T00:00:00Z',
    step: 1,
    count: 400,
    future: 0,
    series: [['pump-a'], ['pump-b'], ['pump-c']],
    row: (stamp, step, series, _isFuture,
      draw) => [minute(stamp), ...series, (4 + 0.4 * wave(step, 60) + 0.2 * draw()).toFixed(3),
      (0.8 + 0.3 * draw()).toFixed(3), draw() < 0.03 ? 'alarm' : 'ok']
  },
  calls: {
    columns: ['week', 'site', 'calls', 'staff', 'promotion', 'emails_sent'],
    start: '2022-10-10T00:00:00Z',
    step: 10_080,
    count: 104,
    future: 8,
    series: [['Leeds'], ['Cardiff'], ['Glasgow']],
    row: (stamp, step, series, isFuture, draw) => {
      const promotion = Number(step % 6 === 2)
      return [day(stamp), ...series,
        isFuture ? '' : String(Math.round(1200 + 150 * wave(step, 52) + 300 * promotion + 80 * draw())),
        isFuture ? '' : String(30 + Math.round(5 * draw())), String(promotion),
        isFuture ? '' : String(Math.round(5000 * draw()))]
    }
  }
}

mkdirSync(folder, { recursive: true })
for (const [name, schema] of Object.entries(schemas)) {
  const times = stamps(schema.start, schema.step, schema.count + schema.future)
  const draw = random(7)
  const rows = schema.series.flatMap((series) =>
    times.map((stamp, step) => schema.row(stamp, step, series, step >= schema.count, draw))
  )
  const path = join(folder, `${name}.csv`)
  writeFileSync(path, [schema.columns, ...rows].map((cells) => cells.join(',')).join('\n') + '\n')
  writeFileSync(join(folder, `${name}.profile.json`), JSON.stringify(
    await profileData({ inputPaths: [path], format: 'csv', compression: null, columns: {}, limits, threads: 2 },
      createTask()),
    null,
    2
  ) + '\n')
}
