// Security headers: only the app's own files run, and uploaded files run nothing.
import fastifyHelmet from '@fastify/helmet'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { RealtimeAddress } from '#server/adapters/realtime/realtime.ts'

const self = ["'self'"]
const permissions = 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=(), browsing-topics=()'

/**
 * Origins to which pages may open live connections. In some browsers `'self'` does not include WebSockets.
 * @param publicUrl public address of the app
 */
export function socketOrigins({ host, port, scheme }: RealtimeAddress, publicUrl: string): string[] {
  if (host === null) return [publicUrl.replace(/^http/, 'ws')]
  const at = `${host}${port === null ? '' : `:${port}`}`
  return [`${scheme === 'http' ? 'ws' : 'wss'}://${at}`]
}

interface Guarded {
  readonly https: boolean
  /** Origins of live connections, besides the page's own. */
  readonly sockets: readonly string[]
  /** Other origins to which forms of payment providers are posted. */
  readonly formOrigins?: readonly string[]
}

export async function guardHeaders(app: FastifyInstance, guarded: Guarded): Promise<void> {
  const helmetHeaders = await headersOfHelmet(guarded)
  app.addHook('onRequest', (_request, reply, next) => {
    for (const [name, value] of helmetHeaders) reply.raw.setHeader(name, value)
    // Helmet does not set this one. Identity checks use camera and microphone.
    reply.header('permissions-policy', permissions)
    next()
  })
}

/** Computed once, with a separate application: helmet would build the same headers for every reply. */
async function headersOfHelmet({
  https,
  sockets,
  formOrigins = [],
}: Guarded): Promise<[name: string, value: string][]> {
  const helmetApp = Fastify()
  await helmetApp.register(fastifyHelmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        // Pictures are decoded by WebAssembly on the device.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: self,
        imgSrc: ["'self'", 'blob:', 'data:'],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: [...self, ...sockets],
        fontSrc: self,
        workerSrc: self,
        manifestSrc: self,
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: [...self, ...formOrigins],
        objectSrc: ["'none'"],
        // The page's only policy checks URLs of scripts and workers (`src/lib/trusted-types.ts`); no text becomes HTML.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['default'],
      },
    },
    hsts: https ? { maxAge: 31_536_000 } : false,
    frameguard: { action: 'deny' },
    // Without the path and query of a page, which proxies log: a query may have a secret or words of a search.
    referrerPolicy: { policy: 'strict-origin' },
    crossOriginEmbedderPolicy: false,
  })
  helmetApp.get('/', async (_request, { raw }) => raw.getHeaders())
  return Object.entries((await helmetApp.inject('/')).json<Record<string, string>>())
}

/** For uploaded files: their scripts do not run when a browser opens them as pages. */
export function sandbox(reply: FastifyReply): void {
  reply.header('content-security-policy', "default-src 'none'; sandbox")
}
