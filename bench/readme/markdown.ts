export function table (header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(header), `|${' --- |'.repeat(header.length)}`, ...rows.map(line)].join('\n')
}

/** Puts each section between `<!-- NAME:begin -->` and `<!-- NAME:end -->`; a missing pair of markers is an error. */
export function fillSections (text: string, sections: Map<string, string>): string {
  let filled = text
  for (const [name, body] of sections) {
    const begin = beginOf(name)
    const end = `<!-- ${name}:end -->`
    const from = filled.indexOf(begin)
    const to = filled.indexOf(end)
    if (from < 0 || to < from) throw new Error(`the page has no ${begin} ... ${end}`)
    filled = `${filled.slice(0, from + begin.length)}\n${body}\n${filled.slice(to)}`
  }
  return filled
}

/** Texts by path, each section filled in on the one page that has its markers; none or several are an error. */
export function fillPages (pages: Map<string, string>, sections: Map<string, string>): Map<string, string> {
  const filled = new Map(pages)
  for (const [name, body] of sections) {
    const paths = [...pages.keys()].filter((path) => pages.get(path)?.includes(beginOf(name)))
    const [path = '', ...others] = paths
    if (path === '' || others.length > 0) {
      throw new Error(`${beginOf(name)} is on ${paths.length} pages, not on one${paths.map((path) => ` ${path}`)}`)
    }
    filled.set(path, fillSections(filled.get(path) ?? '', new Map([[name, body]])))
  }
  return filled
}

function beginOf (name: string): string {
  return `<!-- ${name}:begin -->`
}
