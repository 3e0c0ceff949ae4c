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
  /** Whether the server announces numbered parts. */
  takesParts: boolean
}

export class UploadServer {
  readonly all = new Map<string, SimUpload>()
  readonly #rules: UploadRules
  readonly #isHeld: (id: string) => boolean
  readonly #partBytes: number

  /**
   * @param isHeld whether a post has the upload
   * @param partBytes bytes of a part
   */
  constructor(rules: UploadRules, isHeld: (id: string) => boolean, partBytes: number) {
    this.#rules = rules
    this.#isHeld = isHeld
    this.#partBytes = partBytes
  }

  /**
   * @param rest the path after that of all uploads: the upload's id, and what is asked of it
   * @param share part of the body that arrived, 0..1; the server stores that part
   * @param count requests that the whole server has answered
   */
  answer(request: Request, rest: readonly string[], person: string, share: number, count: number): Reply {
    const [id, area, no] = rest
    if (!id) return this.#create(request, person)
    const upload = this.all.get(id)
    if (!upload || (this.#rules.checkOwner && upload.owner !== person)) return refusal(404, 'not_found')
    if (area === 'parts') return this.#answerParts(request, upload, { no, share, count })
    const state = {
      'Upload-Offset': String(upload.stored.offset),
      'Upload-Length': String(upload.size),
      'Tus-Resumable': '1.0.0',
      ...this.#announcement(upload),
    }
    if (request.method === 'HEAD') return { status: 200, headers: state }
    if (request.method === 'DELETE') {
      if (this.#isHeld(id)) return refusal(423, 'upload_held')
      this.all.delete(id)
      return { status: 204 }
    }
    const bytes = request.body as SimBlob
    const { offset } = upload.stored
    if (Number(request.headers['Upload-Offset']) !== offset)
      return { ...refusal(409, 'offset_mismatch'), headers: state }
    upload.stored.add(bytes, offset, Math.floor(bytes.size * share))
    if (upload.stored.length === upload.size) upload.hookRuns += count % 3
    return { status: 204, headers: { ...state, 'Upload-Offset': String(upload.stored.offset) } }
  }

  #announcement({ purpose }: SimUpload): Record<string, string> {
    return this.#rules.takesParts && purpose === '' ? { 'Upload-Parts': String(this.#partBytes) } : {}
  }

  /** Numbered parts: what is stored of each, or bytes of one. */
  #answerParts(
    request: Request,
    upload: SimUpload,
    { no, share, count }: { no: string | undefined; share: number; count: number },
  ): Reply {
    if (!this.#rules.takesParts || upload.purpose !== '') return refusal(400, 'bad_request')
    const { size, stored } = upload
    const partBytes = this.#partBytes
    const parts = Math.ceil(size / partBytes)
    const storedOf = (index: number) =>
      stored.within(index * partBytes, Math.min(size, (index + 1) * partBytes))
    if (request.method === 'GET') {
      const all = Array.from({ length: parts }, (_, index) => storedOf(index))
      return { status: 200, body: { length: size, finished: stored.length === size, stored: all } }
    }
    const index = Number(no) - 1
    if (!(index >= 0 && index < parts)) return refusal(404, 'not_found')
    const bytes = request.body as SimBlob
    const from = Number(request.headers['Upload-Offset'])
    const before = storedOf(index)
    if (from !== before)
      return { ...refusal(409, 'offset_mismatch'), headers: { 'Upload-Offset': String(before) } }
    if (from + bytes.size > Math.min(partBytes, size - index * partBytes)) return refusal(413, 'too_large')
    stored.add(bytes, index * partBytes + from, Math.floor(bytes.size * share))
    if (stored.length === size) upload.hookRuns += count % 3
    return { status: 204, headers: { 'Upload-Offset': String(storedOf(index)) } }
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
    const upload = {
      owner: person,
      purpose: String(metadata['purpose'] ?? ''),
      size: Number(request.headers['Upload-Length']),
      stored: new UploadedBytes(),
      hookRuns: 0,
    }
    this.all.set(id, upload)
    const headers = { Location: `/upload-chunking-2/${id}`, 'Tus-Resumable': '1.0.0' }
    return { status: 201, headers: { ...headers, ...this.#announcement(upload) } }
  }
}
