// Security headers: nothing but our own files runs, and files people sent run nothing at all.
import fastifyHelmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'

const self = ["'self'"]
const permissions = 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=(), browsing-topics=()'

export async function guardHeaders(app: FastifyInstance, options: { https: boolean }): Promise<void> {
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        // Pictures are decoded by WebAssembly on the device.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: self,
        imgSrc: ["'self'", 'blob:', 'data:'],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: self,
        fontSrc: self,
        workerSrc: self,
        manifestSrc: self,
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: self,
        objectSrc: ["'none'"],
      },
    },
    hsts: options.https ? { maxAge: 31_536_000 } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginEmbedderPolicy: false,
  })
  // Helmet does not know this one: identity checks use the camera, everything else of the kind stays off.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', permissions)
  })
}

/** For bytes people sent: whatever they are, they stay inert when opened by themselves. */
export function sandbox(reply: FastifyReply): void {
  reply.header('content-security-policy', "default-src 'none'; sandbox")
}
