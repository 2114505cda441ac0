import t from 'tap'
import { editDistance } from '../../src/platform/text/edit-distance.ts'
import { TabcastError } from '../../src/platform/errors.ts'
import { NearNames } from '../../src/sources/covariates/locations/near-names.ts'
import { PlaceLookup } from '../../src/sources/covariates/locations/place-lookup.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, fieldsOf, suggestionOf, type Answer } from '../support/expect-error.ts'
import { uniform } from '../support/random.ts'
import { StorageCaller } from '../support/storage.ts'
import { until } from '../support/until.ts'

/* Look-ups of cities: one thread serves everybody, so nobody gets more of it than the others, or for nothing. */

const weatherOf = (city: string) => ({
  object_id: 'obj_01AAAAAAAAAAAAAAAAAAAAAAAA',
  external_covariates: { weather: { enabled: true, city } }
})
const batchOf = (cities: string[]) => ({
  requests: cities.map((city, at) => ({ ...weatherOf(city), custom_id: `c${at}` }))
})

function answeredBefore (ended: string[], answers: Answer[]): number {
  return ended.slice(0, ended.indexOf('b')).filter((name) => answers[Number(name.slice(1))]?.status === 422).length
}

async function placesSeconds (stage: ApiStage): Promise<number> {
  return Number(/tabcast_sync_cpu_seconds_total\{work="places"\} (\S+)/.exec(await stage.metrics.text())?.[1])
}

t.test('a batch of unknown cities ends at the errors that are listed, is paid for, and what is known is not looked ' +
  'up again', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const cities = Array.from({ length: 100 }, (_, at) => `Sprnigfeild ${at}`)
  const envelope = await expectError(t, await acme.ask('POST', '/forecast/batch', batchOf(cities)), 422,
    'validation_error')
  t.strictSame(fieldsOf(envelope).map(({ loc }) => loc[2]), Array.from({ length: 64 }, (_, at) => at))
  const paid = await placesSeconds(stage)
  t.ok(paid > 0, `${paid} s are paid`)

  await expectError(t, await acme.ask('POST', '/forecast/batch', batchOf(cities)), 422, 'validation_error')
  t.equal(await placesSeconds(stage), paid, 'all of them are known now')
  await expectError(t, await acme.ask('POST', '/forecast/storage-object', weatherOf(cities[64] ?? '')), 422,
    'validation_error')
  const more = await placesSeconds(stage)
  t.ok(more > paid, 'what stands behind the last error had not been looked up')
  await expectError(t,
    await acme.ask('POST', '/forecast/batch', batchOf(Array.from({ length: 100 }, () => 'Entenhausen'))), 422,
    'validation_error')
  const once = await placesSeconds(stage)
  await expectError(t, await acme.ask('POST', '/forecast/storage-object', weatherOf('Entenhausen')), 422,
    'validation_error')
  t.equal(await placesSeconds(stage), once, 'one city is looked up once')
})

t.test('a tenant who looks up hundreds of cities at a time leaves the next turn to its neighbour', async (t) => {
  const stage = await openApi(t, { TABCAST_RATE_LIMITS: 'false' })
  const acme = new StorageCaller(stage)
  const other = await StorageCaller.of(stage, 'other')
  await acme.ask('POST', '/forecast/storage-object', weatherOf('Entenhausen'))
  const ended: string[] = []
  const look = async (caller: StorageCaller, name: string): Promise<Answer> => {
    const answer = await caller.ask('POST', '/forecast/storage-object', weatherOf(`Gansehausn ${name}`))
    ended.push(name)
    return answer
  }
  const flood = Array.from({ length: 320 }, (_, at) => look(acme, `a${at}`))
  // The flood is at the thread by then, and most of it waits.
  await until('the flood has begun', () => ended.length > 0)
  await expectError(t, await look(other, 'b'), 422, 'validation_error')
  const answers = await Promise.all(flood)
  const refused = answers.filter(({ status }) => status === 503)
  t.comment(
    `${refused.length} of the flood were refused, and ${
      answeredBefore(ended, answers)
    } were looked up before the neighbour's`
  )
  for (const answer of refused) await expectError(t, answer, 503, 'server_overloaded')
  t.ok(answers.filter(({ status }) => status !== 503).every(({ status }) => status === 422))
  t.ok(answeredBefore(ended, answers) < answers.length - refused.length,
    'the neighbour does not wait for all that were there before it')
})

t.test('beyond 256 look-ups that are held the tenant with most of them loses the newest', async (t) => {
  const places = new PlaceLookup({
    budgets: { checkTurn: () => undefined, spend: () => undefined },
    waitMs: 60_000,
    limitMs: 60_000
  })
  t.teardown(() => places.close())
  const look = async (tenant: string, at: number): Promise<string> =>
    await places.settle(tenant, { type: 'city', query: `Gansehausn ${at}` }, 'city').then(
      () => 'found',
      (error: unknown) => error instanceof TabcastError ? error.code : 'unknown'
    )
  const flood = Array.from({ length: 320 }, (_, at) => look('acme', at))
  t.equal(await look('other', 0), 'unknown')
  const answers = await Promise.all(flood)
  t.equal(answers.filter((answer) => answer === 'server_overloaded').length, 320 + 1 - 256)
  t.equal(answers.filter((answer) => answer === 'unknown').length, 256 - 1)
})

t.test('a look-up that takes longer than it may is a clear error, and the next one is answered', async (t) => {
  // Reading the list of cities takes longer than this.
  const stage = await openApi(t, { TABCAST_QUICK_TIMEOUT_MS: '100' })
  const acme = new StorageCaller(stage)
  const look = async (): Promise<Answer> => await acme.ask('POST', '/forecast/storage-object', weatherOf('Entenhausen'))
  const envelope = await expectError(t, await look(), 503, 'compute_unavailable')
  t.match((envelope.detail as { detail: string }).detail, /took longer than 0\.1 s/)
  t.match(suggestionOf(envelope), /latitude and longitude/)
  const answer = await until('the list has been read', async () => {
    const answer = await look()
    return answer.status === 503 ? undefined : answer
  })
  t.match(fieldsOf(await expectError(t, answer, 422, 'validation_error')), [{
    loc: ['body', 'external_covariates', 'weather', 'city']
  }])
})

t.test("the nearest names are those that every name's distance would give", async (t) => {
  const random = uniform(7)
  const below = (end: number): number => Math.floor(random() * end)
  const word = (length: number): string => Array.from({ length }, () => 'aábcdeü '[below(8)]).join('')
  const names = Array.from({ length: 3_000 }, () => word(1 + below(14)))
  const index = new NearNames(names.map((name, at) => [name, at] as const))
  for (let round = 0; round < 300; round++) {
    const wanted = word(1 + below(14))
    const most = Math.max(1, Math.min(3, Math.floor(wanted.length / 3)))
    const expected = names.flatMap((name, at) => {
      const distance = editDistance(wanted, name)
      return distance <= most ? [`${at} ${distance}`] : []
    })
    const found = index.near(wanted).map(({ value, distance }) => `${value} ${distance}`)
    if (expected.sort().join() !== found.sort().join()) t.strictSame(found, expected, wanted)
    const [other, bound] = [names[below(names.length)] as string, below(6)]
    const whole = editDistance(wanted, other)
    if (editDistance(wanted, other, bound) !== (whole > bound ? Infinity : whole)) {
      t.fail(`${wanted} and ${other} within ${bound}`)
    }
  }
  t.pass('300 words')
})
