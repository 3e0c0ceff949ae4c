// The server's secrets: sealing, MACs, and the master key that a first start makes.
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createSecrets, secretsFrom } from './secrets.ts'

const secrets = secretsFrom(Buffer.alloc(32, 1))
const otherSecrets = secretsFrom(Buffer.alloc(32, 2))
const words = Buffer.from('秘密の手紙')

test('sealed bytes can be opened, and are different each time', () => {
  const sealed = secrets.seal('letter', words)
  expect(secrets.open('letter', sealed).toString()).toBe('秘密の手紙')
  expect(secrets.seal('letter', words)).not.toBe(sealed)
})

test('sealed bytes cannot be opened with another key or purpose, or when changed or cut', () => {
  const sealed = secrets.seal('letter', words)
  const changed = Buffer.from(sealed, 'base64url')
  changed[14] = (changed[14] ?? 0) ^ 1
  const refused = 'unable to authenticate'
  expect(() => otherSecrets.open('letter', sealed)).toThrow(refused)
  expect(() => secrets.open('identity', sealed)).toThrow(refused)
  expect(() => secrets.open('letter', changed.toString('base64url'))).toThrow(refused)
  expect(() => secrets.open('letter', sealed.slice(0, 20))).toThrow('too short')
})

test('bytes that were sealed for an owner can be opened for no other, and not without one', () => {
  const sealed = secrets.seal('bank-account', words, 'one')
  expect(secrets.open('bank-account', sealed, 'one').toString()).toBe('秘密の手紙')
  expect(() => secrets.open('bank-account', sealed, 'two')).toThrow('unable to authenticate')
  expect(() => secrets.open('bank-account', sealed)).toThrow('unable to authenticate')
})

test('bytes that earlier versions sealed without an owner can still be opened', () => {
  const sealed = 'cds0SBQp2PPxoK22FV-cZpKxNz_geSTVAUTohqh9F6TDbhWQy_CIy8C0bw'
  expect(secrets.open('letter', sealed).toString()).toBe('秘密の手紙')
})

test('a MAC is valid only for its key, purpose and text', () => {
  const mac = secrets.mac('mail-code', '123456')
  expect(secrets.isMac('mail-code', '123456', mac)).toBe(true)
  expect(secrets.isMac('mail-code', '123457', mac)).toBe(false)
  expect(secrets.isMac('password-reset', '123456', mac)).toBe(false)
  expect(otherSecrets.isMac('mail-code', '123456', mac)).toBe(false)
  expect(secrets.isMac('mail-code', '123456', '')).toBe(false)
})

test('MACs of earlier versions stay valid: the same key and text give the same MAC', () => {
  expect(secrets.mac('media', 'x')).toBe('BCce9e3FCRR1qxaQY3ROXYqAgZf2wAvIGqbIDOpkbDg')
})

test('a first start makes a key that only its user may read; later and concurrent starts use it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-secrets-'))
  const [one, other] = await Promise.all([createSecrets(folder, ''), createSecrets(folder, '')])
  const later = await createSecrets(folder, '')
  const sealed = one.seal('letter', words)
  expect(other.open('letter', sealed)).toEqual(words)
  expect(later.open('letter', sealed)).toEqual(words)
  expect((await stat(path.join(folder, 'secret.key'))).mode & 0o777).toBe(0o600)
  expect((await readFile(path.join(folder, 'secret.key'), 'utf8')).length).toBe(43)
})

test('with a given key nothing is written', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-secrets-'))
  const given = await createSecrets(folder, 'a'.repeat(32))
  expect(secretsFrom(Buffer.from('a'.repeat(32))).open('letter', given.seal('letter', words))).toEqual(words)
  await expect(stat(path.join(folder, 'secret.key'))).rejects.toThrow('ENOENT')
})
