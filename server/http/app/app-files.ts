// Serves the built app: hashed files are cached for ever, shell and worker never.
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_NOT_FOUND } from '#contract/pages.ts'
import { storeAssets } from '#server/adapters/files/earlier-assets.ts'
import { wantsPage } from '#server/http/failures/error-page.ts'
import { type HandleUnknownPath, isAdminPage, isServerPath } from '#server/http/unknown-paths.ts'

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

/** The path inside `dist`, '' for its root, or undefined when the URL leads outside. */
function fileOf(url: string): string | undefined {
  try {
    const requested = path.posix.normalize(decodeURIComponent(url.split('?')[0] ?? '/')).replace(/^\/+/, '')
    return requested.includes('\0') || requested.startsWith('..') ? undefined : requested
  } catch {
    return undefined
  }
}

/** The metadata of a page for clients without scripts, and whether the page exists. */
export type DescribePage = (path: string, shell: string) => Promise<{ status: 200 | 404; html: string }>

/** Sends a page with an etag; for an unchanged page, 304 without a body. */
function sendPage(request: FastifyRequest, reply: FastifyReply, status: 200 | 404, html: string) {
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`
  reply.header('etag', etag)
  // A proxy that compresses the page makes its etag a weak one.
  const known = request.headers['if-none-match']?.replace(/^W\//, '')
  if (status === 200 && known === etag) return reply.code(304).send()
  if (status === 404) reply.raw.statusMessage = PAGE_NOT_FOUND
  return reply.code(status).type('text/html; charset=utf-8').send(html)
}

/** Folder of the built app, and of hashed files of earlier builds ('' for none). */
export interface Built {
  readonly dist: string
  readonly earlierAssets: string
}

/** The folder that has a file; undefined when none has. */
async function folderOf(file: string, { dist, earlierAssets }: Built): Promise<string | undefined> {
  if (await isFile(path.join(dist, file))) return dist
  if (earlierAssets === '' || path.dirname(file) !== 'assets') return undefined
  return (await isFile(path.join(earlierAssets, path.basename(file)))) ? earlierAssets : undefined
}

export async function serveApp(
  app: FastifyInstance,
  built: Built,
  unknown: HandleUnknownPath,
  introduce: DescribePage,
): Promise<void> {
  const { dist, earlierAssets } = built
  if (earlierAssets !== '') await storeAssets(path.join(dist, 'assets'), earlierAssets, Date.now())
  await app.register(fastifyStatic, { root: dist, serve: false, suppressWarning: true })
  const shell = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-cache')
    const page = await readFile(path.join(dist, 'index.html'), 'utf8').catch(() => undefined)
    if (page === undefined) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
    const requested = request.url.split('?')[0] ?? '/'
    // The worker requests the shell by its file name.
    const { status, html } = await introduce(requested === '/index.html' ? '/' : requested, page)
    if (isAdminPage(requested)) {
      reply.header('cache-control', 'private, no-store')
      if ((request.viewer?.role ?? 'member') === 'member') return sendPage(request, reply, 404, html)
    }
    return sendPage(request, reply, status, html)
  }
  app.get('/*', async (request, reply) => {
    const file = fileOf(request.url)
    if (isServerPath(request.url) || file === undefined) return unknown(request, reply)
    if (file === '' || file === 'index.html') return shell(request, reply)
    const folder = await folderOf(file, built)
    if (folder !== undefined) {
      reply.header('cache-control', cacheRule(file))
      const name = folder === dist ? file : path.basename(file)
      return reply.sendFile(name, folder, { cacheControl: false })
    }
    // A person gets the page of an unknown address, also with a dot (`/help/plan.`); a script or picture does not.
    const isPage = path.extname(file) === '' || wantsPage(request.headers.accept)
    return isPage ? shell(request, reply) : unknown(request, reply)
  })
  app.setNotFoundHandler((request, reply) => unknown(request, reply))
}
