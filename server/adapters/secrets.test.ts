// The server's secrets: what is sealed opens here alone, and a first start makes them once.
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createSecrets, secretsFrom } from './secrets.ts'

const ours = secretsFrom(Buffer.alloc(32, 1))
const theirs = secretsFrom(Buffer.alloc(32, 2))
const words = Buffer.from('秘密の手紙')

test('what is sealed opens again, and never looks the same twice', () => {
  const sealed = ours.seal('letter', words)
  expect(ours.open('letter', sealed).toString()).toBe('秘密の手紙')
  expect(ours.seal('letter', words)).not.toBe(sealed)
})

test('another key, another purpose, a changed byte or a cut open nothing', () => {
  const sealed = ours.seal('letter', words)
  const changed = Buffer.from(sealed, 'base64url')
  changed[14] = (changed[14] ?? 0) ^ 1
  const refused = 'unable to authenticate'
  expect(() => theirs.open('letter', sealed)).toThrow(refused)
  expect(() => ours.open('identity', sealed)).toThrow(refused)
  expect(() => ours.open('letter', changed.toString('base64url'))).toThrow(refused)
  expect(() => ours.open('letter', sealed.slice(0, 20))).toThrow('too short')
})

test('a mac is known by the key and purpose that made it', () => {
  const mac = ours.mac('mail-code', '123456')
  expect(ours.isMac('mail-code', '123456', mac)).toBe(true)
  expect(ours.isMac('mail-code', '123457', mac)).toBe(false)
  expect(ours.isMac('password-reset', '123456', mac)).toBe(false)
  expect(theirs.isMac('mail-code', '123456', mac)).toBe(false)
  expect(ours.isMac('mail-code', '123456', '')).toBe(false)
})

test('macs that are out in the world stay good: the same key and text always make the same one', () => {
  expect(ours.mac('media', 'x')).toBe('BCce9e3FCRR1qxaQY3ROXYqAgZf2wAvIGqbIDOpkbDg')
})

test('a first start makes a key that only its user may read; every later one, and one beside it, has the same', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-secrets-'))
  const [one, other] = await Promise.all([createSecrets(folder, ''), createSecrets(folder, '')])
  const later = await createSecrets(folder, '')
  const sealed = one.seal('letter', words)
  expect(other.open('letter', sealed)).toEqual(words)
  expect(later.open('letter', sealed)).toEqual(words)
  expect((await stat(path.join(folder, 'secret.key'))).mode & 0o777).toBe(0o600)
  expect((await readFile(path.join(folder, 'secret.key'), 'utf8')).length).toBe(43)
})

test('a given key is used, and nothing is written', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-secrets-'))
  const given = await createSecrets(folder, 'a'.repeat(32))
  expect(secretsFrom(Buffer.from('a'.repeat(32))).open('letter', given.seal('letter', words))).toEqual(words)
  await expect(stat(path.join(folder, 'secret.key'))).rejects.toThrow('ENOENT')
})
