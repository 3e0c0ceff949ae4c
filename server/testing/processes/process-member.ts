// The member of tests that start the server as a process, and their session.
import { newId } from '#contract/ids.ts'
import { createPasswords } from '#server/adapters/passwords.ts'
import type { Db } from '#server/store/database.ts'
import { addUser } from '#server/store/people/people.ts'

export const member = { email: 'a@example.com', password: 'todoke-1234' }

export async function addProcessMember(db: Db): Promise<void> {
  await addUser(db, {
    id: newId(),
    email: member.email,
    passwordHash: await createPasswords().hash(member.password),
    name: '花',
    birthDate: '1990-01-01',
    createdAt: new Date(),
  })
}

/** Signs the member in. @returns the header of their requests */
export async function signInAt(origin: string): Promise<Record<string, string>> {
  const reply = await fetch(`${origin}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(member),
  })
  const { token } = (await reply.json()) as { token: string }
  return { authorization: `Bearer ${token}` }
}
