// Simulates the server's endpoint for messages. Same rules as server/.
// A message is stored once by its id, in the order of acceptance, with its sender's finished uploads.
import { refusal, type Reply, type Request } from '#sw/sim/network/exchange.ts'
import { uuidOf } from '#sw/sim/uuid.ts'
import type { SimUpload } from './upload-server.ts'

/** Rules that a test may break on purpose. */
export interface MessageRules {
  /** A message sent again with its id is the same message. */
  messageOnce: boolean
  /** Only complete uploads of the sender, which no other message has, can be part of a message. */
  checkMedia: boolean
  /** The digests of a message are compared with its uploads. */
  checkDigest: boolean
}

export const correctMessageRules: MessageRules = { messageOnce: true, checkMedia: true, checkDigest: true }

export interface SimMessage {
  readonly id: string
  readonly sender: string
  readonly recipient: string
  readonly content: string
  /** Ids of its uploads in their order. */
  readonly media: readonly string[]
}

type SentBody = Pick<SimMessage, 'id' | 'content'> &
  Partial<Pick<SimMessage, 'media'>> & { readonly digests?: readonly string[] }

export class MessageServer {
  /** In the order of acceptance. */
  readonly all: SimMessage[] = []
  /** `<person> <other>`: the first has blocked the second. */
  readonly blocks = new Set<string>()
  readonly #refused = new Set<string>()
  readonly #rules: MessageRules
  readonly #uploads: Map<string, SimUpload>
  readonly #leaf: number

  /** @param leaf bytes of one leaf of a digest */
  constructor(rules: MessageRules, uploads: Map<string, SimUpload>, leaf: number) {
    this.#rules = rules
    this.#uploads = uploads
    this.#leaf = leaf
  }

  has(id: string): boolean {
    return this.all.some((it) => it.id === id)
  }

  /**
   * Whether a message was accepted after a refusal: a late duplicate of its request arrived after the block had ended. The
   * device lists it as refused until the conversation is read again; its person may have given it up.
   */
  wasRefused(id: string): boolean {
    return this.#refused.has(id) && this.has(id)
  }

  /** Whether a message has the upload. */
  holds(uploadId: string): boolean {
    return this.all.some((it) => it.media.includes(uploadId))
  }

  /** The digest of an upload's bytes. */
  digestOf(uploadId: string): string | undefined {
    return this.#uploads.get(uploadId)?.stored.digest(this.#leaf)
  }

  /** Whether the server has every byte of an upload. */
  isWhole(uploadId: string): boolean {
    const upload = this.#uploads.get(uploadId)
    return upload !== undefined && upload.stored.length === upload.size
  }

  /** Answers a message; `undefined` for other requests. */
  answer({ method, path, body }: Request, sender: string): Reply | undefined {
    const [, recipient] = /^\/api\/conversations\/([^/]+)\/messages$/.exec(path) ?? []
    if (recipient === undefined || method !== 'POST') return undefined
    const { id, content, media = [], digests = [] } = JSON.parse(String(body)) as SentBody
    const sent: SimMessage = { id, sender, recipient, content, media }
    const stored = this.#rules.messageOnce ? this.all.find((it) => it.id === id) : undefined
    if (stored) return isSame(stored, sent) ? accepted : refusal(409, 'conflict')
    const denied = this.#rules.checkMedia ? this.#deniedFor(sent) : undefined
    if (denied) return denied
    const wrong = media.filter((it, i) => this.digestOf(it) !== digests[i])
    if (this.#rules.checkDigest && wrong.length > 0)
      return refusal(422, 'digest_mismatch', Object.fromEntries(wrong.map((it) => [it, 'malformed'])))
    if (this.blocks.has(`${recipient} ${sender}`)) {
      this.#refused.add(id)
      return refusal(403, 'forbidden')
    }
    this.all.push(sent)
    return accepted
  }

  #deniedFor({ sender, media }: SimMessage): Reply | undefined {
    for (const id of media) {
      const upload = this.#uploads.get(id)
      if (upload?.owner !== sender || upload.purpose !== '')
        return refusal(422, 'invalid', { media: 'unknown_upload' })
      if (upload.stored.length !== upload.size)
        return refusal(409, 'upload_incomplete', { [id]: 'unknown_upload' })
      if (this.holds(id)) return refusal(409, 'conflict', { [id]: 'unknown_upload' })
    }
    return undefined
  }
}

const accepted: Reply = {
  status: 200,
  body: { conversation_id: uuidOf('conversation'), message: null },
}

const isSame = (a: SimMessage, b: SimMessage): boolean =>
  a.sender === b.sender &&
  a.recipient === b.recipient &&
  a.content === b.content &&
  a.media.join() === b.media.join()
