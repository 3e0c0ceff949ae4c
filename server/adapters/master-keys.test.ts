// The master keys of a data folder and of the environment.
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createSecrets, openKeyFile } from './master-keys.ts'
import { secretsFrom } from './secrets.ts'

const words = Buffer.from('秘密の手紙')
const none = { present: '', others: '' }
const newFolder = () => mkdtemp(path.join(tmpdir(), 'todoke-secrets-'))

test('a first start makes a key that only its user may read; later and concurrent starts use it', async () => {
  const folder = await newFolder()
  const [one, other] = await Promise.all([createSecrets(folder, none), createSecrets(folder, none)])
  const later = await createSecrets(folder, none)
  const sealed = one.seal('letter', words)
  expect(other.open('letter', sealed)).toEqual(words)
  expect(later.open('letter', sealed)).toEqual(words)
  expect((await stat(path.join(folder, 'secret.key'))).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['secret.key'])
})

test('a file of an earlier version, without a line break, is read', async () => {
  const folder = await newFolder()
  await writeFile(path.join(folder, 'secret.key'), Buffer.alloc(32, 1).toString('base64url'))
  const sealed = secretsFrom(Buffer.alloc(32, 1)).seal('letter', words)
  expect((await createSecrets(folder, none)).open('letter', sealed)).toEqual(words)
})

test('with a given key nothing is written', async () => {
  const folder = await newFolder()
  const given = await createSecrets(folder, { present: 'a'.repeat(32), others: '' })
  expect(secretsFrom(Buffer.from('a'.repeat(32))).open('letter', given.seal('letter', words))).toEqual(words)
  expect(await readdir(folder)).toEqual([])
  expect(openKeyFile(folder, { present: 'a'.repeat(32), others: '' })).toBeUndefined()
})

test('given keys may be read besides, among them those of the file', async () => {
  const folder = await newFolder()
  const before = await createSecrets(folder, none)
  const moved = await createSecrets(folder, {
    present: 'a'.repeat(32),
    others: `secret.key, ${'b'.repeat(32)}`,
  })
  expect(moved.keys).toHaveLength(3)
  expect(moved.open('letter', before.seal('letter', words))).toEqual(words)
  const other = secretsFrom(Buffer.from('b'.repeat(32)))
  expect(moved.open('letter', other.seal('letter', words))).toEqual(words)
})

test('rotating makes a new present key and keeps the earlier ones; dropping removes one of those', async () => {
  const folder = await newFolder()
  const before = await createSecrets(folder, none)
  const file = openKeyFile(folder, none)
  expect(await file?.rotate()).toBe(2)
  const after = await createSecrets(folder, none)
  const [present, earlier] = after.keys
  expect(earlier).toEqual(before.keys[0])
  expect(after.open('letter', before.seal('letter', words))).toEqual(words)
  expect((await stat(path.join(folder, 'secret.key'))).mode & 0o777).toBe(0o600)
  // Neither the present key nor an unknown one is dropped.
  expect(await file?.drop(present.fingerprint)).toBeUndefined()
  expect(await file?.drop('0123456789abcdef')).toBeUndefined()
  expect(await file?.drop(before.keys[0].fingerprint)).toBe(1)
  const left = await createSecrets(folder, none)
  expect(left.keys.map((it) => it.fingerprint)).toEqual([present.fingerprint])
  expect(() => left.open('letter', before.seal('letter', words))).toThrow('unable to authenticate')
  expect(await readdir(folder)).toEqual(['secret.key'])
  expect((await readFile(path.join(folder, 'secret.key'), 'utf8')).split('\n')).toHaveLength(2)
})
