// Emails that a server without a relay writes to its data folder.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '#e2e/rig/network/ports.ts'
import type { Server } from '#e2e/rig/network/server.ts'
import { defined } from '#contract/testing/defined.ts'

interface ReceivedEmail {
  readonly to: { readonly email: string }
  readonly subject: string
  readonly text: string
}

/** The emails to an address so far, the newest last. */
export function emailsTo(server: Server, email: string): readonly ReceivedEmail[] {
  const folder = join(server.dataDir, 'mail')
  const names = readdirSync(folder, { withFileTypes: true })
    .map((it) => it.name)
    .filter((it) => it.endsWith('.json'))
  return names
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as ReceivedEmail)
    .filter((it) => it.to.email === email)
}

/** Waits for an email to an address with these words in its subject; the newest one. */
export async function emailTo(server: Server, email: string, subject: string): Promise<ReceivedEmail> {
  const found = async () => {
    try {
      return emailsTo(server, email).findLast((it) => it.subject.includes(subject))
    } catch {
      // The folder is created with the first email.
      return undefined
    }
  }
  return until(found, `an email to ${email} about ${subject}`)
}

/** Path, query and fragment of the first link in an email, which stories open through their proxy. */
export function linkIn({ text = '' }: { readonly text?: string | undefined }): string {
  const { pathname, search, hash } = new URL(defined(/https?:\/\/\S+/.exec(text))[0])
  return pathname + search + hash
}
