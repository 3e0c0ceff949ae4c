// A shared cache in front of a test server, by RFC 9111, without authorization.
import type { World } from '#server/testing/world.ts'

interface Stored {
  readonly body: string
  readonly etag: string | undefined
  /** Until when it is fresh, ms. */
  until: number
}

export interface CachedReply {
  readonly status: number
  readonly body: string
  /** Whether the server received no request. */
  readonly fromCache: boolean
}

/** For how long a shared cache may use a reply, ms; undefined for one that it may not store (RFC 9111, 3 and 4.2.1). */
export function sharedLifetime(control: string): number | undefined {
  const directives = new Map(
    control.split(',').map((it) => {
      const [name = '', value = ''] = it.trim().split('=')
      return [name, value] as const
    }),
  )
  if (directives.has('private') || directives.has('no-store')) return undefined
  if (directives.has('no-cache')) return 0
  const life = directives.get('s-maxage') ?? directives.get('max-age')
  return life === undefined ? undefined : Number(life) * 1000
}

/** Stores what may be stored, and asks the server again once it is not fresh: a stale reply is never used. */
export function openSharedCache(world: World) {
  const stored = new Map<string, Stored>()
  return async (url: string): Promise<CachedReply> => {
    const before = stored.get(url)
    if (before && world.clock.now < before.until) return { status: 200, body: before.body, fromCache: true }
    const headers = before?.etag === undefined ? {} : { 'if-none-match': before.etag }
    const reply = await world.app.inject({ method: 'GET', url, headers })
    const life = sharedLifetime(`${reply.headers['cache-control']}`)
    const until = world.clock.now + (life ?? 0)
    if (before && reply.statusCode === 304) {
      before.until = until
      return { status: 200, body: before.body, fromCache: false }
    }
    stored.delete(url)
    const etag = reply.headers.etag
    if (life !== undefined && reply.statusCode === 200)
      stored.set(url, { body: reply.body, etag: typeof etag === 'string' ? etag : undefined, until })
    return { status: reply.statusCode, body: reply.body, fromCache: false }
  }
}
