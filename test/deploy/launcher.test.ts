import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'

/** A folder as a package has it, with this checkout's program, and a PATH in which there is only node. */
function unpacked (t: Test) {
  const folder = t.testdir({ root: {}, path: {}, empty: {}, elsewhere: {} })
  const root = join(folder, 'root')
  copyFileSync('tabcast', join(root, 'tabcast'))
  symlinkSync(resolve('dist'), join(root, 'dist'))
  symlinkSync(process.execPath, join(folder, 'path', 'node'))
  return {
    folder,
    root,
    run: (command: string, env: Record<string, string> = {}) => {
      const { status, stdout, stderr } = spawnSync(command, ['version'], {
        cwd: join(folder, 'elsewhere'),
        env: { PATH: join(folder, 'path'), ...env },
        encoding: 'utf8'
      })
      return { status, stdout, stderr }
    }
  }
}

const version = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version

t.test('the launcher works from another folder and through symbolic links', async (t) => {
  const { folder, root, run } = unpacked(t)
  const started = { status: 0, stdout: version + '\n', stderr: '' }
  t.strictSame(run(join(root, 'tabcast')), started)
  mkdirSync(join(folder, 'a folder'))
  symlinkSync('../root', join(folder, 'a folder', 'current'))
  t.strictSame(run('../a folder/current/tabcast'), started, 'a linked folder, as an installation has it')
  symlinkSync('../a folder/current/tabcast', join(folder, 'path', 'tabcast'))
  t.strictSame(run('tabcast'), started, 'found in PATH')
})

t.test('without node, or with an old one, the launcher says so and is not started again by a supervisor', async (t) => {
  const { folder, root, run } = unpacked(t)
  const missing = run(join(root, 'tabcast'), { PATH: join(folder, 'empty') })
  t.equal(missing.status, 78)
  t.equal(missing.stderr, 'tabcast: node is not in PATH: install Node.js 20.19 or newer\n')
  for (const release of ['18.20.8', '20.18.3']) {
    const preload = join(folder, 'old.cjs')
    writeFileSync(preload, `Object.defineProperty(process.versions, 'node', { value: '${release}' })`)
    const old = run(join(root, 'tabcast'), { NODE_OPTIONS: `--require=${preload}` })
    t.equal(old.status, 78)
    t.match(old.stderr, `Node.js 20.19 or newer is needed, and ${process.execPath} is ${release}`)
    t.equal(old.stdout, '')
  }
})

t.test('in a checkout the launcher runs what was built, or says what builds it', async (t) => {
  const { root, run } = unpacked(t)
  t.strictSame(run(resolve('tabcast')), { status: 0, stdout: version + '\n', stderr: '' })
  rmSync(join(root, 'dist'))
  const unbuilt = run(join(root, 'tabcast'))
  t.match(unbuilt, { status: 78, stdout: '', stderr: /root has no dist\/cli\.js: in a checkout, run make build\n$/ })
})

t.test('the launcher asks for the node that package.json asks for', async (t) => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }
  t.equal(engines.node, '>=20.19')
})

t.test('the launcher has no mistakes that the shell can find', async () => {
  execFileSync('/bin/sh', ['-n', 'tabcast'])
})
