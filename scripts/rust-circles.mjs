// Prints the modules of each crate that use each other in a circle, and fails if there are any. A module may use its
// own descendants: it declares them. `cargo modules` finds the same and takes minutes to build.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** `a::{b, c::{d}}` as its paths. */
function pathsOf (tree, prefix = []) {
  const brace = tree.indexOf('{')
  if (brace < 0) return [[...prefix, ...tree.split(' as ')[0].split('::').map(name => name.trim()).filter(Boolean)]]
  const base = [...prefix, ...tree.slice(0, brace).split('::').map(name => name.trim()).filter(Boolean)]
  const parts = []
  let depth = 0
  let part = ''
  for (const character of tree.slice(brace + 1, tree.lastIndexOf('}'))) {
    if (character === '{') depth++
    if (character === '}') depth--
    if (character === ',' && depth === 0) {
      parts.push(part)
      part = ''
    } else part += character
  }
  return [...parts, part].filter(text => text.trim() !== '').flatMap(text => pathsOf(text, base))
}

function modulesOf (source) {
  const modules = new Map()
  for (const file of readdirSync(source, { recursive: true }).filter(name => name.endsWith('.rs'))) {
    const names = file.slice(0, -'.rs'.length).split(sep)
    if (names[0] === 'bin' || names[0] === 'main') continue
    if (names.at(-1) === 'mod') names.pop()
    modules.set(names.join('::') === 'lib' ? '' : names.join('::'), readFileSync(join(source, file), 'utf8'))
  }
  return modules
}

/** Modules that a module uses, without its descendants. */
function usesOf (name, text, modules) {
  const here = name === '' ? [] : name.split('::')
  const code = text.replaceAll(/\/\/[^\n]*/g, '').split('#[cfg(test)]\nmod tests')[0]
  const paths = [
    ...[...code.matchAll(/\buse\s+([^;]+);/g)].flatMap(([, tree]) => pathsOf(tree.replaceAll(/\s+/g, ' '))),
    ...[...code.matchAll(/\bcrate(?:::\w+)+/g)].map(([path]) => path.split('::'))
  ]
  const uses = new Set()
  for (const [root, ...rest] of paths) {
    let full
    if (root === 'crate') full = rest
    else if (root === 'super') {
      const further = rest.findIndex(segment => segment !== 'super')
      full = [...here.slice(0, here.length - 1 - further), ...rest.slice(further)]
    } else continue
    while (full.length > 0 && !modules.has(full.join('::'))) full.pop()
    const used = full.join('::')
    if (used !== '' && used !== name && !used.startsWith(`${name}::`) && name !== '') uses.add(used)
  }
  return uses
}

/** Strongly connected components of more than one module (Tarjan 1972). */
function circlesOf (graph) {
  const numbers = new Map()
  const low = new Map()
  const stack = []
  const circles = []
  function visit (node) {
    numbers.set(node, numbers.size)
    low.set(node, numbers.get(node))
    stack.push(node)
    for (const next of graph.get(node)) {
      if (!numbers.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)))
    }
    if (low.get(node) !== numbers.get(node)) return
    const circle = stack.splice(stack.indexOf(node))
    if (circle.length > 1) circles.push(circle)
  }
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node)
  return circles
}

let found = 0
const sources = readdirSync('crates').map(crate => `crates/${crate}/src`).filter(source => existsSync(source))
for (const source of [...sources, 'bindings/src']) {
  const modules = modulesOf(source)
  const graph = new Map([...modules].map(([name, text]) => [name, usesOf(name, text, modules)]))
  for (const circle of circlesOf(graph)) {
    console.error(`${source}: ${circle.sort().join(', ')} use each other; move what they share into a file of its own`)
    found++
  }
}
process.exitCode = found > 0 ? 1 : 0
