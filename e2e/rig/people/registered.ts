// Registers a person for one story, which may change the password or address.
import { emailTo, linkIn } from './mail.ts'
import type { Person } from './people.ts'
import type { Server } from '#e2e/rig/network/server.ts'

let count = 0

async function post<T>(server: Server, path: string, body: object): Promise<T> {
  const response = await fetch(`${server.url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

/** Registers by the API, and confirms with the link of the email. */
export async function registerPerson(server: Server): Promise<Person> {
  const person = { email: `own${++count}-${process.pid}@person.example`, password: 'Yuugure-7' }
  const { claim } = await post<{ claim: string }>(server, '/auth/sign-up', {
    ...person,
    name: '夕暮',
    birth_date: '1999-04-03',
    terms: true,
  })
  const link = linkIn(await emailTo(server, person.email, '登録を完了'))
  const token = new URLSearchParams(link.split('#')[1]).get('token')
  await post(server, '/auth/sign-up/confirm', { token, claim })
  return person
}

/** The code of six digits in an email. */
export function codeIn(email: { readonly text: string }): string {
  return /\b\d{6}\b/.exec(email.text)?.[0] ?? ''
}
