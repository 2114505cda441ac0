import { editDistance } from '../../../platform/edit-distance.ts'
import { singular } from './fold.ts'
import type { Token } from './tokens.ts'
import { commonWords, functionWords, grammarWords } from './vocabulary.ts'

/** The limit on the unknown words that are examined, so that the cost of a long text is bounded. */
const maxWords = 300
const candidates = [...grammarWords].filter((word) => word.length >= 5)

/** Corrects misspelt words (`wekly`, `forcast`). Words that `isName` knows stay. */
export function correctSpelling (tokens: readonly Token[], isName: (part: string) => boolean): Token[] {
  const known = new Map<string, string>()
  return tokens.map((token, index) => {
    const { key } = token
    const short = token.kind === 'word' && key.length < 5 && !token.parts.some(isName)
      ? shortSlip(key, tokens[index - 1])
      : undefined
    if (short !== undefined) return { ...token, key: short }
    if (token.kind !== 'word' || key.length < 5 || key.length > 16 || !/^[a-z]+$/.test(key)) return token
    let meant = known.get(key)
    if (meant === undefined) {
      if (known.size >= maxWords) return token
      const isKnown = grammarWords.has(key) || functionWords.has(key) || commonWords.has(key) || isForm(key) ||
        token.parts.some(isName)
      meant = isKnown ? key : nearest(key)
      known.set(key, meant)
    }
    return meant === key ? token : { ...token, key: meant }
  })
}

const slips: Readonly<Record<string, string>> = {
  teh: 'the',
  hte: 'the',
  adn: 'and',
  taht: 'that',
  tmrw: 'tomorrow',
  tmr: 'tomorrow'
}
const shortUnits = ['day', 'days', 'week', 'hour', 'year']

/**
 * Short words are too similar to be corrected, except a few, and except a unit after a number: `9 dayz`, `nxt wekk`.
 */
function shortSlip (key: string, before: Token | undefined): string | undefined {
  if (slips[key] !== undefined) return slips[key]
  if (key.length < 3 || !(before?.kind === 'number' || /^(?:next|nxt|coming)$/.test(before?.key ?? '')) ||
    functionWords.has(key) || grammarWords.has(key) || commonWords.has(key)) return undefined
  return shortUnits.find((unit) => unit[0] === key[0] && editDistance(key, unit) === 1)
}

/** Whether the word is the plural of a known word. */
function isForm (word: string): boolean {
  const one = singular(word)
  return one !== word && (grammarWords.has(one) || commonWords.has(one) || functionWords.has(one))
}

function nearest (word: string): string {
  // Misspellings rarely affect the first letter. A plural or another form of a known word is not a misspelling.
  const near = candidates.filter((candidate) =>
    candidate[0] === word[0] && Math.abs(candidate.length - word.length) <= 2 && !word.startsWith(candidate) &&
    !candidate.startsWith(word)
  )
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= (Math.min(word.length, candidate.length) >= 8 ? 2 : 1))
  const least = Math.min(...near.map(({ distance }) => distance))
  return near.find(({ distance }) => distance === least)?.candidate ?? word
}
