// Grants of channels: for the connection they were made for, for one minute, and unchanged.
import { describe, expect, test } from 'vitest'
import { grantOf, readGrant } from './signature.ts'

const app = { id: 'todoke', key: 'key', secret: 'secret' }
const person = { id: '01990000-0000-7000-8000-000000000001', name: '朝' }
const joining = { socketId: '1.2', channel: 'private-x', person, sessionId: 'session', at: 1_000_000 }
const { auth, channel_data = '' } = grantOf(app, joining)
const shown = { socketId: '1.2', channel: 'private-x', auth, channel_data }

describe('a grant', () => {
  test('names the person and session it was made for', () => {
    const granted = { userId: person.id, name: '朝', sessionId: 'session', at: 1_000_000 }
    expect(readGrant(app, shown, 1_000_000)).toEqual({ is: 'good', granted })
  })

  test('is good for a minute, and stale after it', () => {
    expect(readGrant(app, shown, 1_060_000).is).toBe('good')
    expect(readGrant(app, shown, 1_060_001)).toEqual({ is: 'stale' })
  })

  test.each([
    ['another connection', { socketId: '1.3' }],
    ['another channel', { channel: 'private-y' }],
    [
      'another person',
      { channel_data: shown.channel_data.replace('8000-000000000001', '8000-000000000002') },
    ],
    ['another signature', { auth: shown.auth.replace(/.$/, (it) => (it === '0' ? '1' : '0')) }],
    ['no signature', { auth: '' }],
  ])('is wrong for %s, also when it would be stale', (_, change) => {
    expect(readGrant(app, { ...shown, ...change }, 1_000_000)).toEqual({ is: 'wrong' })
    expect(readGrant(app, { ...shown, ...change }, 9_000_000)).toEqual({ is: 'wrong' })
  })
})
