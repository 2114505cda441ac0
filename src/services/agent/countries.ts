import { fold } from './text/fold.ts'

/** Common names of countries that no standard list has. */
const spoken = new Map(
  Object.entries({
    us: 'US',
    usa: 'US',
    'u s': 'US',
    'u s a': 'US',
    america: 'US',
    american: 'US',
    uk: 'GB',
    'u k': 'GB',
    britain: 'GB',
    'great britain': 'GB',
    british: 'GB',
    english: 'GB',
    england: 'GB',
    swiss: 'CH',
    schweizer: 'CH',
    holland: 'NL',
    emirati: 'AE',
    uae: 'AE'
  })
)
const locales = ['en', 'de', 'fr', 'es']
const endings = /(?:ian|ean|an|n|ish|ese|ic|i|isch|ische|ischen|ischer|er|ais|aise|ien|ienne|ano|ana|es|esa)$/
const leastStem = 4

let names: Map<string, string> | undefined
let languages: Map<string, string> | undefined

/**
 * The ISO 3166-1 alpha-2 code of a country, from its name in several languages or its adjective: `Germany`,
 * `Deutschland`, `German`. undefined: the words name no country.
 */
export function countryOf (words: string): string | undefined {
  const key = fold(words).replaceAll(/[^\p{L}]+/gu, ' ').trim()
  if (key.length < 2 || key.length > 40) return undefined
  names ??= new Map(allNames())
  return spoken.get(key) ?? names.get(key) ?? adjectiveOf(key, names)
}

/** The country's name in English. */
export function countryName (code: string): string {
  return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code
}

/**
 * Adjectives such as `austrian` and `brazilian` begin like the country's name; others, such as `french` and `dutch`,
 * are names of languages.
 */
function adjectiveOf (key: string, names: ReadonlyMap<string, string>): string | undefined {
  if (key.includes(' ')) return undefined
  for (const length of [1, 2, 3, 4]) {
    const stem = key.slice(0, -length)
    if (stem.length < leastStem || !endings.test(key) || !endings.exec(key.slice(-length - 1))) continue
    const like = new Set(
      [...names].filter(([name]) => name.startsWith(stem) && !name.includes(' ') && name.length <= stem.length + 3).map(
        ([, code]) => code
      )
    )
    if (like.size === 1) return [...like][0]
  }
  languages ??= new Map(allLanguages())
  return languages.get(key)
}

function* allNames (): Generator<[string, string]> {
  for (const locale of [...locales].reverse()) {
    const display = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
    for (const code of codes()) {
      const name = display.of(code)
      if (name === undefined) continue
      yield [fold(name), current(code)]
      yield [code.toLowerCase(), current(code)]
    }
  }
}

/** The current code of a country with an outdated one. */
function current (code: string): string {
  return Intl.getCanonicalLocales(`und-${code}`)[0]?.slice(-2) ?? code
}

function* allLanguages (): Generator<[string, string]> {
  const display = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  for (const language of codes()) {
    const tag = language.toLowerCase()
    const region = new Intl.Locale(tag).maximize().region
    const name = display.of(tag)
    // A language that many countries speak identifies none of them.
    if (name !== undefined && region !== undefined && /^[A-Z]{2}$/.test(region) && !/^(?:en|ar|la|eo|pt)$/.test(tag)) {
      yield [fold(name), region]
    }
  }
}

function codes (): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  return letters.flatMap((first) => letters.map((second) => first + second))
}
