import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { changelogProblems, changelogSections } from '../../scripts/changelog.mjs'
import { runTabcast } from '../support/command.ts'

/*
 * The parts of `make release` that need no build, in a repository of their own: what is refused, and what a release
 * leaves behind.
 */
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const today = new Date().toISOString().slice(0, 10)
const changelog =
  `# Changelog\n\n## [Unreleased]\n\n### Added\n\n## [${version}] - ${today}\n\n### Added\n- Forecasts.\n`
const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) => [[`GIT_${role}_NAME`, 'Kim'], [`GIT_${role}_EMAIL`, 'kim@example.org']])
  )
}

/** A repository with the files of this one that a release reads, ready to be released. */
function repository (t: Test) {
  const folder = t.testdir({})
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim()
  const commit = () => {
    git('add', '--all')
    git('commit', '--quiet', '--message=test')
  }
  for (const path of ['package.json', 'package-lock.json', 'Cargo.toml', 'Cargo.lock',
    'clients/typescript/package.json', 'clients/python/pyproject.toml', 'clients/python/build_wheel.py',
    'clients/python/src/tabcast/__init__.py', 'deploy', 'docs/operate/deploy.md', 'src/api/openapi.json',
    'src/api/meant-breaks.ts']) {
    cpSync(path, join(folder, path), { recursive: true })
  }
  write('src/api/openapi-released.json', '{}\n')
  write('CHANGELOG.md', changelog)
  write('.gitignore', '/dist-package\n')
  git('init', '--quiet')
  commit()
  return {
    folder,
    git,
    write,
    commit,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    /** Writes a package that says that it is of this commit, as `make package` does. */
    pack: (head: string) => {
      const name = `tabcast-${version}-linux-x64-gnu`
      write(`dist-package/${name}/commit`, `${head}\n`)
      execFileSync('tar', ['-C', join(folder, 'dist-package'), '-czf', join(folder, 'dist-package', `${name}.tar.gz`),
        name])
    },
    release: (part: string) => {
      const script = resolve('scripts/release.mjs')
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, part], {
        cwd: folder,
        env,
        encoding: 'utf8'
      })
      return { status, stdout, stderr }
    }
  }
}

