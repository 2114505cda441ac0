import { SaxesParser } from 'saxes'
import { InvalidAnswer } from './invalid-answer.ts'

export interface XmlElement {
  /** Without a prefix. */
  name: string
  /** Text directly inside, without white space at the ends. */
  text: string
  children: XmlElement[]
}

const maxDepth = 12
const maxElements = 500_000
const maxTextLength = 10_000

/**
 * Parses the root element. Document types are refused, so there are no entities besides XML's own five. Throws
 * InvalidAnswer for XML that is not well-formed, too deep or too large.
 */
export function readXml (body: Buffer): XmlElement {
  const parser = new SaxesParser()
  const open: XmlElement[] = []
  let root: XmlElement | undefined
  let elements = 0
  // The error is thrown to end the parse, because saxes goes on after errors that it only reports.
  parser.on('error', (cause) => {
    throw new InvalidAnswer('the XML is not well-formed', { cause })
  })
  parser.on('doctype', () => {
    throw new InvalidAnswer('the XML has a document type')
  })
  parser.on('opentag', ({ name }) => {
    if (open.length >= maxDepth) throw new InvalidAnswer('the XML is nested too deeply')
    if (++elements > maxElements) throw new InvalidAnswer('the XML has too many elements')
    const element = { name: name.slice(name.indexOf(':') + 1), text: '', children: [] }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element === undefined) return
    element.text += text
    if (element.text.length > maxTextLength) throw new InvalidAnswer('the XML has a text that is too long')
  })
  parser.on('closetag', () => {
    const element = open.pop()
    if (element !== undefined) element.text = element.text.trim()
  })
  parser.write(body.toString('utf8')).close()
  if (root === undefined) throw new InvalidAnswer('the XML is empty')
  return root
}

/** The first child of that name. Throws InvalidAnswer if there is none. */
export function childOf (element: XmlElement, name: string): XmlElement {
  const child = element.children.find((one) => one.name === name)
  if (child === undefined) throw new InvalidAnswer(`${element.name} has no ${name}`)
  return child
}

export function childrenOf (element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((one) => one.name === name)
}
