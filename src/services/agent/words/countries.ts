import { fold } from '../../../platform/text/fold.ts'
import spoken from './countries.json' with { type: 'json' }

const locales = ['es', 'fr', 'de', 'en']
let codes: ReadonlyMap<string, string> | undefined

/**
 * The ISO 3166-1 alpha-2 code of a country, from its name in several languages or its adjective: `Germany`,
 * `Deutschland`, `German`. undefined: the words name no country.
 */
export function countryOf (words: string): string | undefined {
  const key = fold(words.slice(0, 40)).replaceAll(/[^\p{L}]+/gu, ' ').trim()
  codes ??= new Map(allCodes())
  return key.length < 2 ? undefined : codes.get(key)
}

/** The country's name in English. */
export function countryName (code: string): string {
  return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code
}

/**
 * A later code replaces an earlier one for the same name: English names take precedence over those of other languages,
 * and common names over both.
 */
function* allCodes (): Generator<[string, string]> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const pairs = letters.flatMap((first) => letters.map((second) => first + second))
  for (const locale of locales) {
    const display = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
    for (const code of pairs) {
      const name = display.of(code)
      // The current code of a country with an outdated one.
      const current = Intl.getCanonicalLocales(`und-${code}`)[0]?.slice(-2) ?? code
      if (name !== undefined) yield* [[fold(name), current], [code.toLowerCase(), current]] as const
    }
  }
  for (const entry of spoken.join(' ').split(' ')) {
    const [name = '', code = ''] = entry.split('=')
    yield [name.replaceAll('_', ' '), code]
  }
}
