// Calls of the API as one of the demo people, without a browser.
import { type Person, sessionOf } from './people.ts'

export interface Api {
  readonly id: string
  readonly name: string
  readonly call: (method: string, path: string, body?: object) => Promise<unknown>
}

/** Signs in. @param url the address of the server */
export async function apiOf(url: string, person: Person): Promise<Api> {
  const { token, user } = await sessionOf(url, person)
  return {
    ...user,
    async call(method, path, body) {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      }
      const answer = await fetch(`${url}/api${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      return answer.json()
    },
  }
}
