import t, { type Test } from 'tap'
import { align } from '../../../src/sources/covariates/alignment/align.ts'
import { periodsOf } from '../../../src/sources/covariates/alignment/periods.ts'
import { asOf } from '../../../src/sources/covariates/as-of.ts'
import { lagLookup } from '../../../src/sources/covariates/default-lags.ts'
import { energyCharts } from '../../../src/sources/covariates/energy-charts.ts'
import { entsoe } from '../../../src/sources/covariates/entsoe.ts'
import type { CovariateRequest } from '../../../src/sources/covariates/provider.ts'
import { openProviderServer, sendJson, type Handler } from '../../support/provider-server.ts'

const hourMs = 3_600_000
const at = (text: string) => Date.parse(text)
const request = (change: Partial<CovariateRequest> = {}): CovariateRequest => ({
  kind: 'electricity',
  key: { zone: 'DE-LU' },
  variables: ['day_ahead_price'],
  startMs: at('2025-03-29T23:00Z'),
  endMs: at('2025-03-30T22:00Z'),
  cutoffMs: at('2025-03-29T11:45Z'),
  mode: 'as_of',
  signal: new AbortController().signal,
  ...change
})

async function openCharts (t: Test, handler: Handler) {
  const server = await openProviderServer(t, handler)
  return {
    server,
    provider: energyCharts({ id: 'energy-charts', source: server.source(), lagOf: lagLookup('electricity') })
  }
}
const prices = (count: number, stepSeconds = 3600, value: (index: number) => number | null = (index) => index) => ({
  license_info: 'CC BY 4.0',
  unix_seconds: Array.from({ length: count }, (_, index) => at('2025-03-29T23:00Z') / 1000 + index * stepSeconds),
  price: Array.from({ length: count }, (_, index) => value(index)),
  unit: 'EUR / MWh',
  deprecated: false
})

t.test('energy-charts: a day of 23 hours, known from 12:45 of the day before', async (t) => {
  const { server, provider } = await openCharts(t,
    (response) => sendJson(response, prices(23, 3600, (hour) => hour === 5 ? null : hour)))
  const { observations: [price] } = await provider.fetch(request())
  t.strictSame([server.asked[0]!.path, server.asked[0]!.query], ['/price', {
    bzn: 'DE-LU',
    start: '2025-03-29T23:00Z',
    end: '2025-03-30T22:00Z'
  }])
  t.equal(price!.values.length, 23)
  const rules = { pointInTime: true, requirePublished: false, lag: provider.lagOf('day_ahead_price') }
  t.equal(asOf(price!, { ...rules, cutoffMs: at('2025-03-29T11:44Z') }).values.length, 0)
  t.equal(asOf(price!, { ...rules, cutoffMs: at('2025-03-29T11:45Z') }).values.length, 22, 'all but the gap')
})

t.test('energy-charts: quarters of an hour become hours; a change of resolution too', async (t) => {
  const quarters = await openCharts(t, (response) => sendJson(response, prices(8, 900)))
  const { observations: [fine] } = await quarters.provider.fetch(request())
  t.equal(fine!.frequency, 'PT15M')
  const grid = periodsOf({ labelsMs: [at('2025-03-29T23:00Z'), at('2025-03-30T00:00Z')], frequency: 'h' })
  t.strictSame([...align(fine!, grid, 'mean')], [1.5, 5.5])
  const seconds = [0, 3600, 7200, 8100, 9000, 9900].map((second) => at('2025-03-29T23:00Z') / 1000 + second)
  const mixed = await openCharts(t,
    (response) => sendJson(response, { ...prices(0), unix_seconds: seconds, price: [1, 2, 3, 5, 7, 9] }))
  const { observations: [both] } = await mixed.provider.fetch(request())
  t.strictSame([
    ...align(both!, periodsOf({
      labelsMs: [0, 1, 2].map((hour) => at('2025-03-29T23:00Z') + hour * hourMs),
      frequency: 'h'
    }), 'mean')
  ], [1, 2, 6])
})

