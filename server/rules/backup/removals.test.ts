// When objects are removed: at once, or once no backup needs them.
import { describe, expect, test } from 'vitest'
import { removalDue } from './removals.ts'

const DAY = 24 * 3600_000
const NOW = 1_800_000_000_000

describe('an object that is not needed any more', () => {
  test.each(['uploads', 'media', 'exports'] as const)(
    'of %s waits two days longer than the oldest backup is retained',
    (prefix) => {
      expect(removalDue({ prefix }, 14, NOW)).toBe(NOW + 16 * DAY)
      expect(removalDue({ prefix }, 1, NOW)).toBe(NOW + 3 * DAY)
    },
  )

  test.each(['uploads', 'media', 'exports', 'identity', 'identity-uploads'] as const)(
    'of %s is removed at once while there are no backups',
    (prefix) => {
      expect(removalDue({ prefix }, 0, NOW)).toBeUndefined()
    },
  )

  test('of an identity check is removed at once, encrypted or as it was sent', () => {
    expect(removalDue({ prefix: 'identity' }, 14, NOW)).toBeUndefined()
    expect(removalDue({ prefix: 'identity-uploads' }, 14, NOW)).toBeUndefined()
    const upload = { isFinished: true, isDocument: true }
    expect(removalDue({ prefix: 'uploads', upload }, 14, NOW)).toBeUndefined()
  })

  test('is removed at once when its last byte never arrived', () => {
    const of = (isFinished: boolean) =>
      removalDue({ prefix: 'uploads', upload: { isFinished, isDocument: false } }, 14, NOW)
    expect([of(false), of(true)]).toEqual([undefined, NOW + 16 * DAY])
  })
})
