// Probes of a supervisor and of a load balancer.
import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { getHealth } from './health.ts'

/** Answered without database and disk: a supervisor restarts a process that does not answer. */
export const getLiveness = endpoint({
  name: 'getLiveness',
  method: 'GET',
  path: '/health/live',
  audience: 'open',
  summary: 'プロセスが動いているか',
  reply: v.object({ status: v.literal('ok') }),
  errors: [],
})

/**
 * Whether a load balancer should send requests to this server: database and storage respond, and it is not about to stop.
 * 503 `unavailable` otherwise.
 */
export const getReadiness = endpoint({
  name: 'getReadiness',
  method: 'GET',
  path: '/health/ready',
  audience: 'open',
  summary: 'このサーバーにリクエストを送ってよいか',
  reply: v.object({ status: v.literal('ok') }),
  errors: ['unavailable'],
})

/** All endpoints about the state of a server; also while it stops they are answered. */
export const healthEndpoints = [getHealth, getLiveness, getReadiness] as const
