/** Indented code gets the frame and the copy button of fenced code. The theme knows nothing of it. */
export function frameIndentedCode (md) {
  md.core.ruler.push('indented-code', ({ tokens }) => {
    for (const token of tokens) if (token.type === 'code_block') Object.assign(token, { type: 'fence', info: 'txt' })
  })
}
