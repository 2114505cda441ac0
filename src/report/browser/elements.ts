export function byId<Kind extends HTMLElement = HTMLElement> (id: string): Kind {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`the page has no element ${id}`)
  return element as Kind
}

/** A new element; text in it never becomes markup. */
export function make<Tag extends keyof HTMLElementTagNameMap> (tag: Tag, attributes: Record<string, string> = {},
  ...children: Array<Node | string>): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}