t.test('energy-charts: no load forecasts, empty ranges, codes, and what is not as documented', async (t) => {
  const { server, provider } = await openCharts(t, (response) => sendJson(response, prices(0)))
  t.match((await provider.fetch(request({ variables: ['load_forecast'] }))).missing, [{
    variable: 'load_forecast',
    reason: 'the provider has prices only'
  }])
  t.equal(server.asked.length, 0)
  t.match((await provider.fetch(request())).missing, [{
    variable: 'day_ahead_price',
    reason: 'the provider has no prices in this range'
  }])
  t.strictSame([provider.covers({ zone: 'DE-LU' }, []), provider.covers({ zone: '10Y1001A1001A82H' }, [])], [true,
    false])
  for (const bad of [{ ...prices(2), price: [1] }, { ...prices(1), unit: 'ct / kWh' }, {
    ...prices(1),
    unix_seconds: ['x']
  }, { price: [] }]) {
    await t.rejects((await openCharts(t, (response) => sendJson(response, bad))).provider.fetch(request()),
      { code: 'INVALID_ANSWER' } as never)
  }
})

async function openEntsoe (t: Test, body: string | ((query: Record<string, string>) => string), status = 200) {
  const server = await openProviderServer(t, (response, { query }) => {
    response.writeHead(status, { 'content-type': 'text/xml' }).end(typeof body === 'string' ? body : body(query))
  })
  return {
    server,
    provider: entsoe({
      id: 'entsoe',
      source: server.source({ secrets: { securityToken: 'canary' } }),
      lagOf: lagLookup('electricity')
    })
  }
}

const period = (start: string, end: string, resolution: string, points: Array<[number, number | string]>,
  value = 'price.amount') =>
  `<Period><timeInterval><start>${start}</start><end>${end}</end></timeInterval><resolution>${resolution}</resolution>${
    points.map(([position, amount]) => `<Point><position>${position}</position><${value}>${amount}</${value}></Point>`)
      .join('')
  }</Period>`
const series = (content: string, { curve = 'A03', sequence = '' } = {}) =>
  `<TimeSeries><mRID>1</mRID><currency_Unit.name>EUR</currency_Unit.name><price_Measure_Unit.name>MWH</price_Measure_Unit.name><curveType>${curve}</curveType>${
    sequence === ''
      ? ''
      : `<classificationSequence_AttributeInstanceComponent.position>${sequence}</classificationSequence_AttributeInstanceComponent.position>`
  }${content}</TimeSeries>`
const document = (content: string, root = 'Publication_MarketDocument') =>
  `<?xml version="1.0" encoding="utf-8"?>\n<${root} ` +
  `xmlns="urn:iec62325.351:tc57wg16:451-3:publicationdocument:7:3"><mRID>x</mRID><type>A44</type>${content}</${root}>`
const acknowledgement = (text: string) =>
  '<?xml version="1.0" encoding="UTF-8"?><Acknowledgement_MarketDocument ' +
  `xmlns="urn:iec62325.351:tc57wg16:451-1:acknowledgementdocument:7:0"><mRID>x</mRID><Reason><code>999</code><text>${text}</text></Reason></Acknowledgement_MarketDocument>`
const shortDay = ['2025-03-29T23:00Z', '2025-03-30T22:00Z'] as const

t.test('ENTSO-E: left-out positions repeat the last price, over a day of 23 hours', async (t) => {
  const { server, provider } = await openEntsoe(t,
    document(series(period(...shortDay, 'PT60M', [[1, 50.5], [3, -2], [23, 7]]))))
  const { observations: [price] } = await provider.fetch(request())
  t.strictSame(server.asked[0]!.query, {
    documentType: 'A44',
    in_Domain: '10Y1001A1001A82H',
    out_Domain: '10Y1001A1001A82H',
    periodStart: '202503292300',
    periodEnd: '202503302200',
    securityToken: 'canary'
  })
  t.strictSame([...price!.values], [50.5, 50.5, ...Array.from({ length: 20 }, () => -2), 7])
  t.equal(price!.validTimeMs.at(-1), at('2025-03-30T21:00Z'))
  const plain = await openEntsoe(t, document(series(period(...shortDay, 'PT60M', [[1, 1], [3, 3]]), { curve: 'A01' })))
  t.strictSame([...(await plain.provider.fetch(request())).observations[0]!.values], [1, 3], 'curve type A01 has gaps')
})

