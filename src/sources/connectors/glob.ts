/**
 * Whether a pattern matches the whole text: `*` stands for any characters but `/`, `**` for any characters, `?` for one
 * character but `/`, everything else for itself. All states are followed side by side (Thompson 1968), with one flag
 * per pattern position. The time is at most text length times pattern length, which a customer's pattern could exceed
 * by far if it became a regular expression.
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

/** A star may match nothing, so its successor is reached together with it. */
function passStars (tokens: readonly string[], states: Uint8Array): void {
  for (let at = 0; at < tokens.length; at++) {
    if (states[at] === 1 && (tokens[at] === '*' || tokens[at] === '**')) states[at + 1] = 1
  }
}

/** A run of stars becomes one token, so that ten thousand of them cost no more than one. */
function tokenize (pattern: string): string[] {
  const tokens: string[] = []
  for (const character of pattern) {
    const last = tokens.at(-1)
    if (character === '*' && (last === '*' || last === '**')) tokens[tokens.length - 1] = '**'
    else tokens.push(character)
  }
  return tokens
}
