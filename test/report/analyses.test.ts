import t from 'tap'
import type { AnalysesDocument } from '../../src/report/analyses/analyses-document.ts'
import { renderAnalyses } from '../../src/report/analyses/render-analyses.ts'
import { labelText } from '../../src/report/chart/label-text.ts'
import { colours, darkRules, pageRules } from '../../src/report/chart/looks.ts'
import { analysesDocument, enginesFiles, featureNames } from '../support/analyses-document.ts'
import { tagsOf, textOf } from '../support/markup.ts'
import { seededRandom } from '../support/random.ts'
import { checkDrawings, checkHostile, checkLoadsNothing, checkReadable, checkTables } from '../support/report-page.ts'

const filesOf = (document: AnalysesDocument, topFeatures = 15) =>
  renderAnalyses({ document, files: enginesFiles, topFeatures }).files
const pagesOf = (files: Record<string, string>) => Object.entries(files).filter(([name]) => name.endsWith('.html'))
/** The drawings, in the form in which the tests read pages. */
const drawingsOf = (files: Record<string, string>) =>
  Object.entries(files).filter(([name]) => name.endsWith('.svg')).map((
    [name, svg]
  ): [string, string] => [name, `<!doctype html>${svg}`])
const textsOf = (document: AnalysesDocument, name: string) =>
  textOf(filesOf(document)[name] ?? '').replaceAll('\u{A0}', ' ').replaceAll(/\s+/g, ' ')

/** Parts without a row. */
const empty: Partial<AnalysesDocument> = {
  warnings: [],
  importance: {
    method: 'surrogate_tree_shap',
    rows: 0,
    explained_rows: 0,
    max_additivity_error: null,
    fidelity: null,
    left_out: [],
    features: [],
    groups: []
  },
  shap: { features: [], summary: [], points: [], detailed: [] },
  feature_target: { rows: [] },
  feature_feature: { features: [], order: [], pairs: [], constant: [], beyond_limit: [] },
  rolling: { features: [], window: 24, series: [] }
}
const wide = Array.from({ length: 25 }, (_, index) => `feature_${index}`)
const samples: Array<[string, AnalysesDocument]> = [
  ['ten features', analysesDocument()],
  ['one feature', analysesDocument({}, ['promo'])],
  ['25 features', analysesDocument({}, wide)],
  ['long names', analysesDocument({ target: 'W'.repeat(500) }, featureNames.map((name) => name.repeat(40)))],
  ['other writing',
    analysesDocument({ target: '売上高'.repeat(30) },
      featureNames.map((_, index) => `${'مبيعات '.repeat(index + 1)}商品`))],
  ['no rows', analysesDocument(empty)]
]

t.test('each page loads nothing, runs nothing, and can be read without seeing it', async (t) => {
  for (const [sample, document] of samples) {
    const pages = pagesOf(filesOf(document))
    t.equal(pages.length, 5)
    for (const [name, page] of pages) {
      checkLoadsNothing(t, page, `${sample}, ${name}`)
      checkReadable(t, page, `${sample}, ${name}`)
      checkTables(t, page, `${sample}, ${name}`)
      checkDrawings(t, page)
    }
  }
})

