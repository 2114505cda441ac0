import { readdirSync, readFileSync } from 'node:fs'

/*
 * Imports go the way that docs/internals/architecture.md says: its table of folders, its one exception and its orders
 * are the rules.
 */
const page = readFileSync(new URL('docs/internals/architecture.md', import.meta.url), 'utf8')
const names = (text) => [...text.matchAll(/`([\w./-]+)`/g)].map(([, name]) => name)

const folders = [...page.matchAll(/^\| `src\/([\w.-]+)` \|.*\| (.+) \|$/gm)].map(([, folder, uses]) => ({
  folder,
  uses
}))
const exception = names(/^One exception: (.+?), because/m.exec(page)[1])
const orders = [...page.matchAll(/^- `src\/(\w+)`: ((?:.+\n(?: {2}.+\n)*))/gm)].map(([, folder, rooms]) => ({
  folder,
  rooms: names(rooms)
}))
if (folders.length < 10 || orders.length < 4 || exception.length !== 2) {
  throw new Error('docs/internals/architecture.md: its tables are not where they were')
}

for (const [folder, known] of [['src', folders.map(({ folder }) => folder)],
  ...orders.map(({ folder, rooms }) => [`src/${folder}`, rooms])]) {
  const found = readdirSync(new URL(folder, import.meta.url), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory()
  ).map(({ name }) => name)
  const unknown = [...found.filter((name) => !known.includes(name)), ...known.filter((name) =>
    !name.includes('.') && !found.includes(name)
  )]
  if (unknown.length > 0) {
    throw new Error(
      `docs/internals/architecture.md and ${folder} do not have the same folders: ${unknown.join(', ')}`
    )
  }
}

const folderRules = folders.filter(({ uses }) => uses !== 'everything').map(({ folder, uses }) => ({
  name: `what-${folder}-may-use`,
  comment: `src/${folder} may use: ${uses}`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: {
    path: '^src/',
    pathNot: [folder, ...names(uses)].map((name) => `^src/${name}/`).concat(
      exception[0] === `src/${folder}` ? [`^${exception[1]}/`] : []
    )
  }
}))
const orderRules = orders.flatMap(({ folder, rooms }) =>
  rooms.map((room, place) => ({
    name: `order-of-${folder}`,
    comment: `src/${folder}/${room} may use the rooms before it`,
    severity: 'error',
    from: { path: `^src/${folder}/${room}/` },
    to: { path: `^src/${folder}/[^/]+/`, pathNot: rooms.slice(0, place + 1).map((name) => `^src/${folder}/${name}/`) }
  }))
)

export default {
  forbidden: [
    ...folderRules,
    ...orderRules,
    { name: 'no-circle', comment: 'files import each other', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'one-importer-of-bindings',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/engine/' },
      to: { path: '^bindings/' }
    }
  ],
  options: {
    // Types are imports too: who needs another's types knows it.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' }
  }
}
