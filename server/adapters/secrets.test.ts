// The server's secrets: sealing and MACs, by one master key and by two.
import { describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { secretsFrom } from './secrets.ts'

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

describe('with an earlier key', () => {
  const rotated = secretsFrom(Buffer.alloc(32, 2), [Buffer.alloc(32, 1)])

  test('what the earlier key sealed can be opened; new values are sealed by the present one', () => {
    expect(rotated.open('letter', secrets.seal('letter', words))).toEqual(words)
    expect(otherSecrets.open('letter', rotated.seal('letter', words))).toEqual(words)
    expect(() => secrets.open('letter', rotated.seal('letter', words))).toThrow('unable to authenticate')
  })

  test('sealing again replaces what the earlier key sealed, once, for the same owner', () => {
    const resealed = defined(rotated.reseal('seller', secrets.seal('seller', words, 'one'), 'one'))
    expect(otherSecrets.open('seller', resealed, 'one')).toEqual(words)
    expect(rotated.reseal('seller', resealed, 'one')).toBeUndefined()
    expect(() => rotated.reseal('seller', resealed, 'two')).toThrow('unable to authenticate')
  })

  test('MACs are made by the present key, and those of both are valid', () => {
    expect(rotated.mac('media', 'x')).toBe(otherSecrets.mac('media', 'x'))
    expect(rotated.macs('media', 'x')).toEqual([otherSecrets.mac('media', 'x'), secrets.mac('media', 'x')])
    expect(rotated.isMac('media', 'x', secrets.mac('media', 'x'))).toBe(true)
    expect(rotated.isMac('media', 'y', secrets.mac('media', 'x'))).toBe(false)
    expect(secrets.isMac('media', 'x', rotated.mac('media', 'x'))).toBe(false)
  })

  test('keys have names; the same key twice is one', () => {
    const names = [otherSecrets, secrets].map((it) => it.keys[0].fingerprint)
    expect(rotated.keys.map((it) => it.fingerprint)).toEqual(names)
    expect(new Set(names).size).toBe(2)
    expect(names[0]).toMatch(/^[\da-f]{16}$/)
    expect(secretsFrom(Buffer.alloc(32, 1), [Buffer.alloc(32, 1)]).keys).toHaveLength(1)
  })

  test('a retained key verifies MACs of its purpose, and opens nothing', () => {
    const { fingerprint } = secrets.keys[0]
    const derived = rotated.derivedKey(fingerprint, 'audit') ?? Buffer.alloc(0)
    const later = secretsFrom(Buffer.alloc(32, 2))
    later.retain(fingerprint, 'audit', derived)
    expect(later.isMac('audit', 'x', secrets.mac('audit', 'x'))).toBe(true)
    expect(later.mac('audit', 'x')).toBe(otherSecrets.mac('audit', 'x'))
    expect(later.isMac('unsubscribe', 'x', secrets.mac('unsubscribe', 'x'))).toBe(false)
    expect(() => later.open('audit', secrets.seal('audit', words))).toThrow('unable to authenticate')
    expect(later.derivedKey(fingerprint, 'audit')).toBeUndefined()
  })
})
