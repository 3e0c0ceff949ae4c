// Checks whether a reply of the resumable protocol is possible (tus 1.0.0).
import { type ReceivedResponse, isOwnSuccess, readRefusal, type ServerKind } from '#contract/response.ts'

export interface TusRequest {
  readonly method: string
  readonly url: string
  /** Where the bytes of a PATCH or PUT begin, and how many there are. */
  readonly from: number
  readonly bytes: number
}

export interface TusUpload {
  /** Where uploads are created, absolute. */
  readonly endpoint: string
  /** Bytes. */
  readonly size: number
  readonly server: ServerKind | undefined
}

/**
 * Whether the called server has answered, with an address and an offset that are possible. What it has may have become
 * less than it was; it cannot be more than the whole, and after bytes were sent neither less than before nor more than was sent.
 */
export function isPossible(upload: TusUpload, request: TusRequest, response: ReceivedResponse): boolean {
  const offset = response.header('Upload-Offset')
  if (readRefusal(response, upload.server)) return !offset || isWithin(offset, 0, upload.size)
  if (!isOwnSuccess(response, upload.server)) return false
  switch (request.method) {
    case 'POST':
      return isUploadAddress(upload, request.url, response.header('Location'))
    case 'HEAD':
      return isWithin(offset, 0, upload.size)
    case 'PATCH':
    case 'PUT':
      return isWithin(offset, request.from, request.from + request.bytes)
    default:
      return true
  }
}

function isWithin(offset: string | null | undefined, least: number, most: number): boolean {
  return /^\d{1,15}$/.test(offset ?? '') && Number(offset) >= least && Number(offset) <= most
}

/**
 * Whether an upload can be at this address: below where our server creates them. Another server that speaks only the
 * specification's calls may name any.
 * @param base what a relative address counts from
 */
export function isUploadAddress(
  { endpoint, server }: Pick<TusUpload, 'endpoint' | 'server'>,
  base: string,
  address: string | null | undefined,
): boolean {
  if (!address || !URL.canParse(address, base)) return false
  const at = new URL(address, base)
  if (server === 'specification') return /^https?:$/.test(at.protocol)
  const root = new URL(endpoint)
  const id = at.pathname.startsWith(`${root.pathname}/`) ? at.pathname.slice(root.pathname.length + 1) : ''
  return at.origin === root.origin && /^[^/]+$/.test(id)
}
