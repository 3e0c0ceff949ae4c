// Faults that are planted between the queue and the server.
import { SimBlob } from './browser/bytes.ts'
import type { Request } from './network/exchange.ts'
import { uuidOf } from './uuid.ts'
import type { Network } from './network/network.ts'
import type { Random } from '#contract/testing/random.ts'
import type { Faults } from './world.ts'

export function plantNetworkFaults(network: Network, faults: Faults, random: Random): void {
  /** Bytes that left the device, by the upload's address. */
  const sent = new Map<string, number>()
  network.intercept = {
    request: (request) => {
      if (request.method === 'PATCH' && request.body instanceof SimBlob)
        sent.set(request.path, Number(request.headers['Upload-Offset']) + request.body.size)
      return faults.freshKeys ? withFreshKey(request, random) : request
    },
    reply: (request, reply) => {
      const { ignoresOffset, ownOffset } = faults
      const serverOffset = reply.headers?.['Upload-Offset']
      if ((!ignoresOffset && !ownOffset) || request.method !== 'HEAD' || serverOffset === undefined)
        return reply
      const offset = String(ignoresOffset ? 0 : (sent.get(request.path) ?? 0))
      return { ...reply, headers: { ...reply.headers, 'Upload-Offset': offset } }
    },
  }
}

function withFreshKey(request: Request, random: Random): Request {
  if (request.path.endsWith('/messages')) {
    const body = { ...(JSON.parse(String(request.body)) as object), id: uuidOf(`id ${random.next()}`) }
    return { ...request, body: JSON.stringify(body) }
  }
  if (!request.headers['Idempotency-Key']) return request
  return { ...request, headers: { ...request.headers, 'Idempotency-Key': uuidOf(`key ${random.next()}`) } }
}
