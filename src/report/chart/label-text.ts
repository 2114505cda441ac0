import { shownText } from '../shown-text.ts'

/**
 * A customer's text for a drawing, cut to about `width` units at a size of 11; the width is estimated, because nothing
 * can be measured here.
 */
export function labelText (text: string, width: number): string {
  const characters = [...shownText(text, 80)]
  let used = 0
  const end = characters.findIndex((character) => {
    used += widthOf(character)
    return used > width
  })
  return end < 0 ? characters.join('') : `${characters.slice(0, Math.max(1, end - 1)).join('')}…`
}

function widthOf (character: string): number {
  if (/[\u{1100}-\u{11FF}\u{2E80}-\u{FFDC}\u{1F000}-\u{3FFFF}]/u.test(character)) return 12
  if (/[\p{Lu}mw@%&]/u.test(character)) return 8.5
  return /[ilj.,'|:; ]/.test(character) ? 3.5 : 6.3
}
