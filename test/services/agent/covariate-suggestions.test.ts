import t from 'tap'
import type { CovariateKind } from '../../../src/domain/external-covariates-spec.ts'
import { suggestCovariates, type SuggestionInput } from '../../../src/services/agent/covariate-suggestions.ts'
import { resolveExternalCovariates } from '../../../src/sources/covariates/resolve-external-covariates.ts'

const suggest = (change: Partial<SuggestionInput> = {}) =>
  suggestCovariates({
    columns: ['day', 'sales'],
    freq: 'D',
    length: 400,
    constraints: [],
    isAvailable: () => true,
    ...change
  })
const kinds = (change: Partial<SuggestionInput> = {}) => suggest(change).map(({ source }) => source)

t.test('holidays for days, and weather where the data say where', async (t) => {
  t.strictSame(kinds(), ['holidays'])
  t.strictSame(kinds({ freq: '30min' }), ['holidays'])
  t.strictSame(kinds({ freq: 'MS' }), [])
  t.strictSame(kinds({ freq: null }), [])
  t.strictSame(kinds({ length: 20 }), [])
  t.strictSame(kinds({ columns: ['day', 'Lat', 'LNG', 'sales'] }), ['weather', 'holidays'])
  t.match(suggest({ columns: ['day', 'Lat', 'LNG', 'sales'] })[0]?.requirements, {
    needs: [],
    provider_available: true,
    config_patch: {
      external_covariates: { weather: { enabled: true, latitude_column: 'Lat', longitude_column: 'LNG' } }
    }
  })
})

t.test('what the prompt says, and only what can be had', async (t) => {
  t.strictSame(
    kinds({
      freq: 'MS',
      constraints: ['use inflation', 'use interest rates', 'use weather vienna', 'use electricity prices',
        'use train delays', 'use air quality']
    }),
    ['weather', 'macro', 'air_quality', 'rates', 'electricity', 'transport']
  )
  t.strictSame(kinds({ constraints: ['without holidays'] }), [])
  t.strictSame(kinds({ constraints: ['use weather'], isAvailable: (kind) => kind === 'weather' }), ['weather'])
  t.match(suggest({ constraints: ['use holidays germany'] })[0]?.requirements, {
    needs: [],
    config_patch: { external_covariates: { holidays: { country_code: 'DE' } } }
  })
  for (const place of ['German', 'Deutschland', 'DE']) {
    t.match(suggest({ constraints: [`use holidays ${place}`] })[0]?.requirements, {
      needs: [],
      config_patch: { external_covariates: { holidays: { country_code: 'DE' } } }
    })
  }
  t.match(suggest({ constraints: ['use holidays atlantis'] })[0]?.requirements.needs, ['country_code'])
  t.match(suggest({ constraints: ['use weather vienna'] })[0]?.requirements, {
    needs: [],
    config_patch: { external_covariates: { weather: { city: 'vienna' } } }
  })
  t.match(suggest({ constraints: ['use weather'] })[0]?.requirements.needs, ['city'])
})

t.test('a patch without needs is a block that is taken', async (t) => {
  const sources = { ids: (_kind: CovariateKind) => ['auto'], aliases: () => [] }
  const all = suggest({
    columns: ['lat', 'lon'],
    constraints: ['use holidays AT', 'use inflation', 'use interest rates', 'use air quality graz',
      'use electricity prices DE-LU', 'use train delays P']
  })
  t.equal(all.length, 7)
  for (const { requirements: { needs, config_patch: { external_covariates: block } }, variables, source } of all) {
    t.strictSame(needs, [])
    const fields: never[] = []
    const complete = Object.fromEntries(
      Object.entries(block).map(([kind, fields]) => [kind, { source: 'auto', ...fields }])
    )
    const [spec] = resolveExternalCovariates(complete as Parameters<typeof resolveExternalCovariates>[0], {
      latitude: null,
      longitude: null,
      columns: []
    }, sources, fields) ?? []
    t.match(spec, { kind: source, variables })
    t.strictSame(fields, [])
  }
})
