// Health: whether this server can do its work.
import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { instant } from './ids.ts'

/**
 * What confines the processes that decode files people sent. `unknown`: no test has ended yet, or no server that makes media has
 * reported within a minute.
 */
export const sandboxStates = ['bubblewrap', 'none', 'unknown'] as const

/**
 * Whether the mail relay accepts this server. `refused`: it replies, and does not. `off`: emails stay in the data folder. `unknown`: the first
 * check has not ended.
 */
export const mailStates = ['ok', 'refused', 'unreachable', 'off', 'unknown'] as const

export const getHealth = endpoint({
  name: 'getHealth',
  method: 'GET',
  path: '/health',
  audience: 'open',
  summary: 'サーバーの状態',
  reply: v.object({
    /** `failing`: the database is damaged, so that some requests fail until a backup is restored. */
    status: v.picklist(['ok', 'draining', 'failing']),
    /** `failing`: it is damaged. One that does not reply makes the whole reply `unavailable`. */
    database: v.picklist(['ok', 'failing']),
    storage: v.picklist(['ok', 'failing']),
    /** `low`: less disk space is free than the server reserves; uploads wait. */
    room: v.picklist(['ok', 'low']),
    /** Where media are made: on this server, or else on the others, of which the worst counts. */
    media_sandbox: v.picklist(sandboxStates),
    /** Without influence on `status`: emails wait until the relay accepts them. A server of an earlier version does not send it. */
    mail: v.optional(v.picklist(mailStates)),
    /** Without influence on `status`. `practice`: buyers pay nothing. A server of an earlier version does not send it. */
    payments: v.optional(v.picklist(['real', 'practice', 'off'])),
    /** Whether posts can be bought and plans joined now. A server of an earlier version does not send it. */
    sales: v.optional(v.picklist(['open', 'paused'])),
    /** When database and storage were last checked; at most once a second. */
    checked_at: instant,
    /** A check is running without a result yet: this is the previous result. */
    stale: v.boolean(),
    /** By how much the server's timers were late within the last ten seconds, ms. */
    event_loop_ms: v.object({ p50: v.number(), p99: v.number(), max: v.number() }),
  }),
  errors: ['unavailable'],
})
