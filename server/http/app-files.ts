// The built app: hashed files for ever, the shell and the worker always fresh; every other address is the app's own.
import { stat } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type AnswerUnknown, isServers } from './unknown-paths.ts'

const YEAR = 365 * 24 * 3600
const notBuilt = 'アプリがまだ作られていません。npm run build を実行してから、もう一度開いてください。\n'

function cacheRule(file: string): string {
  if (file.startsWith('assets/')) return `public, max-age=${YEAR}, immutable`
  if (file.startsWith('icons/') || file.startsWith('screenshots/')) return 'public, max-age=3600'
  return 'no-cache'
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (it) => it.isFile(),
    () => false,
  )
}

/** A path below `dist`, '' for its root, or undefined when it leads elsewhere. */
function fileOf(url: string): string | undefined {
  try {
    const asked = path.posix.normalize(decodeURIComponent(url.split('?')[0] ?? '/')).replace(/^\/+/, '')
    return asked.includes('\0') || asked.startsWith('..') ? undefined : asked
  } catch {
    return undefined
  }
}

/** @param dist folder of the built app */
export async function serveApp(app: FastifyInstance, dist: string, unknown: AnswerUnknown): Promise<void> {
  await app.register(fastifyStatic, { root: dist, serve: false, suppressWarning: true })
  const shell = async (reply: FastifyReply) => {
    reply.header('cache-control', 'no-cache')
    if (await isFile(path.join(dist, 'index.html'))) {
      return reply.sendFile('index.html', dist, { cacheControl: false })
    }
    return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
  }
  app.get('/*', async (request, reply) => {
    const file = fileOf(request.url)
    if (isServers(request.url) || file === undefined) return unknown(request, reply)
    if (file === '' || file === 'index.html') return shell(reply)
    if (await isFile(path.join(dist, file))) {
      reply.header('cache-control', cacheRule(file))
      return reply.sendFile(file, dist, { cacheControl: false })
    }
    return path.extname(file) === '' ? shell(reply) : unknown(request, reply)
  })
  app.setNotFoundHandler((request, reply) => unknown(request, reply))
}
