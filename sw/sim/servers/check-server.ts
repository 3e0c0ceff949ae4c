// Simulates the server's endpoint for identity checks. Same rules as server/.
// A check seals the uploads that it names; after that they no longer exist.
import type { UploadedBytes } from '#sw/sim/browser/bytes.ts'
import { refusal, type Reply, type Request } from '#sw/sim/network/exchange.ts'

/** Rules that a test may break on purpose. */
export interface CheckRules {
  checkDigest: boolean
  /** A check that is sent again with its key gets the same answer. */
  checkOnce: boolean
}

interface Upload {
  readonly owner: string
  readonly purpose: string
  readonly size: number
  readonly stored: UploadedBytes
}

interface SimCheck {
  id: string
  owner: string
  key: string
  /** Digests of the sealed files. */
  files: string[]
}

export class CheckServer {
  readonly all: SimCheck[] = []
  readonly #rules: CheckRules
  readonly #uploads: Map<string, Upload>
  readonly #leaf: number

  /** @param leaf bytes of one leaf of a digest */
  constructor(rules: CheckRules, uploads: Map<string, Upload>, leaf: number) {
    this.#rules = rules
    this.#leaf = leaf
    this.#uploads = uploads
  }

  answer(request: Request, person: string): Reply {
    const key = request.headers['Idempotency-Key'] ?? ''
    const existing = this.all.find((it) => it.owner === person && it.key === key)
    if (existing && this.#rules.checkOnce) return { status: 200, body: { data: { id: existing.id } } }
    const body = JSON.parse(String(request.body)) as Record<string, { upload_id: string; digest: string }>
    const named = ['front', 'back', 'live'].flatMap((part) => body[part] ?? [])
    const mismatches: Record<string, string> = {}
    for (const { upload_id: id, digest } of named) {
      const upload = this.#uploads.get(id)
      if (!upload && existing) continue
      if (upload?.owner !== person || upload.purpose !== 'identity')
        return refusal(422, 'invalid', { [id]: 'unknown_upload' })
      if (upload.stored.length !== upload.size) return refusal(409, 'upload_incomplete')
      if (this.#rules.checkDigest && upload.stored.digest(this.#leaf) !== digest) mismatches[id] = 'malformed'
    }
    if (Object.keys(mismatches).length > 0) return refusal(422, 'digest_mismatch', mismatches)
    const files = named.map(({ upload_id: id }) => this.#uploads.get(id)?.stored.digest(this.#leaf) ?? '')
    const check = { id: `check-${this.all.length}`, owner: person, key, files }
    this.all.push(check)
    for (const { upload_id: id } of named) this.#uploads.delete(id)
    return { status: 200, body: { data: { id: check.id } } }
  }
}
