import fastify from 'fastify'

/*
 * The yardstick of reads: a Fastify route that does nothing but send the bytes of its first argument.
 * Prints its address and ends when its standard input does.
 */
const [body = ''] = process.argv.slice(2)
const app = fastify()
app.get('/jobs/:id', (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send(body)
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(address + '\n')
process.stdin.resume().on('end', () => process.exit(0))
