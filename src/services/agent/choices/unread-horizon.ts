import { isRare } from '../not-used.ts'
import type { Reading } from '../reading.ts'
import { words } from '../words/word-lists.ts'
import type { Choice } from './choice.ts'
import { openHorizonQuestion, type Horizon } from './choose-horizon.ts'

/** Words that introduce a horizon. */
const lead =
  /^(?:next|coming|upcoming|until|till|til|horizon|ahead|nachste[nrs]?|naechste[nrs]?|kommende[nrs]?|bis|prochaine?s?|proxim[oa]s?|siguientes?|hasta|jusqu\S*)$/
const maxWords = 6
const maxReach = 3

/**
 * Asks another question if the prompt mentions a horizon that was not understood. Otherwise it would be treated like a
 * prompt without a horizon.
 */
export function askForUnread (choice: Choice<Horizon>, reading: Reading,
  isUsed: (index: number) => boolean): Choice<Horizon> {
  const { question } = choice
  const unread = question?.question === openHorizonQuestion ? unreadHorizon(reading, isUsed) : undefined
  return question === undefined || unread === undefined
    ? choice
    : {
      ...choice,
      question: { ...question, question: `"${unread}" was not understood. How far shall the forecast reach?` }
    }
}

/** Finds unused words that may be a horizon: a number next to an unusual word, or words after one about the future. */
function unreadHorizon ({ text, mentions, values }: Reading, isUsed: (index: number) => boolean): string | undefined {
  const named = new Uint8Array(text.tokens.length)
  for (const { from, to } of [...mentions, ...values]) named.fill(1, from, to)
  const isOpen = (at: number): boolean =>
    at >= 0 && at < text.tokens.length && text.tokens[at]?.kind !== 'mark' && !isUsed(at) && named[at] !== 1
  const isUnknown = (at: number): boolean => isOpen(at) && text.tokens[at]?.kind === 'word' && isRare(text.key(at))
  for (let at = 0; at < text.tokens.length; at++) {
    if (!isOpen(at)) continue
    const kind = text.tokens[at]?.kind
    const hasNumber = kind === 'number' || (kind === 'word' && /^\p{L}+['’]?\d+\p{L}*$/u.test(text.key(at)))
    const isNumber = hasNumber && (kind === 'word' || isUnknown(at + 1) || isUnknown(at - 1))
    if (!isNumber && !(lead.test(text.key(at)) && leadsSomewhere(at))) continue
    let from = at
    while (from > 0 && from > at - maxReach && isOpen(from - 1) &&
      (lead.test(text.key(from - 1)) || words.function.has(text.key(from - 1)))) from--
    let to = at + 1
    while (to < at + maxWords && isOpen(to)) to++
    while (from < at && words.function.has(text.key(from))) from++
    return text.source(from, to).replaceAll(/\s+/g, ' ').slice(0, 80)
  }
  return undefined

  function leadsSomewhere (at: number): boolean {
    for (let next = at + 1; next <= at + maxReach && isOpen(next); next++) {
      if (isUnknown(next) || text.tokens[next]?.kind === 'number') return true
    }
    return false
  }
}