t.test('each drawing is a file of its own with a title, a description, a style, and nothing else from anywhere', async (t) => {
  for (const [sample, document] of samples) {
    const drawings = drawingsOf(filesOf(document))
    t.equal(drawings.length, 5)
    for (const [name, drawing] of drawings) {
      const tags = tagsOf(drawing).filter(({ kind }) => kind !== 'close')
      t.strictSame(tags.slice(0, 4).map((tag) => tag.name), ['svg', 'title', 'desc', 'style'], `${sample}, ${name}`)
      t.strictSame([tags[0]?.attributes['xmlns'], tags[0]?.attributes['role']], ['http://www.w3.org/2000/svg', 'img'])
      t.strictSame(
        [...new Set(tags.map((tag) => tag.name))].filter((element) =>
          !['svg', 'title', 'desc', 'style', 'g', 'path', 'rect', 'text'].includes(element)
        ),
        []
      )
      t.ok(tags.every(({ attributes }) => Object.keys(attributes).every((key) => !/^on|href|src|style/.test(key))))
      t.notMatch(drawing.replace('http://www.w3.org/2000/svg', ''), /https?:|url\(|@import/)
      t.match(drawing, '@media (prefers-color-scheme: dark)')
      const styled = tags.filter(({ attributes }) => attributes['class'] !== undefined)
      t.ok(styled.every(({ attributes: { fill, stroke } }) => fill !== undefined || stroke !== undefined),
        'colours that need no style')
      checkDrawings(t, drawing)
    }
  }
})

/** Every text that can come from a file, replaced. */
function withText (text: string): AnalysesDocument {
  const document = analysesDocument({ target: text, freq: text, warnings: [text] },
    featureNames.slice(0, 3).map(() => text))
  for (const group of document.importance?.groups ?? []) group.feature = text
  for (const points of document.shap?.points ?? []) points.values.length = points.positions.length = 20
  document.rolling?.series.splice(2)
  document.importance?.left_out.fill(text)
  for (const row of document.shap?.detailed ?? []) {
    if ('item_id' in row) row.item_id = row.timestamp = text
    for (const contribution of row.contributions) contribution.value = text
  }
  document.feature_feature?.constant.fill(text)
  document.feature_feature?.beyond_limit.fill(text)
  for (const series of document.rolling?.series ?? []) {
    series.item_id = text
    for (const { points } of series.features) for (const point of points) point.start = point.end = text
  }
  return document
}

t.test('no text of a customer changes what pages and drawings are made of', async (t) => {
  const rendered = new Map<string, Record<string, string>>()
  const files = (text: string) => {
    const known = rendered.get(text) ?? filesOf(withText(text))
    rendered.set(text, known)
    return known
  }
  for (const [name] of pagesOf(files('harmless'))) checkHostile(t, (text) => files(text)[name] ?? '', name)
  for (const [name] of drawingsOf(files('harmless'))) {
    checkHostile(t, (text) => `<!doctype html>${files(text)[name]}`, name)
  }
  for (const [, page] of [...pagesOf(files('\u0007\uFFFE\uFFFF')), ...drawingsOf(files('\u0007\uFFFE\uFFFF'))]) {
    if (['\u0007', '\uFFFE', '\uFFFF'].some((one) => page.includes(one))) t.fail('XML has no place for it')
  }
})

t.test('whatever the figures are, every mark lies inside its drawing and every figure is one', async (t) => {
  const random = seededRandom(t)
  const fixed = new Set(['version', 'rank', 'rows', 'explained_rows', 'step', 'n', 'a', 'b', 'feature', 'window'])
  const odd = [null, null, 0, -0, 1, -1, 5e-324, 1e-12, 1e300, -1e300, 1.7e308, -1.7e308, 1e299, -1e299, 123456.789]
  const changed = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return key === 'order' ? value : value.map((one) => changed(one, key))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one, name)]))
    }
    if (typeof value !== 'number' || fixed.has(key)) return value
    return random() < 0.5 ? value : odd[Math.floor(random() * odd.length)]
  }
  for (let round = 0; round < 12; round++) {
    const document = changed(analysesDocument({}, featureNames.slice(0, 1 + round % 10))) as AnalysesDocument
    const files = filesOf(document)
    for (const [, page] of [...pagesOf(files), ...drawingsOf(files)]) checkDrawings(t, page)
  }
  const nothing = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return key === 'order' ? value : value.map((one) => nothing(one, key))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, nothing(one, name)]))
    }
    return typeof value !== 'number' || fixed.has(key) ? value : null
  }
  const files = filesOf(nothing(analysesDocument()) as AnalysesDocument)
  for (const [, page] of [...pagesOf(files), ...drawingsOf(files)]) checkDrawings(t, page)
})

t.test('equal documents give equal bytes', async (t) => {
  t.strictSame(filesOf(analysesDocument()), filesOf(analysesDocument()))
  const document = analysesDocument()
  const copy = structuredClone(document)
  filesOf(document)
  t.strictSame(document, copy, 'the document stays as it is')
})

t.test('a point a row of the analysis, at most 512 a feature, at its own place', async (t) => {
  const document = analysesDocument({}, wide)
  const levels = ['lowest', 'lower', 'middle', 'upper', 'highest', 'missing']
  const dots = (page: string) =>
    tagsOf(page).flatMap(({ attributes }) => levels.includes(attributes['class'] ?? '') ? [attributes['d'] ?? ''] : [])
  const [, drawing = ''] = drawingsOf(filesOf(document, 25)).find(([name]) => name === 'shap_summary.svg') ?? []
  t.equal(dots(drawing).join('').split('M').length - 1, 25 * 512)
  t.ok(Buffer.byteLength(filesOf(document, 25)['shap_summary.html'] ?? '') < 300_000,
    '25 features stay a page that is shown at once')
  for (const points of document.shap?.points ?? []) {
    points.values = Array.from({ length: 600 }, () => 1)
    points.positions = points.values.map(() => 0.5)
  }
  const stacked = dots(drawingsOf(filesOf(document)).find(([name]) => name === 'shap_summary.svg')?.[1] ?? '')
  t.equal(stacked.length, 15)
  const places = stacked[0]?.split('M').slice(1) ?? []
  t.equal(places.length, 512)
  t.equal(new Set(places.map((place) => place.split(' ')[0])).size, 1, 'equal contributions stand over one place')
})

