import { spawn } from 'node:child_process'
import { connect, createServer } from 'node:net'

/*
 * A host of its own, in a network namespace that has only a loopback: runs a program, and leads some ports to sockets
 * in the file system, which are the only way out.
 */
const { doors, command } = JSON.parse(process.argv[2])

for (const { port, path } of doors) {
  await new Promise((resolve) => {
    createServer((here) => {
      const there = connect(path)
      for (const socket of [here, there]) {
        socket.on('error', () => undefined).on('close', () => {
          here.destroy()
          there.destroy()
        })
      }
      here.pipe(there)
      there.pipe(here)
    }).listen(port, '127.0.0.1', resolve)
  })
}
const [program, ...args] = command
const child = spawn(program, args, { stdio: 'inherit' })
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code) => process.exit(code ?? 1))