t.test('ENTSO-E: the first auction counts; a day in hours and quarters is taken once', async (t) => {
  const { provider } = await openEntsoe(t, document(
    series(period(...shortDay, 'PT60M', [[1, 9]]), { sequence: '2' }) +
      series(period(...shortDay, 'PT60M', [[1, 1]]), { sequence: '1' }) +
      series(period(...shortDay, 'PT15M', [[1, 5]]))
  ))
  const { observations: [price] } = await provider.fetch(request())
  t.equal(price!.values.length, 92)
  t.equal(price!.values[0], 1)
  t.equal(price!.frequency, 'PT1H')
})

t.test('ENTSO-E: load forecasts, and more than a year in several requests', async (t) => {
  const { server, provider } = await openEntsoe(t, (query) => {
    const time = (text: string) =>
      `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}T${text.slice(8, 10)}:00Z`
    return document(
      series(period(time(query['periodStart']!), time(query['periodEnd']!), 'PT60M', [[1, 40000]], 'quantity')),
      'GL_MarketDocument'
    )
  })
  const { observations: [load] } = await provider.fetch(
    request({ variables: ['load_forecast'], startMs: at('2023-01-01'), endMs: at('2025-01-01') })
  )
  t.strictSame(
    server.asked.map((
      { query }
    ) => [query['documentType'], query['processType'], query['outBiddingZone_Domain'], query['periodStart'],
      query['periodEnd']]
    ),
    [
      ['A65', 'A01', '10Y1001A1001A82H', '202301010000', '202401010000'],
      ['A65', 'A01', '10Y1001A1001A82H', '202401010000', '202412310000'],
      ['A65', 'A01', '10Y1001A1001A82H', '202412310000', '202501010000']
    ]
  )
  t.equal(load!.values.length, 731 * 24)
  await t.rejects(provider.fetch(request({ startMs: 0, endMs: at('2100-01-01') })), { code: 'RANGE_TOO_LONG' } as never)
  await t.rejects(provider.fetch(request({ key: { zone: 'XX' } })), { code: 'NOT_FOUND' } as never)
})

t.test('ENTSO-E: an acknowledgement without data is an empty answer, others refuse', async (t) => {
  for (const status of [200, 400]) {
    const { provider } = await openEntsoe(t,
      acknowledgement('No matching data found for Data item Day-ahead Prices [12.1.D]'), status)
    t.strictSame(await provider.fetch(request()), {
      observations: [],
      missing: [{ variable: 'day_ahead_price', reason: 'the provider has nothing in this range' }]
    })
    await t.rejects(
      (await openEntsoe(t, acknowledgement('Delivered time interval is not valid'), status)).provider.fetch(request()),
      { code: 'REQUEST_REFUSED', message: 'entsoe refuses the request.' } as never
    )
    await t.rejects(
      (await openEntsoe(t, acknowledgement('Unauthorized. Missing or invalid security token'), status)).provider.fetch(
        request()
      ),
      { code: 'AUTHENTICATION_FAILED' } as never
    )
  }
  await t.rejects((await openEntsoe(t, 'x', 400)).provider.fetch(request()), { code: 'REQUEST_REFUSED' } as never)
  await t.rejects((await openEntsoe(t, '<html/>', 401)).provider.fetch(request()),
    { code: 'AUTHENTICATION_FAILED' } as never)
})

t.test('ENTSO-E: documents that are hostile or not as documented', async (t) => {
  const good = period(...shortDay, 'PT60M', [[1, 1]])
  const bad = [
    '<!DOCTYPE x [<!ENTITY a "b">]>' + document(series(good)).replace(/<\?.*\?>/, ''),
    document(series(good)).slice(0, -30),
    document(series(good), 'Other_Document'),
    document(series(good.replace('PT60M', 'P1Y'))),
    document(series(good.replace('<position>1<', '<position>24<'))),
    document(series(good.replace('<position>1<', '<position>0<'))),
    document(series(good.replace('amount>1<', 'amount>one<'))),
    document(series(period('2025-03-29T23:00Z', '2125-03-30T22:00Z', 'PT15M', [[1, 1]]))),
    document(series(period('2025-03-29T23:00Z', '2025-03-29T23:30Z', 'PT60M', [[1, 1]]))),
    document(series(period('yesterday', 'today', 'PT60M', []))),
    document(series('<Period/>')),
    document('<a>'.repeat(40) + '</a>'.repeat(40))
  ]
  for (const body of bad) {
    await t.rejects((await openEntsoe(t, body)).provider.fetch(request()), { code: 'INVALID_ANSWER' } as never,
      body.slice(-80))
  }
})
