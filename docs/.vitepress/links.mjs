import { dirname, join, normalize } from 'node:path'

/**
 * Pages link to each other as GitHub wants it, from their own folder. The service shows the first page at two addresses
 * (/docs and /docs/), so here links start at the top. A link out of `docs` leads to a file of the sources, which is not
 * served: its path is written out instead.
 */
export function resolveLinks (md) {
  md.core.ruler.after('inline', 'resolve-links', ({ tokens, env, Token }) => {
    for (const token of tokens) {
      if (token.type === 'inline') token.children = resolved(token.children, env.relativePath, Token)
    }
  })
}

function resolved (children, page, Token) {
  let source
  let text = ''
  return children.flatMap((child) => {
    if (child.type === 'link_open') {
      const target = child.attrGet('href')
      if (/^(?:[a-z]+:|#|\/)/.test(target)) return [child]
      const path = normalize(join('docs', dirname(page), target))
      if (path.startsWith('docs/')) {
        child.attrSet('href', path.slice('docs'.length))
        return [child]
      }
      source = path.replace(/#.*/, '')
      text = ''
      return []
    }
    if (source === undefined) return [child]
    if (child.type !== 'link_close') {
      text += child.content
      return [child]
    }
    const path = source
    source = undefined
    return path.startsWith(text) ? [] : written(path, Token)
  })
}

function written (path, Token) {
  const code = Object.assign(new Token('code_inline', 'code', 0), { content: path })
  const [open, close] = [' (', ')'].map((content) => Object.assign(new Token('text', '', 0), { content }))
  return [open, code, close]
}
