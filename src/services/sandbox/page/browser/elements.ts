/** The element of the page with this id. */
export function byId<Kind extends HTMLElement = HTMLElement> (id: string): Kind {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`the page has no element ${id}`)
  return element as Kind
}
