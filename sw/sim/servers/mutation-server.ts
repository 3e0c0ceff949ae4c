// Simulates the server's endpoints for mutations. Same rules as server/.
// A like or follow is on or off, and a comment is stored once.
import { SEQUENCE_NUMBER_HEADER, readSequenceNumber } from '#contract/mutations/sequence-number.ts'
import { refusal, type Reply, type Request } from '#sw/sim/network/exchange.ts'

/** Rules that a test may break on purpose. */
export interface MutationRules {
  /** A comment sent again with its id is the same comment. */
  commentOnce: boolean
  /** A like or follow is ignored if its sequence number is not greater than the last one. */
  inOrder: boolean
}
export const correctMutationRules: MutationRules = { commentOnce: true, inOrder: true }

export interface SimComment {
  id: string
  author: string
  post: string
  content: string
}

export class MutationServer {
  /** `<person> <target>` of every like and follow that is on. */
  readonly on = new Set<string>()
  readonly comments: SimComment[] = []
  readonly deleted = new Set<string>()
  /** The last sequence number by person, target and source. */
  readonly #last = new Map<string, number>()
  readonly rules: MutationRules

  constructor(rules: MutationRules) {
    this.rules = rules
  }

  /** Answers a mutation; `undefined` for other requests. */
  answer({ method, path, headers, body }: Request, person: string): Reply | undefined {
    const [, kind, id = '', action] =
      /^\/api\/(posts|follows)\/([^/]+)(?:\/(like|comments))?$/.exec(path) ?? []
    if (kind === undefined) return undefined
    if (kind === 'posts' && this.deleted.has(id)) return refusal(404, 'not_found')
    if (action === 'comments') return this.#comment(JSON.parse(String(body)), id, person)
    const name = `${person} ${kind === 'follows' ? 'follow' : 'like post'} ${id}`
    if (this.#isLate(name, headers)) return { status: 200, body: { data: {} } }
    if (method === 'PUT') this.on.add(name)
    else this.on.delete(name)
    return { status: 200, body: { data: {} } }
  }

  #isLate(name: string, headers: Request['headers']): boolean {
    const sequence = readSequenceNumber(headers[SEQUENCE_NUMBER_HEADER] ?? '')
    if (!sequence) throw new Error('a mutation has no sequence number')
    const key = `${name} ${sequence.source}`
    if (this.rules.inOrder && sequence.number <= (this.#last.get(key) ?? -1)) return true
    this.#last.set(key, sequence.number)
    return false
  }

  #comment({ id, content }: { id: string; content: string }, post: string, author: string): Reply {
    const exists = this.comments.some((it) => it.id === id)
    if (!exists || !this.rules.commentOnce) this.comments.push({ id, author, post, content })
    return { status: 200, body: { id } }
  }
}
