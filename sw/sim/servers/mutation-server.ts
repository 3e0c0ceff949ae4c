// The server as mutations meet it: switches that are on or off, and comments that are there once. Same rules as server/.
import { SEQUENCE_NUMBER_HEADER, readSequenceNumber } from '#contract/mutations/sequence-number.ts'
import { refusal, type Reply, type Request } from '#sw/sim/network/exchange.ts'

/** Rules that a test may break on purpose. */
export interface MutationRules {
  /** A comment sent again with its id is the same comment. */
  commentOnce: boolean
  /** A switch's request with a number that is not greater than the last one's comes too late. */
  inOrder: boolean
}
export const soundMutationRules: MutationRules = { commentOnce: true, inOrder: true }

export interface SimComment {
  id: string
  author: string
  post: string
  content: string
}

export class MutationServer {
  /** `<person> <what>` of every switch that is on. */
  readonly on = new Set<string>()
  readonly comments: SimComment[] = []
  readonly deleted = new Set<string>()
  /** The last number about each thing, by person, thing and source. */
  readonly #last = new Map<string, number>()
  readonly rules: MutationRules

  constructor(rules: MutationRules) {
    this.rules = rules
  }

  /** Answers a mutation; `undefined` when the request is none. */
  answer({ method, path, headers, body }: Request, person: string): Reply | undefined {
    const [, kind, id = '', what] = /^\/api\/(posts|follows)\/([^/]+)(?:\/(like|comments))?$/.exec(path) ?? []
    if (kind === undefined) return undefined
    if (kind === 'posts' && this.deleted.has(id)) return refusal(404, 'not_found')
    if (what === 'comments') return this.#comment(JSON.parse(String(body)), id, person)
    const name = `${person} ${kind === 'follows' ? 'follow' : 'like post'} ${id}`
    if (this.#isLate(name, headers)) return { status: 200, body: { data: {} } }
    if (method === 'PUT') this.on.add(name)
    else this.on.delete(name)
    return { status: 200, body: { data: {} } }
  }

  #isLate(name: string, headers: Request['headers']): boolean {
    const given = readSequenceNumber(headers[SEQUENCE_NUMBER_HEADER] ?? '')
    if (!given) throw new Error('an act without a number')
    const key = `${name} ${given.source}`
    if (this.rules.inOrder && given.number <= (this.#last.get(key) ?? -1)) return true
    this.#last.set(key, given.number)
    return false
  }

  #comment({ id, content }: { id: string; content: string }, post: string, author: string): Reply {
    const before = this.comments.some((it) => it.id === id)
    if (!before || !this.rules.commentOnce) this.comments.push({ id, author, post, content })
    return { status: 200, body: { id } }
  }
}
