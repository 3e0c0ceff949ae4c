// Routes that answer a visitor. A route that is not listed here must answer 401.

/**
 * Method and path of each route open to a visitor, with the reason. Paths are as Fastify registers them. A new route
 * without a session check fails `server/visitors.test.ts` until it is listed.
 */
export const openRoutes: Readonly<Record<string, string>> = {
  'GET /api/health': 'monitoring',
  'GET /api/operator': 'legal information',
  'POST /api/auth/sign-up': 'creates an account',
  'POST /api/auth/sign-up/resend': 'creates an account',
  'POST /api/auth/sign-up/confirm': 'creates an account',
  'POST /api/auth/sign-in': 'opens a session',
  'POST /api/auth/sign-in/passkey/challenge': 'opens a session',
  'POST /api/auth/sign-in/passkey': 'opens a session',
  'POST /api/auth/reset': 'resets a forgotten password',
  'POST /api/auth/reset/code': 'resets a forgotten password',
  'POST /api/auth/reset/password': 'resets a forgotten password',
  'POST /api/user/deletion/undo': 'the link in the letter about a deletion',
  'GET /api/media/:media_id/:variant': 'media of open posts and pictures of people (decision 025)',
  'GET /api/media/:media_id/hls/:file': 'media of open posts (decision 025)',
  'GET /api/share/post/:id.jpg': 'share cards (decision 026)',
  'GET /api/share/profile/:id.jpg': 'share cards (decision 026)',
  'GET /api/openapi.json': 'description of the API',
  'GET /api/docs': 'description of the API',
  'GET /api/docs/json': 'description of the API',
  'GET /api/docs/yaml': 'description of the API',
  'GET /api/docs/static/*': 'description of the API',
  'GET /api/docs/static/index.html': 'description of the API',
  'GET /api/docs/static/swagger-initializer.js': 'description of the API',
  'GET /robots.txt': 'crawlers',
  'GET /sitemap.xml': 'crawlers',
  'GET /sitemap/:name.xml': 'crawlers',
  'GET /': 'the built app',
  'GET /*': 'the built app',
  'POST /share-target': 'leads to the editor when the service worker is not there (decision 038)',
  'GET /dev/mail': 'letters of a development server; production has no such route',
  'GET /dev/mail/style.css': 'as above',
  'GET /dev/mail/:id': 'as above',
  'GET /dev/mail/:id/html': 'as above',
}
