// The server as identity checks meet it: the uploads one names are sealed, and are gone after that. Same rules as server/.
import type { UploadedBytes } from '#sw/sim/browser/bytes.ts'
import { refusal, type Reply, type Request } from '#sw/sim/network/exchange.ts'

/** Rules that a test may break on purpose. */
export interface CheckRules {
  checkDigest: boolean
  /** The key of a check decides: sent again it answers the same. */
  checkOnce: boolean
}

interface Sent {
  readonly owner: string
  readonly purpose: string
  readonly size: number
  readonly pile: UploadedBytes
}

interface SimCheck {
  id: string
  owner: string
  key: string
  /** Digests of the files it sealed. */
  files: string[]
}

export class CheckServer {
  readonly all: SimCheck[] = []
  readonly #rules: CheckRules
  readonly #uploads: Map<string, Sent>

  readonly #leaf: number

  /** @param leaf bytes of one leaf of a digest */
  constructor(rules: CheckRules, uploads: Map<string, Sent>, leaf: number) {
    this.#rules = rules
    this.#leaf = leaf
    this.#uploads = uploads
  }

  answer(request: Request, person: string): Reply {
    const key = request.headers['Idempotency-Key'] ?? ''
    const before = this.all.find((it) => it.owner === person && it.key === key)
    if (before && this.#rules.checkOnce) return { status: 200, body: { data: { id: before.id } } }
    const body = JSON.parse(String(request.body)) as Record<string, { upload_id: string; digest: string }>
    const named = ['front', 'back', 'live'].flatMap((part) => body[part] ?? [])
    const differing: Record<string, string> = {}
    for (const { upload_id: id, digest } of named) {
      const upload = this.#uploads.get(id)
      if (!upload && before) continue
      if (upload?.owner !== person || upload.purpose !== 'identity')
        return refusal(422, 'invalid', { [id]: 'unknown_upload' })
      if (upload.pile.length !== upload.size) return refusal(409, 'upload_incomplete')
      if (this.#rules.checkDigest && upload.pile.digest(this.#leaf) !== digest) differing[id] = 'malformed'
    }
    if (Object.keys(differing).length > 0) return refusal(422, 'digest_mismatch', differing)
    const files = named.map(({ upload_id: id }) => this.#uploads.get(id)?.pile.digest(this.#leaf) ?? '')
    const check = { id: `check-${this.all.length}`, owner: person, key, files }
    this.all.push(check)
    for (const { upload_id: id } of named) this.#uploads.delete(id)
    return { status: 200, body: { data: { id: check.id } } }
  }
}
