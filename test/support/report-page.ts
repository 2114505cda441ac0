import { createHash } from 'node:crypto'
import type { Test } from 'tap'
import { style } from '../../src/report/style.ts'
import { tagsOf, textOf } from './markup.ts'

/* What holds for every page of src/report. */

const elements = new Set([
  'html',
  'head',
  'meta',
  'title',
  'style',
  'body',
  'header',
  'main',
  'footer',
  'nav',
  'section',
  'h1',
  'h2',
  'h3',
  'p',
  'a',
  'ul',
  'li',
  'div',
  'strong',
  'small',
  'bdi',
  'dl',
  'dt',
  'dd',
  'details',
  'summary',
  'table',
  'caption',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'figure',
  'figcaption',
  'svg',
  'desc',
  'g',
  'path',
  'circle',
  'rect',
  'text'
])

/** No element, attribute, style or address with which a page could load, run or send something. */
export function checkLoadsNothing (t: Test, page: string, name: string): void {
  const tags = tagsOf(page)
  const styles = tags.filter((tag) => tag.name === 'style')
  t.strictSame(styles.map(({ kind }) => kind), ['open', 'close'], name)
  const policy = tags.find(({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy')
    ?.attributes['content']?.replaceAll('&#39;', "'")
  const hash = createHash('sha256').update(styles[1]?.before ?? '').digest('base64')
  t.equal(policy, `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    'the policy lets in this style and nothing else')
  t.notMatch(style, /url\(|@import|expression/)
  t.strictSame([...new Set(tags.map((tag) => tag.name))].filter((element) => !elements.has(element)), [],
    'no element that loads, runs or sends')
  for (const { name: element, attributes } of tags) {
    for (const [key, value] of Object.entries(attributes)) {
      if (/^on|^style$|src|xlink|action/.test(key) || (key === 'href' && !/^#[a-z]+$/.test(value))) {
        t.fail(`${element} has ${key}="${value}"`)
      }
    }
  }
  t.notMatch(page, /https?:|\/\/[a-z]/i)
}

/** Landmarks, names, headings of tables, and a text for each drawing. */
export function checkReadable (t: Test, page: string, name: string): void {
  const tags = tagsOf(page).filter(({ kind }) => kind !== 'close')
  const ids = tags.flatMap(({ attributes }) => attributes['id'] ?? [])
  t.equal(new Set(ids).size, ids.length, `${name}: ids are unique`)
  const targets = tags.flatMap((
    { attributes }
  ) => [...attributes['aria-labelledby']?.split(' ') ?? [], ...attributes['href']?.slice(1).split(' ') ?? []])
  for (const target of targets) t.ok(ids.includes(target), `${name}: ${target} is there`)
  const of = (element: string) => tags.filter((tag) => tag.name === element)
  t.equal(of('html')[0]?.attributes['lang'], 'en')
  for (const landmark of ['h1', 'main', 'header', 'footer', 'nav', 'title']) t.ok(of(landmark).length >= 1, landmark)
  t.equal(of('figure').length, of('svg').length)
  for (const svg of of('svg')) {
    const [first, second] = tags.slice(tags.indexOf(svg) + 1)
    t.match([svg.attributes['role'], first?.name, second?.name], ['img', 'title', 'desc'])
    const after = tags.slice(tags.indexOf(svg)).map((tag) => tag.name)
    t.ok(
      after.indexOf('table') > 0 && (after.indexOf('svg', 1) < 0 || after.indexOf('table') < after.indexOf('svg', 1)),
      'its numbers are a table'
    )
  }
  t.ok([...of('th')].every(({ attributes }) => ['row', 'col'].includes(attributes['scope'] ?? '')),
    'every heading of a table says what it heads')
  t.equal(of('caption').length, of('table').length)
  t.ok(tags.every((tag, index) => tag.name !== 'table' || tags[index - 1]?.attributes['tabindex'] === '0'),
    'a table scrolls from the keyboard')
}

/** Each row of a table has a cell for each heading. */
export function checkTables (t: Test, page: string, name: string): void {
  let width = 0
  let cells = 0
  for (const { name: element, kind, attributes } of tagsOf(page)) {
    if (element === 'table' && kind === 'open') width = 0
    if (element === 'tr' && kind === 'open') cells = 0
    if ((element === 'th' || element === 'td') && kind === 'open') cells += 1
    if (attributes['scope'] === 'col') width += 1
    if (element === 'tr' && kind === 'close' && cells !== width) {
      t.fail(`${name}: ${cells} cells under ${width} headings`)
    }
  }
  t.equal(width > 0, page.includes('<table'), name)
}

/** Texts that break pages which are put together carelessly. */
const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '</svg><iframe srcdoc="<script>alert(1)</script>">',
  '<!--',
  '-->',
  ']]>',
  '<![CDATA[',
  '&lt;script&gt;',
  '&#60;script&#62;',
  '&',
  'javascript:alert(1)',
  '{{7*7}}',
  '$&',
  '$1',
  '$' + '{alert(1)}',
  '\u0000',
  '\u202Eevil\u202C',
  '\uD800',
  '\uDFFF<b>',
  '\u2028\u2029',
  '',
  ' ',
  '\n\t',
  '__proto__',
  'constructor',
  'toString',
  '__other__',
  '👩‍👩‍👧‍👦'.repeat(100),
  'ش'.repeat(200),
  '<'.repeat(100_000),
  'a'.repeat(5_000_000)
]

/** `render` puts a text wherever one of a customer can stand: no text changes what the page is made of. */
export function checkHostile (t: Test, render: (text: string) => string, name: string): void {
  const shape = (page: string) =>
    tagsOf(page).map(({ name, kind, attributes }) => `${kind} ${name} ${Object.keys(attributes).join(',')}`).join('\n')
  const harmless = shape(render('harmless'))
  for (const [index, text] of hostile.entries()) {
    const page = render(text)
    const found = {
      shape: shape(page) === harmless,
      unseen: /[\0\u202A-\u202E\u2066-\u2069]/.test(page),
      wellFormed: Buffer.from(page).toString() === page,
      short: page.length < 1_500_000
    }
    t.strictSame(found, { shape: true, unseen: false, wellFormed: true, short: true }, `${name}, text ${index}`)
  }
}

/** Every mark lies inside its drawing and every figure is one. */
export function checkDrawings (t: Test, page: string): void {
  if (/NaN|Infinity|undefined|null|\[object/.test(textOf(page))) t.fail('a figure is none')
  let [width, height] = [0, 0]
  for (const { name, attributes, kind } of tagsOf(page)) {
    if (name === 'svg' && kind === 'open') {
      ;[, , width = 0, height = 0] = (attributes['viewBox'] ?? '').split(' ').map(Number)
    }
    const at = (key: string) => Number(attributes[key])
    if (name === 'circle') inside(t, at('cx'), at('cy'), width, height)
    if (name === 'text' && attributes['x'] !== undefined) inside(t, at('x'), at('y'), width, height)
    if (name === 'rect') {
      inside(t, at('x'), at('y'), width, height)
      inside(t, at('x') + at('width'), at('y') + at('height'), width + 0.2, height + 0.2)
    }
    if (name === 'path' && !/^[MLHV\d. ]*$/.test(attributes['d'] ?? '')) t.fail(`a line goes ${attributes['d']}`)
  }
}

function inside (t: Test, x: number, y: number, width: number, height: number): void {
  if (!(x >= 0 && x <= width && y >= 0 && y <= height)) t.fail(`(${x}, ${y}) lies outside ${width} x ${height}`)
}
