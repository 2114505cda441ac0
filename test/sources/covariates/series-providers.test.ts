import t, { type Test } from 'tap'
import { asOf } from '../../../src/sources/covariates/as-of.ts'
import { lagLookup } from '../../../src/sources/covariates/default-lags.ts'
import { ecb } from '../../../src/sources/covariates/ecb.ts'
import { fred } from '../../../src/sources/covariates/fred.ts'
import type { CovariateRequest } from '../../../src/sources/covariates/provider.ts'
import { ecbSeries, fredSeries } from '../../../src/sources/covariates/series-of-aliases.ts'
import { openProviderServer, sendJson, type Handler } from '../../support/provider-server.ts'

const at = (text: string) => Date.parse(text)
const request = (change: Partial<CovariateRequest> = {}): CovariateRequest => ({
  kind: 'macro',
  key: {},
  variables: ['gdp'],
  startMs: at('2024-01-01'),
  endMs: at('2025-01-01'),
  cutoffMs: at('2024-08-15'),
  mode: 'as_of',
  signal: new AbortController().signal,
  ...change
})

async function openFred (t: Test, handler: Handler) {
  const server = await openProviderServer(t, handler)
  return {
    server,
    provider: fred({
      id: 'fred',
      kind: 'macro',
      source: server.source({ secrets: { api_key: 'canary' } }),
      series: fredSeries,
      lagOf: lagLookup('macro'),
      now: () => at('2025-06-01T12:00:00Z')
    })
  }
}

/** One answer of /fred/series/observations: [date, value] with the vintage that was asked for. */
function fredAnswer (query: Record<string, string>, rows: Array<[string, string]>): object {
  const [start, end] = [query['realtime_start'] ?? '2025-06-01', query['realtime_end'] ?? '2025-06-01']
  return {
    realtime_start: start,
    realtime_end: end,
    observation_start: query['observation_start'],
    observation_end: query['observation_end'],
    units: 'lin',
    output_type: 1,
    file_type: 'json',
    order_by: 'observation_date',
    sort_order: 'asc',
    count: rows.length,
    offset: 0,
    limit: 100_000,
    observations: rows.map(([date, value]) => ({ realtime_start: start, realtime_end: end, date, value }))
  }
}

t.test('FRED: the vintage of the last whole day before the cutoff, so that later revisions are not seen', async (t) => {
  const { server, provider } = await openFred(t,
    (response, { query }) =>
      sendJson(response, fredAnswer(query, query['realtime_end']! < '2024-08-29'
        ? [['2024-01-01', '1.4'], ['2024-04-01', '2.8']]
        : [['2024-01-01', '1.6'], ['2024-04-01', '3.0'], ['2024-07-01', '.']])))
  const value = async (cutoff: string) => {
    const { observations: [gdp], missing } = await provider.fetch(request({ cutoffMs: at(cutoff) }))
    t.strictSame(missing, [])
    t.equal(gdp!.frequency, 'P3M')
    return [...asOf(gdp!, { cutoffMs: at(cutoff), pointInTime: true, requirePublished: true, lag: null }).values]
  }
  t.strictSame(await value('2024-08-15T00:00:00Z'), [1.4, 2.8])
  t.strictSame(server.asked[0], {
    path: '/fred/series/observations',
    query: {
      series_id: 'GDPC1',
      file_type: 'json',
      observation_start: '2024-01-01',
      observation_end: '2024-12-31',
      realtime_start: '2024-08-13',
      realtime_end: '2024-08-13',
      api_key: 'canary'
    },
    index: 0
  }, 'at midnight UTC it is 19:00 of the 14th in Chicago')
  t.strictSame(await value('2024-08-30T12:00:00Z'), [1.6, 3.0], 'a dot is a missing value')
  t.equal(server.asked[1]!.query['realtime_end'], '2024-08-29')
})

t.test('FRED: latest values have no publication of their own; the declared delay decides', async (t) => {
  const { server, provider } = await openFred(t,
    (response, { query }) =>
      sendJson(response, fredAnswer(query, [['2024-01-01', '1'], ['2024-04-01', '2'], ['2024-07-01', '-3e1']])))
  const { observations: [gdp] } = await provider.fetch(request({ mode: 'latest' }))
  t.equal(server.asked[0]!.query['realtime_start'], undefined)
  t.strictSame([...gdp!.values], [1, 2, -30])
  t.ok(gdp!.publishedAtMs.every(Number.isNaN))
  t.strictSame([
    ...asOf(gdp!, {
      cutoffMs: at('2024-10-15'),
      pointInTime: true,
      requirePublished: false,
      lag: provider.lagOf('gdp')
    }).values
  ], [1, 2])
})

t.test('FRED: a series that there is not is missing; a wrong key fails; raw ids go through; others are not asked for', async (t) => {
  const { server, provider } = await openFred(t, (response, { query }) => {
    const message = query['series_id'] === 'NONE'
      ? 'Bad Request.  The series does not exist.'
      : 'Bad Request.  The value for variable api_key is not registered.'
    if (query['series_id'] === 'UNRATE') sendJson(response, fredAnswer(query, []))
    else sendJson(response, { error_code: 400, error_message: message }, 400)
  })
  const answer = await provider.fetch(request({ variables: ['NONE', 'UNRATE', 'EXR/D.USD.EUR.SP00.A'] }))
  t.strictSame(answer.observations, [])
  t.strictSame(answer.missing.map(({ variable }) => variable), ['NONE', 'UNRATE', 'EXR/D.USD.EUR.SP00.A'])
  t.equal(server.asked.length, 2)
  await t.rejects(provider.fetch(request()),
    { code: 'AUTHENTICATION_FAILED', message: 'fred does not accept the configured key.' } as never)
})

