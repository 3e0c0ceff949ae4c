// Sessions of the rig itself: signing in costs the server a password hash, and a rig asks often.
import { type Person, sessionOf } from './people.ts'

export type Session = Awaited<ReturnType<typeof sessionOf>>

const sessions = new Map<string, Session>()

/** To a server that does not know it, a token is nobody's, and what it shows is a visitor's: no refusal would tell. */
async function isKnown(url: string, { token }: Session): Promise<boolean> {
  const answer = await fetch(`${url}/api/auth/session`, { headers: { authorization: `Bearer ${token}` } })
  return answer.ok
}

/** Asks the API as a person; `path` below the API's base. */
export async function askAs(url: string, person: Person, path: string): Promise<Response> {
  const { token } = await keptSession(url, person)
  return fetch(`${url}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
}

/**
 * The session of a person on the server of this address, opened at the first asking, and again when a story has ended
 * it or another server has taken the port.
 */
export async function keptSession(url: string, person: Person): Promise<Session> {
  const key = `${url} ${person.email}`
  const kept = sessions.get(key)
  if (kept && (await isKnown(url, kept))) return kept
  const session = await sessionOf(url, person)
  sessions.set(key, session)
  return session
}
