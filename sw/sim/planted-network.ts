// Faults that are planted between the queue and the server.
import { SimBlob } from './browser/bytes.ts'
import type { StoredParts } from '#contract/uploads/parts.ts'
import { addsBytes, type Reply, type Request } from './network/exchange.ts'
import { uuidOf } from './uuid.ts'
import type { Network } from './network/network.ts'
import type { Random } from '#contract/testing/random.ts'
import type { Faults } from './world.ts'

export function plantNetworkFaults(network: Network, faults: Faults, random: Random): void {
  /** Bytes that left the device, by the path of the upload or part. */
  const sent = new Map<string, number>()
  network.intercept = {
    request: (request) => {
      if (addsBytes(request) && request.body instanceof SimBlob)
        sent.set(request.path, Number(request.headers['Upload-Offset']) + request.body.size)
      return faults.freshKeys ? withFreshKey(request, random) : request
    },
    reply: (request, reply) => {
      const { ignoresOffset, ownOffset } = faults
      if (!ignoresOffset && !ownOffset) return reply
      const bytesOf = (path: string) => (ignoresOffset ? 0 : (sent.get(path) ?? 0))
      return withOffsets(request, reply, bytesOf)
    },
  }
}

/** A reply that says what the server has, with other numbers. */
function withOffsets({ method, path }: Request, reply: Reply, bytesOf: (path: string) => number): Reply {
  if (method === 'HEAD' && reply.headers?.['Upload-Offset'] !== undefined)
    return { ...reply, headers: { ...reply.headers, 'Upload-Offset': String(bytesOf(path)) } }
  const parts = reply.body as StoredParts | undefined
  if (method !== 'GET' || !parts?.stored) return reply
  return { ...reply, body: { ...parts, stored: parts.stored.map((_, i) => bytesOf(`${path}/${i + 1}`)) } }
}

function withFreshKey(request: Request, random: Random): Request {
  if (request.path.endsWith('/messages')) {
    const body = { ...(JSON.parse(String(request.body)) as object), id: uuidOf(`id ${random.next()}`) }
    return { ...request, body: JSON.stringify(body) }
  }
  if (!request.headers['Idempotency-Key']) return request
  return { ...request, headers: { ...request.headers, 'Idempotency-Key': uuidOf(`key ${random.next()}`) } }
}
