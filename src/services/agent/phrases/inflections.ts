/**
 * The forms of a verb, or a noun and its plural: `drop` gives `dropping`, `dropped` and `drops`, and `anomaly` gives
 * `anomalies`.
 */
export function inflections (word: string): string[] {
  if (/[^aeiou]y$/.test(word)) return [word, `${word.slice(0, -1)}ies`, `${word.slice(0, -1)}ied`, `${word}ing`]
  const plural = /(?:s|x|ch|sh|z)$/.test(word) ? `${word}es` : `${word}s`
  if (word.endsWith('e')) return [word, plural, `${word}d`, `${word.slice(0, -1)}ing`]
  // Short verbs that end with a single consonant double it.
  const stem = /(?:^|[^aeiou])[aeiou][bdgklmnprt]$/.test(word) ? `${word}${word.at(-1)}` : word
  return [word, plural, `${stem}ed`, `${stem}ing`, `${word}ed`, `${word}ing`]
}
