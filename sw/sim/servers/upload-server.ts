// Resumable uploads of the simulated server. Same rules as server/.
import { UploadedBytes, type SimBlob } from '#sw/sim/browser/bytes.ts'
import { refusal, type Reply, type Request } from '#sw/sim/network/exchange.ts'

export interface SimUpload {
  owner: string
  /** The purpose that the client named; '' for a post. */
  purpose: string
  size: number
  stored: UploadedBytes
  /** How often the hook has run. */
  hookRuns: number
}

export interface UploadRules {
  checkOwner: boolean
}

export class UploadServer {
  readonly all = new Map<string, SimUpload>()
  readonly #rules: UploadRules
  readonly #isHeld: (id: string) => boolean

  /** @param isHeld whether a post has the upload */
  constructor(rules: UploadRules, isHeld: (id: string) => boolean) {
    this.#rules = rules
    this.#isHeld = isHeld
  }

  /**
   * @param share part of a PATCH body that arrived, 0..1; the server stores that part
   * @param count requests that the whole server has answered
   */
  answer(request: Request, id: string | undefined, person: string, share: number, count: number): Reply {
    if (!id) return this.#create(request, person)
    const upload = this.all.get(id)
    if (!upload || (this.#rules.checkOwner && upload.owner !== person)) return refusal(404, 'not_found')
    const state = {
      'Upload-Offset': String(upload.stored.length),
      'Upload-Length': String(upload.size),
      'Tus-Resumable': '1.0.0',
    }
    if (request.method === 'HEAD') return { status: 200, headers: state }
    if (request.method === 'DELETE') {
      if (this.#isHeld(id)) return refusal(423, 'upload_held')
      this.all.delete(id)
      return { status: 204 }
    }
    const bytes = request.body as SimBlob
    if (Number(request.headers['Upload-Offset']) !== upload.stored.length)
      return { ...refusal(409, 'offset_mismatch'), headers: state }
    upload.stored.add(bytes, Math.floor(bytes.size * share))
    if (upload.stored.length === upload.size) upload.hookRuns += count % 3
    return { status: 204, headers: { ...state, 'Upload-Offset': String(upload.stored.length) } }
  }

  #create(request: Request, person: string): Reply {
    const metadata = Object.fromEntries(
      (request.headers['Upload-Metadata'] ?? '').split(',').map((pair) => {
        const [key, value] = pair.split(' ')
        return [key, Buffer.from(value ?? '', 'base64').toString()]
      }),
    )
    const id = String(metadata['id'])
    const known = this.all.get(id)
    if (known) return known.owner === person ? refusal(409, 'upload_exists') : refusal(404, 'not_found')
    this.all.set(id, {
      owner: person,
      purpose: String(metadata['purpose'] ?? ''),
      size: Number(request.headers['Upload-Length']),
      stored: new UploadedBytes(),
      hookRuns: 0,
    })
    return { status: 201, headers: { Location: `/upload-chunking-2/${id}`, 'Tus-Resumable': '1.0.0' } }
  }
}
