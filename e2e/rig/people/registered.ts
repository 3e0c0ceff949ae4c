// A new person of one story, whose password or address may change.
import { emailTo, linkIn } from './mail.ts'
import type { Person } from './people.ts'
import type { Server } from '#e2e/rig/network/server.ts'

let count = 0

async function ask<T>(server: Server, path: string, body: object): Promise<T> {
  const answer = await fetch(`${server.url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Registers by the API and answers the letter. */
export async function registerPerson(server: Server): Promise<Person> {
  const person = { email: `own${++count}-${process.pid}@person.example`, password: 'Yuugure-7' }
  const { claim } = await ask<{ claim: string }>(server, '/auth/sign-up', {
    ...person,
    name: '夕暮',
    birth_date: '1999-04-03',
    terms: true,
  })
  const link = linkIn(await emailTo(server, person.email, '登録を完了'))
  const token = new URLSearchParams(link.split('?')[1]).get('token')
  await ask(server, '/auth/sign-up/confirm', { token, claim })
  return person
}

/** The six digits in a letter. */
export function codeIn(letter: { readonly text: string }): string {
  return /\b\d{6}\b/.exec(letter.text)?.[0] ?? ''
}
