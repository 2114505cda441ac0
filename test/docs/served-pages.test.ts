import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { readPages } from '../../bench/readme/pages.ts'
import { readDocumentationFiles } from '../../src/api/documentation-files.ts'
import { errorTable } from '../../src/domain/error-codes.ts'
import { troubleshooting } from '../../src/domain/troubleshooting.ts'
import { checkNames } from '../../src/operations/doctor/check.ts'
import { openApi } from '../support/api.ts'

/*
 * The tree of `docs` as the service shows it: each page, each link from page to page, and what a browser is told.
 */
const stage = await openApi(t)
const get = async (url: string, headers: Record<string, string> = {}) => await stage.app.inject({ url, headers })
const site = join('dist', 'docs')

/** `docs/guides/tables.md` is at /docs/guides/tables. */
const sources = new Map(
  [...readPages()].filter(([path]) => path !== 'README.md').map(([path, text]) =>
    [path === 'docs/README.md' ? '/docs' : `/${path.slice(0, -'.md'.length)}`, text] as const
  )
)
const pages = new Map<string, string>()
for (const address of sources.keys()) pages.set(address, (await get(address)).body)

function attributes (page: string, ...names: string[]): string[] {
  return names.flatMap((name) =>
    [...page.matchAll(new RegExp(`<[^<>]* ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)
  )
}

t.test('each page of docs is there, without a key, under its own title', async (t) => {
  t.ok(sources.size >= 34, `${sources.size} pages`)
  for (const [address, text] of sources) {
    const page = await get(address)
    t.equal(page.statusCode, 200, address)
    t.match(page.headers, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }, address)
    const heading = /^# (.+)$/m.exec(text)?.[1] ?? ''
    t.match(page.body, `<title>${heading} | tabcast</title>`, address)
    t.equal(page.body.match(/<h1 /g)?.length, 1, address)
    t.notMatch(page.body, '&lt;!--', `${address}: no comment is shown`)
  }
  t.equal((await get('/docs/')).body, pages.get('/docs'))
})

t.test('the address of the service leads a browser to the pages, and tells a program that nothing is there', async (t) => {
  const browser = await get('/', { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' })
  t.match(browser, { statusCode: 302, headers: { location: 'docs', vary: /accept/i } })
  t.equal((await get(`/${String(browser.headers.location)}`)).body, pages.get('/docs'))
  for (const accept of ['*/*', 'application/json', '']) {
    t.match((await get('/', { accept })).json(), { error_code: 'not_found' }, accept)
  }
  t.match(await stage.app.inject({ method: 'POST', url: '/' }), { statusCode: 404 })
})

t.test('no link, script or style leads nowhere, and every page can be reached', async (t) => {
  const linked = new Set<string>()
  for (const [address, page] of pages) {
    for (const target of attributes(page, 'href', 'src')) {
      if (/^(?:https?|data):/.test(target)) continue
      const [path = '', heading] = target.split('#')
      t.ok(path === '' || path.startsWith('/docs/'), `${address}: ${target}`)
      const found = path === '' ? address : path.replace(/\/$/, '')
      linked.add(found)
      if (heading) {
        t.ok(attributes(pages.get(found) ?? '', 'id').includes(decodeURIComponent(heading)), `${address}: ${target}`)
      }
    }
  }
  for (const address of linked) t.equal((await get(address)).statusCode, 200, address)
  t.strictSame([...pages.keys()].filter((address) => !linked.has(address)), [])
  for (const [, page] of pages) t.notMatch(page, /(?:src|srcset)="(?:https?:)?\/\//, 'nothing comes from elsewhere')
})

t.test('what answers with an error and findings of the doctor link to is there', async (t) => {
  const codes = Object.entries(errorTable).filter(([, row]) => !('later' in row)).map(([code]) => code)
  for (const section of [...codes, ...checkNames]) {
    const [path = '', id = ''] = troubleshooting(section).split('#')
    t.ok(attributes(pages.get(path) ?? '', 'id').includes(id), section)
  }
})

t.test('a link to a file of the sources is written out', async (t) => {
  t.match(pages.get('/docs/guides/tables'), '(how (<code>crates/tabular/README.md</code>))')
  t.match(pages.get('/docs/operate/secure'), '<p>SECURITY.md says', 'once, where the text of the link is its path')
  for (const [address, page] of pages) t.notMatch(page, /href="[^"]*\.md[#"]/, address)
})

t.test('every text between < and > is shown', async (t) => {
  for (const [address, text] of sources) {
    const prose = text.replaceAll(/^```[^]*?^```$|`[^`\n]*`|^<picture>[^]*?^<\/picture>$/gm, '')
    for (const [, name = ''] of prose.matchAll(/<([a-z][^<>/\n]*)>/g)) {
      t.match(pages.get(address), `&lt;${name}&gt;`, `${address}: <${name}>`)
    }
  }
})

t.test('a picture is there in both schemes', async (t) => {
  const page = pages.get('/docs/get-started/first-forecast') ?? ''
  for (const scheme of ['light', 'dark']) {
    const images = [...page.matchAll(new RegExp(`<img src="([^"]+)" alt="[^"]+" class="only-${scheme}"`, 'g'))]
    t.equal(images.length, 2, scheme)
    for (const [, address = ''] of images) {
      const image = await get(address)
      t.match(image.headers, { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' })
      const name = /(?:forecast|report)-(?:light|dark)/.exec(address)?.[0] ?? ''
      t.ok(image.rawPayload.equals(readFileSync(join('docs', 'images', `${name}.png`))), name)
    }
  }
})

t.test('nothing runs or styles a page that its policy does not name', async (t) => {
  for (const [address, page] of pages) {
    const policy = String((await get(address)).headers['content-security-policy'])
    t.match(policy, /^default-src 'none'; .*script-src 'self' 'sha256-/, address)
    t.notMatch(policy, /unsafe-(?:inline|eval)|https?:|\*/, address)
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    const scripts = [...page.matchAll(/<script[^<>]*>([^]*?)<\/script>/g)].map(([, text = '']) => text)
    for (const text of scripts.filter((one) => one !== '')) {
      t.ok(policy.split(' style-src ')[0]?.includes(hash(text)), `${address}: ${text.slice(0, 60)}`)
    }
    for (const text of new Set(attributes(page, 'style'))) {
      t.ok(policy.split(' style-src ')[1]?.includes(hash(text)), `${address}: ${text}`)
    }
    t.notMatch(page, /<[^<>]* on[a-z]+="|<style/, address)
  }
})

t.test('a page and its files are sent once, packed to whoever takes that', async (t) => {
  const script = /src="([^"]+\.js)"/.exec(pages.get('/docs') ?? '')?.[1] ?? ''
  const theme = /href="([^"]+\/theme\.[^"]+\.js)"/.exec(pages.get('/docs') ?? '')?.[1] ?? ''
  t.match((await get(script)).headers, { 'cache-control': 'public, max-age=31536000, immutable' })
  for (const address of ['/docs/guides/tables', theme]) {
    const plain = await get(address)
    const packed = await get(address, { 'accept-encoding': 'br, gzip;q=0.8' })
    t.equal(plain.headers['content-encoding'], undefined)
    t.match(packed.headers, { 'content-encoding': 'gzip', vary: 'accept-encoding' })
    t.match(plain.headers, { vary: 'accept-encoding' })
    t.not(packed.headers.etag, plain.headers.etag, 'they are other bytes')
    t.strictSame(gunzipSync(packed.rawPayload), plain.rawPayload)
    for (const answer of [plain, packed]) {
      const known = await get(address, {
        'if-none-match': String(answer.headers.etag),
        'accept-encoding': String(answer.headers['content-encoding'] ?? 'identity')
      })
      t.equal(known.statusCode, 304, address)
      t.equal(known.rawPayload.length, 0)
      t.match(known.headers, { etag: String(answer.headers.etag), 'content-security-policy': /^default-src 'none'/ })
    }
    for (const refusing of ['gzip;q=0', 'gzip; q=0.00, br', 'x-gzip', '']) {
      t.equal((await get(address, { 'accept-encoding': refusing })).headers['content-encoding'], undefined, refusing)
    }
    t.equal((await get(address, { 'if-none-match': '"other"' })).statusCode, 200)
  }
})

t.test('the search knows every page', async (t) => {
  const names = readdirSync(join(site, 'assets', 'chunks'))
  const index = names.find((name) => name.includes('localSearchIndex'))?.replace(/\.gz$/, '') ?? ''
  const text = (await get(`/docs/assets/chunks/${index}`)).body
  for (const address of sources.keys()) t.match(text, `"${address === '/docs' ? '/docs/' : address}#`, address)
})

t.test('the pages are small', async (t) => {
  const sizes = readdirSync(site, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(site, name)))
    .filter(
      (found) => found.isFile()
    ).map(({ size }) => size)
  t.ok(sizes.reduce((sum, size) => sum + size) <= 1_500_000, `${sizes.reduce((sum, size) => sum + size)} bytes`)
  for (const [address, page] of pages) {
    const scripts = new Set(attributes(page, 'src', 'href').filter((target) => target.endsWith('.js')))
    t.ok(scripts.size >= 4, `${address}: ${scripts.size}`)
    let bytes = 0
    for (const script of scripts) {
      bytes += (await get(script, { 'accept-encoding': 'gzip' })).rawPayload.length
    }
    t.ok(bytes <= 120_000, `${address}: ${bytes} bytes of scripts`)
  }
})

t.test('without a build the service says what makes one', async (t) => {
  await t.rejects(readDocumentationFiles(join(t.testdir({}), 'docs')), /\/docs: `make build` makes them/)
})

t.test('the licences of what is in the scripts are beside them', async (t) => {
  const text = (await get('/docs/licences.txt')).body
  for (const name of ['vue', 'minisearch', 'vitepress']) t.match(text, new RegExp(`^npm ${name} \\S+  MIT`, 'm'))
  t.equal(text, readFileSync(join(site, 'licences.txt'), 'utf8'))
})
