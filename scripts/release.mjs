/*
 * The parts of `make release`, in the checkout that is the current folder: `release.mjs check | baseline | tag`.
 *
 * check     can this commit become the version that package.json has?
 * baseline  makes a commit: src/api/openapi.json becomes the description of the last release, and no break is meant
 * tag       names this commit, of which dist-package has the package, vX.Y.Z
 *
 * A part that refuses says what to do, and has changed nothing. Nothing is pushed.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { changelogProblems, changelogSections } from './changelog.mjs'
import { packageVersion, versionProblems } from './release-versions.mjs'

const description = 'src/api/openapi.json'
const released = 'src/api/openapi-released.json'
const meantBreaks = 'src/api/meant-breaks.ts'
const emptyList = 'export const meantBreaks: readonly MeantBreak[] = []\n'

const version = packageVersion()
const tag = `v${version}`
const print = (line) => process.stdout.write(`${line}\n`)
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trimEnd()
const read = (path) => readFileSync(path, 'utf8')

const parts = {
  check () {
    refuse([...treeProblems(), ...tagProblems(), ...versionProblems(),
      ...changelogProblems(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10))])
    print(`${tag}: the versions, the changelog and the tree are as a release needs them`)
  },

  baseline () {
    refuse(treeProblems())
    const breaks = read(meantBreaks).replace(/^export const meantBreaks[^]*/m, emptyList)
    if (!breaks.endsWith(emptyList)) refuse([`${meantBreaks} has no list meantBreaks: mend scripts/release.mjs`])
    writeFileSync(meantBreaks, breaks)
    writeFileSync(released, read(description))
    if (git('status', '--porcelain') === '') return print(`${released} is that of this release already`)
    git('commit', '--quiet', '--all', `--message=chore(release): ${version}`,
      '--message=The description of the interface becomes that of the last release, and no break of it is meant.')
    print(`${released} is that of this release: ${git('log', '-1', '--format=%h %s')}`)
  },

  tag () {
    refuse([...treeProblems(), ...tagProblems(), ...baselineProblems(), ...packageProblems()])
    const { text } = changelogSections(read('CHANGELOG.md')).find(({ name }) => name === version)
    // Its headings begin with #, which git takes for comments.
    git('tag', '--annotate', '--cleanup=verbatim', `--message=tabcast ${version}\n\n${text}\n`, tag)
    print(`${tag} is ${git('log', '-1', '--format=%h %s')}. To publish it: git push origin HEAD ${tag}`)
  }
}

function treeProblems () {
  const changes = git('status', '--porcelain')
  return changes === '' ? [] : [`these files are not as the last commit has them: commit or remove them\n${changes}`]
}

function tagProblems () {
  return git('tag', '--list', tag) === ''
    ? []
    : [`${tag} is released already: raise the version, as CONTRIBUTING.md says under Release`]
}

function baselineProblems () {
  return read(released) === read(description)
    ? []
    : [`${released} is not ${description}: run \`node scripts/release.mjs baseline\``]
}

/** The package says which commit it is of. */
function packageProblems () {
  const head = git('rev-parse', 'HEAD')
  const names = existsSync('dist-package') ? readdirSync('dist-package') : []
  const archives = names.filter((name) => name.startsWith(`tabcast-${version}-`) && name.endsWith('.tar.gz'))
  const commits = archives.map((name) =>
    execFileSync('tar', ['-xzOf', join('dist-package', name), `${basename(name, '.tar.gz')}/commit`], {
      encoding: 'utf8'
    }).trim()
  )
  return commits.length > 0 && commits.every((commit) => commit === head)
    ? []
    : [
      `dist-package has no package of this commit (${head}) alone: empty it, and run \`make package\` and \`make test-package\``
    ]
}

function refuse (problems) {
  if (problems.length === 0) return
  process.stderr.write(`${tag} cannot be released:\n${problems.map((line) => `- ${line}\n`).join('')}`)
  process.exit(1)
}

const part = parts[process.argv[2]]
if (part === undefined) {
  process.stderr.write(`usage: release.mjs ${Object.keys(parts).join(' | ')}\n`)
  process.exit(2)
}
part()