t.test('FRED: answers that are not as documented', async (t) => {
  const good = fredAnswer({}, [['2024-01-01', '1']]) as { observations: object[] }
  const one = good.observations[0]
  for (const bad of [{ ...good, observations: [{ ...one, value: 1 }] }, {
    ...good,
    observations: [{ ...one, value: '1,5' }]
  }, { ...good, observations: [{ ...one, date: '01/02/2024' }] }, {
    ...good,
    observations: [{ ...one, date: '2024-13-01' }]
  }, { ...good, count: 200_000 }, { error: 1 }, []]) {
    const { provider } = await openFred(t, (response) => sendJson(response, bad))
    await t.rejects(provider.fetch(request({ mode: 'latest' })), { code: 'INVALID_ANSWER' } as never,
      JSON.stringify(bad).slice(0, 60))
  }
})

async function openEcb (t: Test, body: string, { status = 200, type = 'text/csv' } = {}) {
  const server = await openProviderServer(t, (response) => {
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  return {
    server,
    provider: ecb({ id: 'ecb', kind: 'rates', source: server.source(), series: ecbSeries, lagOf: lagLookup('rates') })
  }
}
const header = 'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,TITLE'
const row = (period: string, value: string, freq = 'D', key = `EXR.${freq}.USD.EUR.SP00.A`) =>
  `${key},${freq},USD,EUR,SP00,A,${period},${value},${value === '' ? 'M' : 'A'},"US dollar/Euro, spot"`

t.test('ECB: days with gaps, published by the declared delay', async (t) => {
  const { server, provider } = await openEcb(t,
    [header, row('2024-03-28', '1.0811'), row('2024-03-29', ''), row('2024-04-02', '1.0749')].join('\r\n') + '\r\n')
  const { observations: [fx] } = await provider.fetch(request({ kind: 'rates', variables: ['fx_usd_eur'] }))
  t.strictSame([server.asked[0]!.path, server.asked[0]!.query], ['/service/data/EXR/D.USD.EUR.SP00.A', {
    startPeriod: '2024-01-01',
    endPeriod: '2024-12-31',
    format: 'csvdata'
  }])
  t.match(fx, { variable: 'fx_usd_eur', frequency: 'P1D' })
  t.strictSame([...fx!.values], [1.0811, NaN, 1.0749])
  const rules = {
    cutoffMs: at('2024-04-07'),
    pointInTime: true,
    requirePublished: false,
    lag: provider.lagOf('fx_usd_eur')
  }
  t.strictSame([...asOf(fx!, rules).values], [1.0811])
  t.strictSame([...asOf(fx!, { ...rules, requirePublished: true }).values], [])
})

t.test('ECB: periods begin where SDMX has them begin', async (t) => {
  const cases: Array<[string, string, string, string]> = [['M', '2024-02', '2024-02-01', 'P1M'], ['Q', '2024-Q3',
    '2024-07-01', 'P3M'], ['A', '2024', '2024-01-01', 'P1Y'], ['W', '2024-W01', '2024-01-01', 'P1W'], ['W', '2024-W40',
    '2024-09-30', 'P1W'], ['B', '2024-05-06', '2024-05-06', 'P1D']]
  for (const [freq, period, start, frequency] of cases) {
    const { provider } = await openEcb(t, `${header}\n${row(period, '1', freq)}\n`)
    const { observations: [one] } = await provider.fetch(request({ kind: 'rates', variables: ['policy_rate'] }))
    t.equal(one!.validTimeMs[0], at(start), period)
    t.equal(one!.frequency, frequency)
  }
})

t.test('ECB: nothing found, nothing in the range, and what is not as documented', async (t) => {
  t.match(
    (await (await openEcb(t, 'No results found.', { status: 404, type: 'text/plain' })).provider.fetch(
      request({ variables: ['cpi'] })
    )).missing,
    [{ variable: 'cpi' }]
  )
  t.match((await (await openEcb(t, '')).provider.fetch(request({ variables: ['cpi'] }))).missing, [{
    variable: 'cpi',
    reason: 'the series has no values in this range'
  }])
  const { server, provider } = await openEcb(t, '')
  t.match((await provider.fetch(request({ variables: ['UNRATE', 'a/b/c', 'EXR/..%2f'] }))).missing, [{
    variable: 'UNRATE'
  }, {}, {}])
  t.equal(server.asked.length, 0)
  const bad = [`${header}\n${row('2024-03-28', 'x')}`, `${header}\n${row('March', '1')}`,
    `${header}\n${row('2024-03-28', '1', 'Z')}`, 'A,B\n1,2', `${header}\n1,2`,
    `${header}\n${row('2024-03-28', '1')}\n${row('2024-03-28', '1', 'D', 'EXR.D.GBP.EUR.SP00.A')}`, `${header}\n"`]
  for (const body of bad) {
    await t.rejects((await openEcb(t, body)).provider.fetch(request({ variables: ['fx_usd_eur'] })),
      { code: 'INVALID_ANSWER' } as never, body.slice(-40))
  }
  await t.rejects(
    (await openEcb(t, '{}', { type: 'application/json' })).provider.fetch(request({ variables: ['fx_usd_eur'] })),
    { code: 'INVALID_ANSWER' } as never
  )
})
