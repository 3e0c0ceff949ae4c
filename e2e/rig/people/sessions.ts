// Cached sessions of the rig, since each sign-in costs the server a password hash.
import { type Person, sessionOf } from './people.ts'

export type Session = Awaited<ReturnType<typeof sessionOf>>

const sessions = new Map<string, Session>()

/** Whether the server knows the session: it treats an unknown token as a visitor, without a refusal. */
async function isKnown(url: string, { token }: Session): Promise<boolean> {
  const response = await fetch(`${url}/api/auth/session`, { headers: { authorization: `Bearer ${token}` } })
  return response.ok
}

/** Sends a GET request as a person. @param path below the API's base */
export async function getAs(url: string, person: Person, path: string): Promise<Response> {
  const { token } = await sessionFor(url, person)
  return fetch(`${url}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
}

/**
 * The cached session of a person on the server of this address. It is opened at the first call, and again when a story
 * has ended it or another server uses the port.
 */
export async function sessionFor(url: string, person: Person): Promise<Session> {
  const key = `${url} ${person.email}`
  const stored = sessions.get(key)
  if (stored && (await isKnown(url, stored))) return stored
  const session = await sessionOf(url, person)
  sessions.set(key, session)
  return session
}
