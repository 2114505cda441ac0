import t from 'tap'
import { linearScale } from '../../src/report/chart/scale.ts'
import { countOf, countText, numberText, percentText, secondsText, tickText } from '../../src/report/number-text.ts'
import { shownText } from '../../src/report/shown-text.ts'
import { seededRandom } from '../support/random.ts'

const plain = (text: string) => text.replaceAll('\u{A0}', ' ')

t.test('numbers have four significant digits at most, shares three', async (t) => {
  const cases: Array<[number | null, string]> = [
    [0, '0'],
    [-0, '0'],
    [1, '1'],
    [0.5, '0.5'],
    [12345.678, '12,350'],
    [0.00012345, '0.0001235'],
    [0.0000123456, '1.235e-5'],
    [-3.2e-12, '−3.2e-12'],
    [1e-7, '1e-7'],
    [-12.3456, '−12.35'],
    [999_999, '1,000,000'],
    [1e12, '1e12'],
    [1.7e308, '1.7e308'],
    [5e-324, '4.941e-324'],
    [null, 'n/a'],
    [NaN, 'n/a'],
    [Infinity, 'n/a']
  ]
  for (const [value, text] of cases) t.equal(numberText(value), text)
  const shares: Array<[number | null, string]> = [
    [0, '0 %'],
    [1, '100 %'],
    [0.8712, '87.1 %'],
    [0.5, '50.0 %'],
    [0.9999, 'over 99.9 %'],
    [0.999, '99.9 %'],
    [0.00001, 'under 0.01 %'],
    [0.0212, '2.12 %'],
    [-0.1, '−10.0 %'],
    [1.5, '150 %'],
    [null, 'n/a']
  ]
  for (const [share, text] of shares) t.equal(plain(percentText(share)), text)
})

t.test('counts are exact, times and ticks short', async (t) => {
  t.equal(countText(1234567), '1,234,567')
  t.equal(countOf(1, 'class', 'classes'), '1 class')
  t.equal(countOf(0, 'row'), '0 rows')
  t.equal(plain(secondsText(0.004)), 'under 0.01 s')
  t.equal(plain(secondsText(12.345)), '12.3 s')
  t.strictSame([0, 100_000, -50_000, 0.25, 1e-5, 2e20].map((value) => tickText(value).toLowerCase()), ['0', '100k',
    '−50k', '0.25', '1e-5', '2e20'])
})

t.test('a text has the given length at most, and nothing that cannot be seen', async (t) => {
  t.equal(shownText('a'.repeat(100), 10), 'a'.repeat(9) + '…')
  t.equal(shownText('👍'.repeat(10), 10), '👍'.repeat(10), 'a character counts once')
  t.equal(shownText(' a \n\t b '), ' a b ')
  t.equal(shownText('\u0007\u202E\uD800x'), '\u{FFFD}\u{FFFD}\u{FFFD}x')
  for (const nothing of ['', ' ', '\n']) t.equal(shownText(nothing), '(empty)')
})

t.test('a scale covers its values with a few ticks that are round and tell apart', async (t) => {
  const random = seededRandom(t)
  for (let round = 0; round < 500; round++) {
    const middle = (random() - 0.5) * 10 ** Math.floor(random() * 24 - 12)
    const reach = random() < 0.1 ? 0 : Math.abs(middle) * 10 ** (3 - random() * 9)
    const [low, high] = [middle - reach, middle + reach]
    const { ticks, place, digits } = linearScale({ low, high, from: 10, to: 210 })
    const slack = (high - low) * 1e-6
    t.ok((ticks[0] ?? NaN) <= low + slack && (ticks.at(-1) ?? NaN) >= high - slack,
      `${low} to ${high}: covered by ${ticks}`)
    t.ok(ticks.length >= 2 && ticks.length <= 8, `${low} to ${high}: ${ticks.length} ticks`)
    const texts = ticks.map((tick) => tickText(tick, digits))
    t.equal(new Set(texts).size, texts.length, `${texts}`)
    t.ok([low, high, ...ticks].every((value) => place(value) >= 10 - 1e-3 && place(value) <= 210 + 1e-3),
      'all of them lie inside')
  }
})