t.test('a release is checked, gets its baseline and its tag, and the next one begins from there', async (t) => {
  const { git, read, pack, release, write, commit } = repository(t)
  t.match(release('check'), { status: 0, stdout: `v${version}: the versions` })
  t.match(release('baseline'), { status: 0, stdout: `chore(release): ${version}` })
  t.equal(read('src/api/openapi-released.json'), read('src/api/openapi.json'))
  t.match(read('src/api/meant-breaks.ts'), /^export interface MeantBreak \{[^]*: readonly MeantBreak\[\] = \[\]\n$/m)
  t.equal(git('status', '--porcelain'), '')
  const head = git('rev-parse', 'HEAD')
  t.match(release('baseline'), { status: 0, stdout: 'is that of this release already' })
  t.equal(git('rev-parse', 'HEAD'), head, 'a second run makes no second commit')

  pack(head)
  t.match(release('tag'), { status: 0, stdout: `git push origin HEAD v${version}` })
  t.equal(git('rev-parse', `v${version}^{commit}`), head)
  t.equal(git('cat-file', '-t', `v${version}`), 'tag')
  t.match(git('tag', '--list', '--format=%(contents)'), `tabcast ${version}\n\n### Added\n- Forecasts.`)

  write('CHANGELOG.md', changelog.replace('### Added\n\n', '### Added\n- Backtests.\n\n'))
  commit()
  for (const part of ['check', 'tag']) {
    t.match(release(part), { status: 1, stderr: `v${version} is released already: raise the version` }, part)
  }
})

t.test('a tree with changes is refused by every part, which change nothing', async (t) => {
  const { folder, git, release } = repository(t)
  const head = git('rev-parse', 'HEAD')
  for (const path of ['notes.txt', 'CHANGELOG.md']) {
    appendFileSync(join(folder, path), '\n')
    for (const part of ['check', 'baseline', 'tag']) {
      const { status, stderr } = release(part)
      t.equal(status, 1)
      t.match(stderr, /these files are not as the last commit has them: commit or remove them\n[^]*notes\.txt/)
    }
  }
  t.equal(git('rev-parse', 'HEAD'), head)
  t.equal(git('tag', '--list'), '')
})

t.test('each version that differs is named, with its place', async (t) => {
  const { commit, read, release, write } = repository(t)
  const places: Array<[path: string, text: string]> = [
    ['package-lock.json', `"version": "${version}"`],
    ['Cargo.toml', `version = "${version}"`],
    ['Cargo.lock', `name = "tabcast-bindings"\nversion = "${version}"`],
    ['clients/typescript/package.json', `"version": "${version}"`],
    ['clients/python/pyproject.toml', `version = "${version}"`],
    ['clients/python/build_wheel.py', `"tabcast", "${version}"`],
    ['clients/python/src/tabcast/__init__.py', `__version__ = "${version}"`],
    ['deploy/helm/tabcast/Chart.yaml', `appVersion: ${version}`],
    ['deploy/compose.yaml', `tabcast:${version}`],
    ['deploy/.env.example', `IMAGE=tabcast:${version}`],
    ['deploy/Dockerfile.package', `PACKAGE=tabcast-${version}`],
    ['docs/operate/deploy.md', `tabcast-${version}-linux`]
  ]
  for (const [path, text] of places) {
    t.ok(read(path).includes(text), path)
    write(path, read(path).replace(text, text.replace(version, '9.9.9')))
  }
  commit()
  const { status, stderr } = release('check')
  t.equal(status, 1)
  t.equal(stderr.split('\n').filter((line) => line.startsWith('- ')).length, places.length)
  for (const [path] of places) {
    t.match(stderr, `- ${path} has the version 9.9.9, and package.json ${version}: write the same in both\n`)
  }
  write('clients/python/pyproject.toml', '[project]\n')
  commit()
  t.match(release('check').stderr, '- clients/python/pyproject.toml has no version where scripts/release-versions.mjs')
  write('package.json', read('package.json').replace(`"version": "${version}"`, '"version": "1.0.0-rc.1"'))
  commit()
  t.match(release('check').stderr, 'package.json has the version 1.0.0-rc.1: write three numbers')
})

t.test('the changelog tells users of the release, and of no other', async (t) => {
  const problems = (text: string) => changelogProblems(text, '1.2.0', '2026-11-26')
  const unreleased = '# Changelog\n\n## [Unreleased]\n'
  const section = '## [1.2.0] - 2026-11-26\n- Forecasts.\n'
  t.strictSame(problems(`${unreleased}\n### Added\n\n${section}\n## [1.1.0] - 2026-01-01\n- More.\n`), [])
  t.match(problems(section), [/does not begin with `## \[Unreleased\]`: write/])
  t.match(problems(`${unreleased}- New.\n${section}`), [/has lines under Unreleased: move them to the section 1\.2\.0/])
  t.match(problems(unreleased), [
    /has no release below Unreleased, and not 1\.2\.0: write `## \[1\.2\.0\] - 2026-11-26`/
  ])
  t.match(problems(`${unreleased}\n## [1.1.0] - 2026-01-01\n- More.\n`), [
    /has 1\.1\.0 below Unreleased, and not 1\.2\.0/
  ])
  t.match(problems(`${unreleased}\n## [1.2.0] - 2026-11-26\n### Added\n`), [/says nothing of 1\.2\.0: write/])
  for (const date of ['', ' - soon', ' - 2026-11-27', ' - 2026-02-30', ' - 26.11.2026']) {
    t.match(problems(`${unreleased}\n## [1.2.0]${date}\n- Forecasts.\n`), [/no day of today or before for 1\.2\.0/],
      date)
  }
  const { commit, release, write } = repository(t)
  write('CHANGELOG.md', unreleased)
  commit()
  t.match(release('check'), { status: 1, stderr: `write \`## [${version}] - ${today}\` there` })
})

t.test('the changelog of this repository has a short section for each release', async (t) => {
  const [unreleased, ...releases] = changelogSections(readFileSync('CHANGELOG.md', 'utf8'))
  t.equal(unreleased?.name, 'Unreleased')
  t.ok(releases.length > 0)
  for (const { name, date, text } of releases) {
    t.match(date, /^\d{4}-\d\d-\d\d$/, name)
    t.ok(text.split('\n').length <= 40, `${name}: ${text.split('\n').length} lines`)
  }
})

t.test('no tag without the baseline and a package of the commit', async (t) => {
  const { git, pack, release } = repository(t)
  const refusal = 'dist-package has no package of this commit'
  t.match(release('tag'), {
    status: 1,
    stderr: /openapi-released\.json is not src\/api\/openapi\.json: run [^]*baseline/
  })
  pack(git('rev-parse', 'HEAD'))
  release('baseline')
  t.match(release('tag'), { status: 1, stderr: refusal }, 'the package is of the commit before')
  t.equal(git('tag', '--list'), '')
  pack(git('rev-parse', 'HEAD'))
  t.match(release('tag'), { status: 0 })
})

t.test('an interface that breaks clients of the last release is refused, with what breaks', async (t) => {
  const released = JSON.parse(readFileSync('src/api/openapi-released.json', 'utf8')) as {
    paths: Record<string, unknown>
  }
  released.paths['/gone'] = { get: { responses: { 200: { description: 'OK' } } } }
  const path = join(t.testdir({ 'released.json': JSON.stringify(released) }), 'released.json')
  t.match(await runTabcast(['openapi', '--against', path]), { status: 1, stdout: /^GET \/gone/m })
  t.match(await runTabcast(['openapi', '--against', 'src/api/openapi-released.json']), { status: 0 })
})

t.test('what the baseline cannot do is said before anything changes', async (t) => {
  const { commit, git, read, release, write } = repository(t)
  write('src/api/meant-breaks.ts', 'export const others = []\n')
  commit()
  t.match(release('baseline'), { status: 1, stderr: 'src/api/meant-breaks.ts has no list meantBreaks' })
  t.equal(git('status', '--porcelain'), '')
  t.equal(read('src/api/openapi-released.json'), '{}\n')
  t.match(release('publish'), { status: 2, stderr: 'usage: release.mjs check | baseline | tag' })
})
