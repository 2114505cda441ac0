import t, { type Test } from 'tap'
import { asOf } from '../../../src/sources/covariates/as-of.ts'
import { lagLookup } from '../../../src/sources/covariates/default-lags.ts'
import { digitraffic } from '../../../src/sources/covariates/digitraffic.ts'
import type { CovariateRequest } from '../../../src/sources/covariates/provider.ts'
import { openProviderServer, sendJson, type Handler } from '../../support/provider-server.ts'

const at = (text: string) => Date.parse(text)
const all = ['planned_departures', 'cancelled_share', 'mean_delay_minutes']
const request = (change: Partial<CovariateRequest> = {}): CovariateRequest => ({
  kind: 'transport',
  key: { line: 'P' },
  variables: all,
  startMs: at('2025-03-28T22:00Z'),
  endMs: at('2025-03-30T21:00Z'),
  cutoffMs: at('2025-03-30'),
  mode: 'as_of',
  signal: new AbortController().signal,
  ...change
})

async function open (t: Test, handler: Handler) {
  const server = await openProviderServer(t, handler)
  return {
    server,
    provider: digitraffic({
      id: 'digitraffic',
      source: server.source(),
      lagOf: lagLookup('transport'),
      now: () => at('2025-04-10')
    })
  }
}

const row = (type: string, difference?: number, cancelled = false) => ({
  stationShortCode: 'HKI',
  stationUICCode: 1,
  countryCode: 'FI',
  type,
  trainStopping: true,
  commercialStop: true,
  cancelled,
  scheduledTime: '2025-03-29T05:00:00.000Z',
  causes: [],
  ...(difference === undefined ? {} : { differenceInMinutes: difference })
})
const train = (date: string, rows: object[], change = {}) => ({
  trainNumber: 9700,
  departureDate: date,
  operatorUICCode: 10,
  operatorShortCode: 'hsl',
  trainType: 'HL',
  trainCategory: 'Commuter',
  commuterLineID: 'P',
  runningCurrently: false,
  cancelled: false,
  version: 1,
  timetableType: 'REGULAR',
  timetableAcceptanceDate: '2025-01-15T10:00:00.000Z',
  timeTableRows: rows,
  ...change
})

t.test('departures, cancellations and delays of a line by day of Helsinki', async (t) => {
  const { server, provider } = await open(t, (response, { path }) => {
    const date = path.split('/').at(-1)!
    sendJson(response, date === '2025-03-30'
      ? []
      : [
        train(date, [row('DEPARTURE', 2), row('ARRIVAL', 9), row('DEPARTURE', 4), row('DEPARTURE', undefined, true),
          row('DEPARTURE')]),
        train(date, [row('DEPARTURE', 6)], {
          trainNumber: 9701,
          cancelled: true,
          timetableAcceptanceDate: '2025-03-29T20:00:00.000Z'
        }),
        train(date, [row('DEPARTURE', 60)], { commuterLineID: 'I' }),
        train(date, [row('DEPARTURE')], { commuterLineID: undefined }),
        train('2025-01-01', [row('DEPARTURE')])
      ])
  })
  const { observations, missing } = await provider.fetch(request())
  t.strictSame(server.asked.map(({ path }) => path), ['/api/v1/trains/2025-03-29', '/api/v1/trains/2025-03-30'])
  t.strictSame(missing, [])
  t.strictSame(observations.map(({ variable, values }) => [variable, ...values]), [['planned_departures', 5], [
    'cancelled_share',
    0.4
  ], ['mean_delay_minutes', 3]])
  t.equal(observations[0]!.validTimeMs[0], at('2025-03-28T22:00Z'))
  const other = await provider.fetch(request({ key: { line: 'I' }, variables: ['mean_delay_minutes'] }))
  t.strictSame([...other.observations[0]!.values], [60], 'another line of the same answer')
  t.equal(server.asked.length, 2)
  const known = (cutoff: string) =>
    observations.map((one) =>
      asOf(one, { cutoffMs: at(cutoff), pointInTime: true, requirePublished: false, lag: provider.lagOf(one.variable) })
        .values.length
    )
  t.strictSame(known('2025-03-29T19:59Z'), [0, 0, 0], 'the last train came into the timetable that evening')
  t.strictSame(known('2025-03-29T20:00Z'), [1, 0, 0], 'what is planned is known before')
  t.strictSame(known('2025-03-30T04:00Z'), [1, 1, 1], 'what happened, six hours after the day')
})

t.test('one train by its number; nothing found; too long a range; what is no line', async (t) => {
  const { server, provider } = await open(t, (response) => sendJson(response, []))
  t.match(await provider.fetch(request({ key: { line: '27' }, variables: ['mean_delay_minutes'] })), {
    observations: [],
    missing: [{ variable: 'mean_delay_minutes', reason: /no trains of this line/ }]
  })
  t.equal(server.asked[0]!.path, '/api/v1/trains/2025-03-29/27')
  await t.rejects(provider.fetch(request({ startMs: at('2015-01-01') })), { code: 'RANGE_TOO_LONG' } as never)
  await t.rejects(provider.fetch(request({ key: { line: '../x' } })), { code: 'NOT_FOUND' } as never)
  t.strictSame([provider.covers({ line: 'P' }, []), provider.covers({ line: 'IC 27' }, [])], [true, false])
})

t.test('the future ends where timetables do', async (t) => {
  const { server, provider } = await open(t, (response) => sendJson(response, []))
  await provider.fetch(request({ startMs: at('2025-06-05'), endMs: at('2026-06-05') }))
  t.equal(server.asked.at(-1)!.path, '/api/v1/trains/2025-06-09')
})

t.test('answers that are not as documented', async (t) => {
  for (const bad of [{}, [{ trainNumber: 'x' }], [
    train('2025-03-29', [row('DEPARTURE')], { timetableAcceptanceDate: 'soon' })
  ], [train('2025-03-29', [{ type: 1 }])], null]) {
    const { provider } = await open(t, (response) => sendJson(response, JSON.stringify(bad)))
    await t.rejects(provider.fetch(request()), { code: 'INVALID_ANSWER' } as never)
  }
})
