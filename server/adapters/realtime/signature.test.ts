// Grants of channels are valid for one connection, for one minute, and unchanged.
import { describe, expect, test } from 'vitest'
import { grantOf, readGrant } from './signature.ts'

const app = { id: 'todoke', key: 'key', secret: 'secret' }
const person = { id: '01990000-0000-7000-8000-000000000001', name: '朝' }
const request = { socketId: '1.2', channel: 'private-x', person, sessionId: 'session', at: 1_000_000 }
const { auth, channel_data = '' } = grantOf(app, request)
const received = { socketId: '1.2', channel: 'private-x', auth, channel_data }

describe('a grant', () => {
  test('has its person and session', () => {
    const granted = { userId: person.id, name: '朝', sessionId: 'session', at: 1_000_000 }
    expect(readGrant(app, received, 1_000_000)).toEqual({ is: 'good', granted })
  })

  test('is valid for a minute, and stale afterwards', () => {
    expect(readGrant(app, received, 1_060_000).is).toBe('good')
    expect(readGrant(app, received, 1_060_001)).toEqual({ is: 'stale' })
  })

  test.each([
    ['another connection', { socketId: '1.3' }],
    ['another channel', { channel: 'private-y' }],
    [
      'another person',
      { channel_data: received.channel_data.replace('8000-000000000001', '8000-000000000002') },
    ],
    ['another signature', { auth: received.auth.replace(/.$/, (it) => (it === '0' ? '1' : '0')) }],
    ['no signature', { auth: '' }],
  ])('is wrong for %s, also when it would be stale', (_, change) => {
    expect(readGrant(app, { ...received, ...change }, 1_000_000)).toEqual({ is: 'wrong' })
    expect(readGrant(app, { ...received, ...change }, 9_000_000)).toEqual({ is: 'wrong' })
  })
})
