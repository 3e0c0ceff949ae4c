// The address of the live connection (specification section 9: path /ws, ports 80 and 443).
import { expect, test } from 'vitest'
import { builtAddress, targetOf } from './address.ts'

const page = (address: string) => {
  const { protocol, hostname, port } = new URL(address)
  return { protocol, hostname, port }
}
const own = { key: 'k', host: null, port: null, scheme: null, path: '/ws' }

test.each([
  ['https://app.example', { host: 'app.example', port: 443, tls: true }],
  ['http://app.example', { host: 'app.example', port: 80, tls: false }],
  ['http://localhost:8787', { host: 'localhost', port: 8787, tls: false }],
])('without a host the connection goes to the page’s own: %s', (address, place) => {
  expect(targetOf(own, page(address))).toEqual({ key: 'k', path: '/ws', ...place })
})

test('a connection to another host uses TLS and the default port unless its scheme is http', () => {
  const here = page('http://localhost:8787')
  const there = { ...own, host: 'live.example' }
  expect(targetOf(there, here)).toMatchObject({ host: 'live.example', port: 443, tls: true })
  expect(targetOf({ ...there, scheme: 'http' }, here)).toMatchObject({ port: 80, tls: false })
  expect(targetOf({ ...there, port: 6001, scheme: 'http' }, here)).toMatchObject({ port: 6001, tls: false })
})

test('a build without a key has no address, so that the server provides it', () => {
  expect(builtAddress({})).toBeUndefined()
  expect(builtAddress({ VITE_REVERB_APP_KEY: '', VITE_REVERB_HOST: 'live.example' })).toBeUndefined()
})

test('values of a build are used, and empty ones are replaced by the defaults', () => {
  const key = { VITE_REVERB_APP_KEY: 'k' }
  const empty = { VITE_REVERB_HOST: '', VITE_REVERB_PORT: '', VITE_REVERB_SCHEME: '', VITE_REVERB_PATH: '' }
  expect(builtAddress({ ...key, ...empty })).toEqual(own)
  const all = {
    ...key,
    VITE_REVERB_HOST: 'live.example',
    VITE_REVERB_PORT: '6001',
    VITE_REVERB_SCHEME: 'http',
    VITE_REVERB_PATH: '/',
  }
  expect(builtAddress(all)).toEqual({ key: 'k', host: 'live.example', port: 6001, scheme: 'http', path: '' })
})
