// The routes whose replies a shared cache (a CDN) may use for several readers.

/**
 * Method and path of each such route, as Fastify registers it, with the lifetime in shared caches, s. 0: it asks the server
 * each time. Replies of every other route are `private`, `no-store` or have to be validated.
 */
export const sharedRoutes: Readonly<Record<string, readonly number[]>> = {
  'GET /api/media/:media_id/:variant': [60],
  'GET /api/media/:media_id/hls/:file': [60],
  'GET /api/share/post/:id.jpg': [60],
  'GET /api/share/profile/:id.jpg': [60],
  'GET /heic-sandbox.html': [3600],
  'GET /robots.txt': [3600],
  'GET /sitemap.xml': [3600],
  'GET /sitemap/:name.xml': [3600],
  // Hashed files; icons and screenshots. Pages and the worker are always validated.
  'GET /*': [31_536_000, 3600],
}
