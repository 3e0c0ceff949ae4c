// The reply of a server whose disk is full, and the requests that get it. Same rules as server/.
import { SimBlob, SimForm } from '#sw/sim/browser/bytes.ts'
import { refusal, type Reply, type Request } from './exchange.ts'

export const diskFullReply: Reply = { ...refusal(507, 'storage_full'), headers: { 'Retry-After': '15' } }

/** Whether a request has files: other requests work while the disk is full. */
export function hasFiles({ method, path, body }: Request): boolean {
  if (path.startsWith('/upload-chunking-2')) return ['POST', 'PATCH', 'PUT'].includes(method)
  return body instanceof SimForm && body.entries.some((it) => it.value instanceof SimBlob)
}
