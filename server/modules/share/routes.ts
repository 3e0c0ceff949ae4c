// Routes for other sites and crawlers: share card pictures, robots.txt, the sitemap.
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { pictureRoutes } from './pictures.ts'
import { sitemapRoutes } from './sitemap.ts'

export function shareRoutes(app: FastifyInstance, deps: Deps): void {
  pictureRoutes(app, deps)
  sitemapRoutes(app, deps)
}
