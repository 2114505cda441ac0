const maxLength = 24

/** The shape of a value without its content: `SKU-42b` is `AAA-99a`. */
export function valueShape (value: string): string {
  return [...value].slice(0, maxLength).map((character) => {
    if (/\p{Lu}/u.test(character)) return 'A'
    if (/[\p{L}\p{M}]/u.test(character)) return 'a'
    if (/\p{N}/u.test(character)) return '9'
    return /[ -~]/.test(character) ? character : '?'
  }).join('')
}
