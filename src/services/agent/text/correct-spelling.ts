import { editDistance } from '../../../platform/edit-distance.ts'
import { singular } from './fold.ts'
import type { Token } from './tokens.ts'
import { isOrdinary, words } from '../words/word-lists.ts'

/** Unknown words that are looked at, so that a long text of them costs no more than this. */
const maxWords = 300
const candidates = [...words.grammar].filter((word) => word.length >= 5)

/** Puts the word that was meant for a slip (`wekly`, `forcast`); words that `isName` knows stay. */
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

/** A plural of a word that is known. */
function isForm (word: string): boolean {
  const one = singular(word)
  return one !== word && isOrdinary(one)
}

function nearest (word: string): string {
  // People get the first letter right. A plural or another form of a word is no slip of it.
  const near = candidates.filter((candidate) =>
    candidate[0] === word[0] && Math.abs(candidate.length - word.length) <= 2 && !word.startsWith(candidate) &&
    !candidate.startsWith(word)
  )
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= (Math.min(word.length, candidate.length) >= 8 ? 2 : 1))
  const least = Math.min(...near.map(({ distance }) => distance))
  return near.find(({ distance }) => distance === least)?.candidate ?? word
}
