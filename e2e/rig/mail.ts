// What came by mail: the letters a server without a relay keeps in its data folder.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './ports.ts'
import type { Server } from './server.ts'

interface Letter {
  readonly to: { readonly email: string }
  readonly subject: string
  readonly text: string
}

function lettersTo(server: Server, email: string): readonly Letter[] {
  const folder = join(server.dataDir, 'mail')
  const names = readdirSync(folder, { withFileTypes: true })
    .map((it) => it.name)
    .filter((it) => it.endsWith('.json'))
  return names
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Letter)
    .filter((it) => it.to.email === email)
}

/** The newest letter to an address whose subject holds these words; waits until it is there. */
export async function letterTo(server: Server, email: string, subject: string): Promise<Letter> {
  const found = async () => {
    try {
      return lettersTo(server, email).findLast((it) => it.subject.includes(subject))
    } catch {
      // Before the first letter there is no folder.
      return undefined
    }
  }
  return until(found, `a letter to ${email} about ${subject}`)
}

/** The path and query of the first link in a letter: stories open it through their own network. */
export function linkIn(letter: Letter): string {
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(letter.text)?.[0] ?? '')
  return pathname + search
}
