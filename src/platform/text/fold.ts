const letters: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', æ: 'ae', œ: 'oe', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }

/** The text in lower case, without accents, in one spelling of its characters. Other scripts stay unchanged. */
export function fold (text: string): string {
  // Nearly every prompt is ASCII, which needs no folding.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  return text.normalize('NFKC').toLowerCase().normalize('NFKD').replaceAll(/[\p{M}\p{Cf}]/gu, '').replaceAll(
    /[ßøłæœđðþı]/g,
    (letter) => letters[letter] ?? letter
  ).normalize('NFC')
}

/** Folds German umlauts the way people write them without umlauts: `ü` becomes `ue`. */
export function foldUmlauts (text: string): string {
  return fold(
    text.normalize('NFC').replaceAll(/[äöüÄÖÜ]/g, (letter) => `${letter.toLowerCase().normalize('NFD').charAt(0)}e`)
  )
}

/** A word without its plural ending: `sales` becomes `sale`, `categories` becomes `category`, `status` stays. */
export function singular (word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is|news)$/.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:x|ch|sh|ss)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

/** Splits a name into parts: `netRevenue`, `net_revenue` and `Net Revenue` become `net revenue`. */
export function nameParts (name: string): string[] {
  return name.slice(0, 200).normalize('NFC')
    // `FTEs` is the plural of `FTE`.
    .replaceAll(/(?<![\p{L}\p{Nd}])(\p{Lu}{2,})s(?![\p{L}\p{Nd}])/gu, '$1')
    // `kWh` is one unit.
    .replaceAll(/(?<![\p{L}\p{Nd}])[kMGT]Wh?(?![\p{L}\p{Nd}])/gu, (unit) => unit.toLowerCase())
    .replaceAll(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll(/(\p{L})(\p{Nd})/gu, '$1 $2')
    .replaceAll(/(\p{Nd})(\p{L})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}\p{Nd}]+/u).filter((part) => part !== '')
    // Numbers are written as in a tokenized prompt: `web-02` becomes `web 2`.
    .map((part) => /^\d+$/.test(part) ? part.replace(/^0+(?=\d)/, '') : part)
}

/** The parts of a name in their normal form, for comparisons. */
export function wordsOfName (name: string): string[] {
  return nameParts(name).map((part) => singular(fold(part)))
}
