// Which replies of the resumable protocol are possible, and where an upload can be.
import { expect, test } from 'vitest'
import { RESPONSE_HEADER } from '#contract/response.ts'
import { isPossible, isUploadAddress } from './tus-replies.ts'

const endpoint = 'https://todoke.test/upload-chunking-2'
const ours = { endpoint, size: 10, server: undefined }
const other = { endpoint, size: 10, server: 'specification' } as const
const request = (method: string) => ({ method, url: endpoint, from: 0, bytes: 4 })
const response = (status: number, headers: Record<string, string>) => ({
  status,
  body: '',
  header: (name: string) => headers[name],
})
const OWN = { [RESPONSE_HEADER]: '1' }

test.each([
  ['HEAD', { 'Upload-Offset': '4' }],
  ['PATCH', { 'Upload-Offset': '4' }],
  ['POST', { Location: `${endpoint}/a` }],
])('a success of %s without a header of our server is no answer', (method, headers) => {
  expect(isPossible(ours, request(method), response(200, { ...OWN, ...headers }))).toBe(true)
  expect(isPossible(ours, request(method), response(200, headers))).toBe(false)
})

test('a success of HEAD without an offset is no answer, one of DELETE needs none', () => {
  expect(isPossible(ours, request('HEAD'), response(200, OWN))).toBe(false)
  expect(isPossible(ours, request('DELETE'), response(204, OWN))).toBe(true)
})

test.each([
  [`${endpoint}/a`, true],
  ['/upload-chunking-2/a', true],
  ['/upload-chunking-3/a', false],
  ['/upload-chunking-2', false],
  ['http://[', false],
  ['', false],
  [undefined, false],
])('our server’s upload at %s: %s', (address, is) => {
  expect(isUploadAddress(ours, endpoint, address)).toBe(is)
})

test.each([
  ['https://files.example/u/a', true],
  ['http://files.example/u/a', true],
  ['xhttps://files.example/u/a', false],
  ['ftp://files.example/u/a', false],
  ['http://[', false],
  ['', false],
  [null, false],
])('another server’s upload at %s: %s', (address, is) => {
  expect(isUploadAddress(other, endpoint, address)).toBe(is)
})
