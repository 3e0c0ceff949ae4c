// robots.txt and the sitemap: URLs of public pages.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { API_BASE } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import {
  countOpen,
  listOpenPeople,
  listOpenPosts,
  type PublicPage,
} from '#server/store/posts/public-pages.ts'

const PER_FILE = 5000
const HOUR = 3600

/** Public pages for search engines. */
export const publicPages = [
  '/about',
  '/help',
  '/help/account',
  '/help/general-information',
  '/help/member',
  '/help/notification',
  '/help/plan',
  '/login',
  '/register',
  '/settings/commercial-transactions-act',
  '/settings/privacy-policy',
  '/settings/terms-of-service',
] as const

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>'

const entry = (kind: 'url' | 'sitemap', address: string, changedAt?: Date) =>
  `<${kind}><loc>${address}</loc>${changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ''}</${kind}>`

const list = (kind: 'urlset' | 'sitemapindex', entries: readonly string[]) =>
  `${HEAD}\n<${kind} xmlns="${NAMESPACE}">\n${entries.join('\n')}\n</${kind}>\n`

const send = (reply: FastifyReply, type: string, body: string) =>
  reply.header('cache-control', `public, max-age=${HOUR}`).type(`${type}; charset=utf-8`).send(body)

export function sitemapRoutes(app: FastifyInstance, { db, settings }: Deps): void {
  const { publicUrl } = settings

  app.get('/robots.txt', async (_request, reply) =>
    send(
      reply,
      'text/plain',
      [
        'User-agent: *',
        `Allow: ${API_BASE}/share/`,
        `Disallow: ${API_BASE}/`,
        'Disallow: /post/upload',
        'Disallow: /search',
        '',
        `Sitemap: ${publicUrl}/sitemap.xml`,
        '',
      ].join('\n'),
    ),
  )

  app.get('/sitemap.xml', async (_request, reply) => {
    const open = await countOpen(db)
    const files = (name: string, n: number) =>
      Array.from({ length: Math.ceil(n / PER_FILE) }, (_, i) => `${name}-${i + 1}`)
    const names = ['pages', ...files('posts', open.posts), ...files('profiles', open.people)]
    const entries = names.map((it) => entry('sitemap', `${publicUrl}/sitemap/${it}.xml`))
    return send(reply, 'application/xml', list('sitemapindex', entries))
  })

  app.get<{ Params: { name: string } }>('/sitemap/:name.xml', async (request, reply) => {
    const entries = await entriesOf(request.params.name)
    if (entries.length === 0) throw new ApiError('not_found')
    return send(reply, 'application/xml', list('urlset', entries))
  })

  async function entriesOf(name: string): Promise<string[]> {
    if (name === 'pages') return publicPages.map((it) => entry('url', publicUrl + it))
    const [, kind, number] = /^(posts|profiles)-([1-9]\d{0,5})$/.exec(name) ?? []
    if (kind === undefined) return []
    const page = { offset: (Number(number) - 1) * PER_FILE, limit: PER_FILE }
    const found: PublicPage[] = await (kind === 'posts' ? listOpenPosts(db, page) : listOpenPeople(db, page))
    const folder = kind === 'posts' ? 'post' : 'profile'
    return found.map((it) => entry('url', `${publicUrl}/${folder}/${it.id}`, it.changedAt))
  }
}
