// The server of live connections, as configured by environment variables.
import { expect, test } from 'vitest'
import { EnvError, readEnv } from './env.ts'
import { ownApp, serviceOf } from './realtime.ts'
import { secretsFrom } from '#server/adapters/secrets.ts'

const reverb = { REVERB_APP_ID: '1', REVERB_APP_KEY: 'key', REVERB_APP_SECRET: 'secret' }
const pusher = { PUSHER_APP_ID: '2', PUSHER_APP_KEY: 'key', PUSHER_APP_SECRET: 'secret' }
const serviceFrom = (source: Record<string, string>) => serviceOf(readEnv(source))

function sentenceOf(source: Record<string, string>): string {
  try {
    readEnv(source)
    return 'started'
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return error.message
  }
}

test('without a host this server accepts the connections, with a key and secret derived from its own key', () => {
  expect(serviceFrom({})).toBeUndefined()
  expect(serviceFrom(reverb)).toBeUndefined()
  const [one, same, other] = [1, 1, 2].map((n) => ownApp({}, secretsFrom(Buffer.alloc(32, n))))
  expect(one).toEqual(same)
  expect([one?.key, one?.secret]).not.toEqual([other?.key, other?.secret])
  expect(one?.key).toMatch(/^[a-z\d]{20}$/i)
  expect(ownApp(reverb, secretsFrom(Buffer.alloc(32)))).toEqual({ id: '1', key: 'key', secret: 'secret' })
})

test('an external Reverb has https, port 443 and /ws by default', () => {
  expect(serviceFrom({ ...reverb, REVERB_HOST: 'live.example' })).toMatchObject({
    host: 'live.example',
    port: 443,
    https: true,
    browsers: { key: 'key', host: 'live.example', port: null, scheme: 'https', path: '/ws' },
  })
  const plain = { REVERB_HOST: 'live', REVERB_PORT: '6001', REVERB_SCHEME: 'http', REVERB_PATH: '/' }
  expect(serviceFrom({ ...reverb, ...plain })).toMatchObject({
    port: 6001,
    https: false,
    browsers: { port: 6001, scheme: 'http', path: '' },
  })
})

test('the hosts of Pusher follow from its cluster', () => {
  expect(serviceFrom({ ...pusher, PUSHER_APP_CLUSTER: 'ap3' })).toMatchObject({
    host: 'api-ap3.pusher.com',
    browsers: { host: 'ws-ap3.pusher.com', path: '' },
  })
})

test.each([
  { REVERB_APP_KEY: 'key' },
  { REVERB_HOST: 'live.example' },
  pusher,
  { ...reverb, PUSHER_APP_SECRET: 'secret' },
])('the server does not start with an incomplete configuration: %o', (source) => {
  expect(sentenceOf(source)).toMatch(/はそろえて指定してください。$/)
})