t.test('the words of the pages', async (t) => {
  const document = analysesDocument()
  t.match(textsOf(document, 'feature_importance.html'),
    /“promo” has the largest share of the importance, 30\.9 %.*explains a surrogate that reproduces 93 % of the variance of the forecast on held-out origins; associations, not causes.*Groups of features.*Single features.*Left out: constant_column/)
  t.match(textsOf(document, 'shap_summary.html'),
    /A highest forecast: shop 1, 2023-07-20.*Base 80\.12.*A largest error of the forecast: shop 10/)
  t.equal(
    tagsOf(filesOf(document)['shap_summary.html'] ?? '').filter(({ name, kind }) => name === 'svg' && kind === 'open')
      .length,
    11,
    'a swarm and ten waterfalls'
  )
  t.match(textsOf(document, 'feature_target_correlations.html'),
    /lag \+1: −0\.713.*differences.*seasonal diff\..*levels.*adjusted for the number of features/)
  t.match(textsOf(document, 'feature_feature_correlations.html'),
    /Of 45 pairs 3 are redundant.*Redundant pairs.*promo price Pearson 0\.952.*Constant, and not compared: flag.*Beyond the limit, and not compared: notes/)
  t.match(textsOf(document, 'rolling_regression.html'),
    /Of 25 coefficients over time 8 change their sign.*shop 5.*\) weak/)
  t.match(textsOf(analysesDocument(empty), 'feature_importance.html'),
    /No feature has an importance\..*a surrogate of the forecast whose fidelity is not known/)
  const fidelity = (r2: number) =>
    textsOf(
      analysesDocument({
        importance: {
          ...document.importance as NonNullable<typeof document.importance>,
          fidelity: { r2, label: 'low', nrmse: 1, series_above: 0, accuracy_r2: null }
        }
      }),
      'shap_summary.html'
    )
  t.match(fidelity(0.9991), /reproduces over 99 % of the variance.*misses much of the forecast/)
  t.match(fidelity(1), /reproduces 100 % of the variance/)
  t.match(fidelity(-0.5), /reproduces none of the variance/)
  const permuted = analysesDocument({
    importance: { ...document.importance as NonNullable<typeof document.importance>, method: 'permutation' }
  })
  t.match(textsOf(permuted, 'feature_importance.html'), /explains the model itself; associations, not causes/)
})

t.test('the heat map has the given order', async (t) => {
  const { feature_feature: pairs } = analysesDocument()
  const [, drawing = ''] =
    drawingsOf(filesOf(analysesDocument())).find(([name]) => name === 'feature_feature_correlations.svg') ?? []
  const shown = textOf(drawing)
  const places = (pairs?.order ?? []).map((feature, place) =>
    shown.indexOf(`${place + 1} ${labelText(pairs?.features[feature] ?? '', 85)}`)
  )
  t.ok(places.every((place, index) => place > 0 && place > (places[index - 1] ?? 0)), places.join(' '))
})

t.test('contrasts of both schemes: 4.5 for text, 3 for marks', async (t) => {
  for (const scheme of [0, 1] as const) {
    const [page, panel] = [colours.page[scheme], colours.panel[scheme]]
    for (const [role, both] of Object.entries(colours)) {
      const least = { page: 0, line: 0, panel: 0, text: 4.5, soft: 4.5, accent: 4.5 }[role] ?? 3
      t.ok(contrast(both[scheme], page) >= least, `${role}: ${contrast(both[scheme], page)}`)
      if (['warm', 'accent', 'soft'].includes(role)) t.ok(contrast(both[scheme], panel) >= 3, `${role} on its track`)
    }
  }
  for (const rules of [pageRules, darkRules]) t.notMatch(rules, /undefined|none/)
})

/** Source: WCAG 2.2, relative luminance and contrast ratio. */
function contrast (a: string, b: string): number {
  const [high = 0, low = 0] = [a, b].map((colour) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }).sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}
