/** One tag of a page, in the strict form that our pages are written in. */
export interface Tag {
  name: string
  kind: 'open' | 'close' | 'void'
  attributes: Record<string, string>
  /** The text before it, as it stands in the page. */
  before: string
}

const empty = new Set(['meta', 'input', 'path', 'circle', 'rect'])
const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z][a-zA-Z-]*="[^"<>]*")*)\s*(\/?)>/g
const attribute = /([a-zA-Z-]+)="([^"]*)"/g

/**
 * The tags of a page. It throws unless the page is the doctype, tags with quoted attributes, each closed in its order,
 * and text without `<` and `>`: what a browser reads then leaves no room for guesses.
 */
export function tagsOf (page: string): Tag[] {
  const doctype = '<!doctype html>'
  if (!page.startsWith(doctype)) throw new Error('the page has no doctype')
  const tags: Tag[] = []
  const open: string[] = []
  let end = doctype.length
  for (const match of page.matchAll(tag)) {
    const [text, slash, name = '', given = '', selfClosing] = match
    const before = page.slice(end, match.index)
    if (/[<>]/.test(before)) throw new Error(`not a tag: ${before.slice(0, 200)}`)
    end = match.index + text.length
    const attributes: Record<string, string> = {}
    for (const [, key = '', value = ''] of given.matchAll(attribute)) {
      if (key in attributes) throw new Error(`${name} has ${key} twice`)
      attributes[key] = value
    }
    const kind = slash === '/' ? 'close' : selfClosing === '/' || empty.has(name) ? 'void' : 'open'
    if (kind === 'open') open.push(name)
    if (kind === 'close' && open.pop() !== name) throw new Error(`</${name}> closes what is not open`)
    tags.push({ name, kind, attributes, before })
  }
  if (page.slice(end).trim() !== '') throw new Error('text behind the page')
  if (open.length > 0) throw new Error(`not closed: ${open.join(' ')}`)
  return tags
}

/** What a browser shows, without tags. */
export function textOf (page: string): string {
  return tagsOf(page).map(({ before }) => before).join(' ')
    .replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll(
      '&amp;',
      '&'
    )
}
