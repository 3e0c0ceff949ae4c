// Connects the runner of mutations in memory to this build's server.
import { API_BASE } from '#contract/paths.ts'
import type { MemoryPage, MemoryRows } from '#device/mutations/memory-rows.ts'
import { createMemoryRunner } from './memory-runner.ts'
import { runtimeCaller, clock } from './runtime-ports.ts'
import type { Fetch } from './ports.ts'
import { createMutationApi } from './requests/mutations.ts'
import type { Runner } from './runner.ts'

/** Longest body that outlives its page: browsers allow 64 KB for all such requests together. */
const KEEPALIVE_CHARS = 2000

const fetchKeepalive: Fetch = (url, init) => {
  const { body } = init
  const isShort = !body || (typeof body === 'string' && body.length <= KEEPALIVE_CHARS)
  return fetch(url, { ...init, keepalive: isShort })
}

/** @param origin what a relative base address is relative to */
export function createConnectedMemoryRunner(
  origin: string,
  rows: MemoryRows,
  { store, session, refused, onReply }: MemoryPage,
): Runner {
  const api = createMutationApi({
    ...runtimeCaller(),
    fetch: fetchKeepalive,
    store: { session: async () => session(), refused },
    api: new URL(import.meta.env['VITE_API_BASE'] ?? API_BASE, origin).href,
    onReply,
    renumber: async () => rows.renewSource(Date.now()),
  })
  return createMemoryRunner({ rows, store, session, api, clock })
}
