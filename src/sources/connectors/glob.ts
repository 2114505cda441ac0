/**
 * Whether a pattern matches the whole text: `*` any characters but `/`, `**` any characters, `?` one character but `/`,
 * everything else itself. All states are followed side by side (Thompson 1968), one bit-like flag a pattern position,
 * so that the time is at most text length times pattern length: a customer's pattern must never become a regular
 * expression.
 */
export function matchesGlob (pattern: string, text: string): boolean {
  const tokens = tokenize(pattern)
  let states = new Uint8Array(tokens.length + 1)
  let next = new Uint8Array(tokens.length + 1)
  states[0] = 1
  passStars(tokens, states)
  for (const character of text) {
    next.fill(0)
    let alive = false
    for (let at = 0; at < tokens.length; at++) {
      if (states[at] === 0) continue
      const token = tokens[at] as string
      if (token === '**' || (token === '*' && character !== '/')) next[at] = 1
      else if (token !== '*' && (token === '?' ? character !== '/' : token === character)) next[at + 1] = 1
      else continue
      alive = true
    }
    if (!alive) return false
    passStars(tokens, next)
    ;[states, next] = [next, states]
  }
  return states[tokens.length] === 1
}

/** A star may stand for nothing, so its successor is reached with it. */
function passStars (tokens: readonly string[], states: Uint8Array): void {
  for (let at = 0; at < tokens.length; at++) {
    if (states[at] === 1 && (tokens[at] === '*' || tokens[at] === '**')) states[at + 1] = 1
  }
}

/** Runs of stars become one token, which keeps ten thousand of them as cheap as one. */
function tokenize (pattern: string): string[] {
  const tokens: string[] = []
  for (const character of pattern) {
    const last = tokens.at(-1)
    if (character === '*' && (last === '*' || last === '**')) tokens[tokens.length - 1] = '**'
    else tokens.push(character)
  }
  return tokens
}
