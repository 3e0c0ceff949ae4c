// Checks the session of a device: who ends it, and whether requests of a past person are sent.
import type { UnderWay } from './network/network.ts'
import type { World } from './world.ts'

/** A request may continue for this long after a page has signed its person out, ms. */
const LETS_GO_MS = 1500

export class SessionWatch {
  readonly #world: World
  #person: string | undefined
  #token: string | undefined
  /** Requests that were under way when their person left. */
  #left: { person: string; requests: UnderWay[] }[] = []

  constructor(world: World) {
    this.#world = world
  }

  /** The stored session may have changed. */
  changed(): void {
    const { browser, leaving, server, network, inspector } = this.#world
    const [session] = browser.disk.rows('session')
    if (!session && this.#token && leaving === 0 && server.accepts(this.#token))
      inspector.say('5: a session was ended that the server accepts')
    this.#token = session?.token
    const before = this.#person
    this.#person = session?.user.id
    if (before === undefined || before === this.#person) return
    this.#left.push({ person: before, requests: [...network.open] })
  }

  /** A page says that something has changed: every living page breaks off what it sends for a person who left. */
  said(): void {
    for (const { person, requests } of this.#left.splice(0))
      this.#world.timeline.after(LETS_GO_MS, () => this.#check(person, requests))
  }

  #check(person: string, requests: readonly UnderWay[]): void {
    const { network, server, inspector } = this.#world
    if (this.#person === person) return
    for (const it of requests) {
      const token = (it.request.headers['Authorization'] ?? '').replace('Bearer ', '')
      const goesOn = network.open.has(it) && !it.aborted && it.page.alive
      if (goesOn && server.personOf(token) === person)
        inspector.say('5: a request goes on after its person has signed out')
    }
  }

  /** The browser has cleared everything. */
  cleared(): void {
    this.#person = undefined
    this.#token = undefined
  }
}
