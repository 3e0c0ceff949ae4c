// The master keys, of the environment or a file in the data folder.
import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { KeyFileUnreadable } from './key-file-unreadable.ts'
import { fingerprintOf, type Secrets, secretsFrom } from './secrets.ts'

/** The file's name, which is also the word for it in SECRET_KEY_OTHERS. */
export const KEY_FILE = 'secret.key'

/** The master keys as the environment gives them; both may be empty. */
export interface GivenKeys {
  /** SECRET_KEY. */
  readonly present: string
  /** SECRET_KEY_OTHERS: keys that are only read, with commas between them; `secret.key` is the file in the data folder. */
  readonly others: string
}

const pathOf = (folder: string) => path.join(folder, KEY_FILE)

/** A key of the file: base64, also of other programs. */
const keyLine = /^[\w+/=-]+$/

/**
 * Lines of the file: the present key, then those that are only read; empty when there is no file.
 * @throws KeyFileUnreadable
 */
async function readKeyFile(folder: string): Promise<string[]> {
  const text = await readFile(pathOf(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (text === undefined) return []
  const lines = text.split('\n').flatMap((it) => (it.trim() === '' ? [] : [it.trim()]))
  if (lines.length === 0 || !lines.every((it) => keyLine.test(it)))
    throw new KeyFileUnreadable(folder, KEY_FILE, '以前のキーで暗号化されたデータは読めなくなります。')
  return lines
}

const bytesOfLine = (line: string) => Buffer.from(line, 'base64url')

const newKeyLine = (): string => randomBytes(32).toString('base64url')

/** Replaces the file by these lines; durable when it resolves, and a crash leaves the old or the new file. */
async function replaceKeyFile(folder: string, lines: readonly string[]): Promise<void> {
  const temporary = await written(folder, lines)
  await rename(temporary, pathOf(folder))
  const directory = await open(folder)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** @returns the path of the complete file under another name */
async function written(folder: string, lines: readonly string[]): Promise<string> {
  const temporary = `${pathOf(folder)}.${randomBytes(6).toString('hex')}`
  await writeFile(temporary, lines.map((it) => `${it}\n`).join(''), { mode: 0o600, flush: true })
  return temporary
}

/** Creates the file with a new key, unless there is one. Concurrent first starts leave one complete key. */
async function createKeyFile(folder: string): Promise<string[]> {
  const temporary = await written(folder, [newKeyLine()])
  await link(temporary, pathOf(folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(temporary)
  return readKeyFile(folder)
}

/** The master keys of the data folder, which commands change. A running server has those of its start. */
export interface KeyFile {
  /** Makes a new key the present one; the earlier ones are only read from then on. @returns how many there are */
  rotate(): Promise<number>
  /** Removes a key that is only read. @returns how many are left; undefined for an unknown or the present key */
  drop(fingerprint: string): Promise<number | undefined>
}

/** @returns undefined when the environment gives the present key */
export function openKeyFile(folder: string, given: GivenKeys): KeyFile | undefined {
  if (given.present !== '') return undefined
  return {
    async rotate() {
      const lines = [newKeyLine(), ...(await readKeyFile(folder))]
      await replaceKeyFile(folder, lines)
      return lines.length
    },
    async drop(fingerprint) {
      const [present, ...earlier] = await readKeyFile(folder)
      const left = earlier.filter((it) => fingerprintOf(bytesOfLine(it)) !== fingerprint)
      if (present === undefined || left.length === earlier.length) return undefined
      await replaceKeyFile(folder, [present, ...left])
      return left.length + 1
    },
  }
}

/** Whether the environment or the data folder has a present key. */
export const hasMasterKey = async (folder: string, given: GivenKeys): Promise<boolean> =>
  given.present !== '' || (await readKeyFile(folder)).length > 0

/** Removes the file of a key by which nothing was encrypted. */
export const removeKeyFile = (folder: string): Promise<void> => rm(pathOf(folder), { force: true })

/**
 * Creates the secrets of a data folder: from the environment's keys if given, else from its file, which is made when it has none.
 * @throws KeyFileUnreadable
 */
export async function createSecrets(folder: string, given: GivenKeys): Promise<Secrets> {
  const words = given.others.split(',').flatMap((it) => (it.trim() === '' ? [] : [it.trim()]))
  const isRead = given.present === '' || words.includes(KEY_FILE)
  const lines = isRead ? await readKeyFile(folder) : []
  const others = words.flatMap((it) => (it === KEY_FILE ? lines.map(bytesOfLine) : [Buffer.from(it)]))
  if (given.present !== '') return secretsFrom(Buffer.from(given.present), others)
  const [present, ...earlier] = lines.length > 0 ? lines : await createKeyFile(folder)
  if (present === undefined) throw new Error(`${KEY_FILE} has no key`)
  return secretsFrom(bytesOfLine(present), [...earlier.map(bytesOfLine), ...others])
}
