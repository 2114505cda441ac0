import { editDistance } from '../../../platform/text/edit-distance.ts'
import { singular } from '../../../platform/text/fold.ts'
import type { Token } from './tokens.ts'
import { isOrdinary, words } from '../words/word-lists.ts'

/** The limit on the unknown words that are examined, so that the cost of a long text is bounded. */
const maxWords = 300
const candidates = [...words.grammar].filter((word) => word.length >= 5)

/** Corrects misspelt words (`wekly`, `forcast`). Words that `isName` knows stay. */
export function correctSpelling (tokens: readonly Token[], isName: (part: string) => boolean): Token[] {
  const known = new Map<string, string>()
  return tokens.map((token) => {
    const { key } = token
    if (token.kind !== 'word' || key.length < 5 || key.length > 16 || !/^[a-z]+$/.test(key)) return token
    let meant = known.get(key)
    if (meant === undefined) {
      if (known.size >= maxWords) return token
      const isKnown = isOrdinary(key) || isForm(key) ||
        token.parts.some(isName)
      meant = isKnown ? key : nearest(key)
      known.set(key, meant)
    }
    return meant === key ? token : { ...token, key: meant }
  })
}

/** Whether the word is the plural of a known word. */
function isForm (word: string): boolean {
  const one = singular(word)
  return one !== word && isOrdinary(one)
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
