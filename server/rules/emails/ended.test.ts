// Codes and links end with what they open; news do not end.
import { expect, test } from 'vitest'
import type { Email } from '#server/rules/email.ts'
import { endOf } from './ended.ts'

const at = Date.UTC(2026, 10, 28)
const MINUTE = 60_000

test.each<[Email, number | undefined]>([
  [{ is: 'reset_code', code: '1', mailUrl: 'u' }, at + 30 * MINUTE],
  [{ is: 'change_email_code', code: '1' }, at + 30 * MINUTE],
  [{ is: 'confirm_registration', url: 'u' }, at + 24 * 60 * MINUTE],
  [{ is: 'recovery_begun', url: 'u', expires: at + 5 }, at + 5],
  [{ is: 'export_ready', url: 'u', expires: at + 6 }, at + 6],
  [{ is: 'inquiry_confirm', kind: 'contact', number: 1, url: 'u', until: at + 7 }, at + 7],
  [{ is: 'recovery_confirmed', stopUrl: 'u', due: at + 8 }, undefined],
  [{ is: 'deletion_asked', undoUrl: 'u', due: at + 9 }, undefined],
  [{ is: 'password_changed', at }, undefined],
])('%j ends at %s', (email, end) => expect(endOf(email, at)).toBe(end))
