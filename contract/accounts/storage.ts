// Storage of a person: bytes on the server, and the limit.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'

const bytes = v.pipe(v.number(), v.integer(), v.minValue(0))

/**
 * What a person sent and the server still has, in bytes; an unfinished upload counts with its announced length. Above
 * `limit` further files are refused with `storage_limit`.
 */
export const getStorage = endpoint({
  name: 'getStorage',
  method: 'GET',
  path: '/user/storage',
  audience: 'member',
  whileLeaving: true,
  summary: '保存容量の使用量と上限（バイト）',
  reply: v.object({ used: bytes, limit: bytes }),
  errors: ['unauthenticated'],
})
