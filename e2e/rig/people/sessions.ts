// Sessions of the rig itself: signing in costs the server a password hash, and a rig asks often.
import { type Person, sessionOf } from './people.ts'

export type Session = Awaited<ReturnType<typeof sessionOf>>

const sessions = new Map<string, Session>()

/** A server that does not know a token treats the request as a visitor's: no refusal would show it. */
async function isKnown(url: string, { token }: Session): Promise<boolean> {
  const answer = await fetch(`${url}/api/auth/session`, { headers: { authorization: `Bearer ${token}` } })
  return answer.ok
}

/** Asks the API as a person; `path` below the API's base. */
export async function getAs(url: string, person: Person, path: string): Promise<Response> {
  const { token } = await sessionFor(url, person)
  return fetch(`${url}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
}

/**
 * The session of a person on the server of this address, opened at the first asking, and again when a story has ended
 * it or another server has taken the port.
 */
export async function sessionFor(url: string, person: Person): Promise<Session> {
  const key = `${url} ${person.email}`
  const stored = sessions.get(key)
  if (stored && (await isKnown(url, stored))) return stored
  const session = await sessionOf(url, person)
  sessions.set(key, session)
  return session
}
