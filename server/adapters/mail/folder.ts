// Mailer for development: every email is a file in the data folder.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Mail, Mailer } from './relay.ts'

export interface StoredMail extends Mail {
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface MailFolder extends Mailer {
  /** Newest first. */
  list(limit: number): Promise<readonly StoredMail[]>
  find(id: string): Promise<StoredMail | undefined>
}

const NAME = /^\d{15}-([\da-f-]{36})\.json$/

/** @param folder created with the first email */
export function createMailFolder(folder: string, clock: () => number): MailFolder {
  const names = async () => {
    const all = await readdir(folder).catch(() => [])
    return all
      .filter((it) => NAME.test(it))
      .toSorted()
      .toReversed()
  }
  const read = async (name: string) =>
    JSON.parse(await readFile(path.join(folder, name), 'utf8')) as StoredMail
  return {
    async send(mail) {
      const at = clock()
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = path.join(folder, `${String(at).padStart(15, '0')}-${mail.id}.json`)
      // Renamed when complete, so that a reader of the folder never finds a part of an email.
      await writeFile(`${file}.part`, `${JSON.stringify({ at, ...mail }, null, 2)}\n`, { mode: 0o600 })
      await rename(`${file}.part`, file)
      return { is: 'sent' }
    },
    close: () => undefined,
    list: async (limit) => Promise.all((await names()).slice(0, limit).map(read)),
    async find(id) {
      const name = (await names()).find((it) => NAME.exec(it)?.[1] === id)
      return name === undefined ? undefined : read(name)
    },
  }
}
