// Health: whether this server can do its work.
import * as v from 'valibot'
import { endpoint } from './endpoint.ts'

export const getHealth = endpoint({
  name: 'getHealth',
  method: 'GET',
  path: '/health',
  audience: 'open',
  summary: 'サーバーの状態',
  reply: v.object({
    status: v.picklist(['ok', 'draining']),
    database: v.picklist(['ok', 'failing']),
    storage: v.picklist(['ok', 'failing']),
    /** `low`: less disk space is free than the server keeps free; uploads wait. */
    room: v.picklist(['ok', 'low']),
    /** What confines the processes that decode files people sent. */
    media_sandbox: v.picklist(['bubblewrap', 'none']),
  }),
  errors: ['unavailable'],
})
