import type { Marks } from '../chart/mark.ts'

/**
 * Marks as elements of the page. They are created one by one, because the page's policy does not let text become
 * markup.
 */
export function svgNodes (marks: Marks): Array<Node | string> {
  if (marks === null) return []
  if (typeof marks === 'string') return [marks]
  if (!('tag' in marks)) return marks.flatMap(svgNodes)
  const element = document.createElementNS('http://www.w3.org/2000/svg', marks.tag)
  for (const [name, value] of marks.attributes) element.setAttribute(name, value)
  element.append(...svgNodes(marks.content))
  return [element]
}
