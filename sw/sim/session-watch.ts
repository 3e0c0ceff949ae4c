// Checks how sessions end, and that requests of a former person end.
import type { OpenRequest } from './network/network.ts'
import type { World } from './world.ts'

/** A request may continue for this long after a page has signed its person out, ms. */
const ABORT_LIMIT_MS = 1500

export class SessionWatch {
  readonly #world: World
  #person: string | undefined
  #token: string | undefined
  /** Requests that were open when their person signed out or another person signed in. */
  #former: { person: string; requests: OpenRequest[] }[] = []

  constructor(world: World) {
    this.#world = world
  }

  /** Checks the stored session after a transaction. */
  onCommit(): void {
    const { browser, signOutsInProgress, server, network, inspector } = this.#world
    const [session] = browser.disk.rows('session')
    if (!session && this.#token && signOutsInProgress === 0 && server.accepts(this.#token))
      inspector.report('5: a session was ended that the server accepts')
    this.#token = session?.token
    const previous = this.#person
    this.#person = session?.user.id
    if (previous === undefined || previous === this.#person) return
    this.#former.push({ person: previous, requests: [...network.openRequests] })
  }

  /** Begins the time limit of former requests: after a page's message every living page has to abort them. */
  onMessage(): void {
    for (const { person, requests } of this.#former.splice(0))
      this.#world.timeline.after(ABORT_LIMIT_MS, () => this.#check(person, requests))
  }

  #check(person: string, requests: readonly OpenRequest[]): void {
    const { network, server, inspector } = this.#world
    if (this.#person === person) return
    for (const it of requests) {
      const token = (it.request.headers['Authorization'] ?? '').replace('Bearer ', '')
      const continues = network.openRequests.has(it) && !it.aborted && it.page.alive
      if (continues && server.personOf(token) === person)
        inspector.report('5: a request continues after its person has signed out')
    }
  }

  /** The browser has cleared the site's data. */
  onSiteCleared(): void {
    this.#person = undefined
    this.#token = undefined
  }
}
