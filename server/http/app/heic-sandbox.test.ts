// The document of heic2any has its own content security policy, unlike every other page.
import { createHash } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { HEIC_SANDBOX_PATH } from '#contract/paths.ts'
import { serveHeicSandbox } from './heic-sandbox.ts'
import { guardHeaders } from '#server/http/security.ts'

const script = 'decode();\n// 変換'
const page = `<!doctype html><html><body><script>${script}</script></body></html>`

async function served(dist: string) {
  const app = Fastify()
  await guardHeaders(app, { https: false, sockets: [] })
  serveHeicSandbox(app, dist)
  app.get('/', async () => 'home')
  return app
}

test('its policy permits only its own script, eval and blob workers, without origin and network', async () => {
  const dist = mkdtempSync(path.join(tmpdir(), 'todoke-sandbox-'))
  writeFileSync(path.join(dist, HEIC_SANDBOX_PATH), page)
  const app = await served(dist)
  const { statusCode, headers } = await app.inject(HEIC_SANDBOX_PATH)
  expect(statusCode).toBe(200)
  const hash = createHash('sha256').update(script).digest('base64')
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; script-src 'sha256-${hash}' 'unsafe-eval'; worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts`,
  )
  expect(headers['x-frame-options']).toBe('SAMEORIGIN')
  expect(headers['set-cookie']).toBeUndefined()

  const home = await app.inject('/')
  const policy = String(home.headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  const wider = ["'unsafe-eval'", 'worker-src blob:', 'frame-src', 'child-src', 'sandbox']
  expect(wider.filter((it) => policy.includes(it))).toEqual([])
})

test('without the document in the build, the reply is not_found', async () => {
  const app = await served(path.join(tmpdir(), 'todoke-no-such-build'))
  const { statusCode, body } = await app.inject(HEIC_SANDBOX_PATH)
  expect(statusCode).toBe(404)
  expect(JSON.parse(body)).toEqual({ error: { code: 'not_found' } })
})
