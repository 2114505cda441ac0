/**
 * A form below each request of the page on the API. Addresses below /objects are signed: whoever has one needs no form.
 */
export function offerForms (md) {
  md.core.ruler.push('try-requests', ({ tokens, env, Token }) => {
    if (env.relativePath !== 'reference/api.md') return
    let route
    for (let at = 0; at < tokens.length; at++) {
      const { type, tag } = tokens[at]
      if (type === 'heading_open') {
        route = tag === 'h4'
          ? /^`([A-Z]+) (\/\S+)`$/.exec(tokens[at + 1].content)
          : undefined
      }
      if (!route || !['fence', 'code_block'].includes(type)) continue
      const [, method, path] = route
      route = undefined
      if (path.startsWith('/objects/')) continue
      const form = Object.assign(new Token('html_block', '', 0), {
        content: `<TryRequest method="${method}" path="${path}" />\n`
      })
      tokens.splice(at + 1, 0, form)
    }
  })
}
