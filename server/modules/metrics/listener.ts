// A separate listener for scrapes, so that metrics are never on the public port.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { METRICS_PATH } from './route.ts'
import { createScrape, mayScrape } from './scrape.ts'

/** The port of the metrics cannot be opened; the message is for the operator. */
export class MetricsPortInUse extends Error {
  constructor(port: number) {
    super(
      `ポート ${port} を開けません。環境変数 METRICS_PORT を別の番号に、METRICS_HOST をこのサーバーのアドレスにしてください。`,
    )
    this.name = 'MetricsPortInUse'
  }
}

export interface MetricsAddress {
  /** Undefined for no listener; 0 for any free port. */
  readonly port: number | undefined
  readonly host: string
}

/**
 * Listens for scrapes until the app closes. With a token set, scrapes need it here too.
 * @returns its port; undefined for no listener
 * @throws MetricsPortInUse
 */
export async function listenForScrapes(
  app: FastifyInstance,
  deps: Deps,
  { port, host }: MetricsAddress,
): Promise<number | undefined> {
  const scrape = port === undefined ? undefined : createScrape(deps)
  if (port === undefined || !scrape) return undefined
  const server = createServer((request, reply) => {
    if (request.url !== METRICS_PATH || request.method !== 'GET') return void reply.writeHead(404).end()
    if (!mayScrape(request.headers.authorization, deps.settings.metricsToken))
      return void reply.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    scrape.text().then(
      (text) => reply.writeHead(200, { 'content-type': scrape.contentType }).end(text),
      (error: unknown) => {
        app.log.error({ err: error }, 'a scrape failed')
        reply.writeHead(500).end()
      },
    )
  })
  await open(server, port, host)
  app.addHook('onClose', async () => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return typeof address === 'object' ? address?.port : undefined
}

async function open(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch {
    throw new MetricsPortInUse(port)
  }
}
