// An HTTP server that receives raw PUTs, separate from the product's server.
// It writes the body to a file and syncs it, as the product does with an upload.
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const page = `<!doctype html><input type="file"><script>
document.querySelector('input').addEventListener('change', (event) => {
  setTimeout(() => fetch('/sink', { method: 'PUT', body: event.target.files[0] }), window.startAt - Date.now())
})
</script>`

export interface Sink {
  readonly url: string
  /** Folder of the received bodies. */
  readonly folder: string
  /** Processor time of this process, ms; it does little else while it receives a body. */
  cpu(): number
  close(): void
}

async function storeBody(request: IncomingMessage, file: string): Promise<void> {
  await pipeline(request, createWriteStream(file))
  const handle = await open(file)
  await handle.sync()
  await handle.close()
}

/** Opens the server; it writes each body to a file of a folder. */
export async function openSink(folder: string): Promise<Sink> {
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method !== 'PUT') {
      response.setHeader('content-type', 'text/html').end(page)
      return
    }
    storeBody(request, join(folder, `sink-${Date.now()}`)).then(
      () => response.writeHead(204).end(),
      () => response.writeHead(500).end(),
    )
  }
  const server = createServer(handler)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('the sink does not listen')
  return {
    url: `http://127.0.0.1:${address.port}`,
    folder,
    cpu: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
