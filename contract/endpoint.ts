// An endpoint as data: source of its route, client call, OpenAPI page and query key.
import type * as v from 'valibot'
import type { Area } from './administration/areas.ts'
import type { ErrorCode } from './errors.ts'

export type Schema = v.GenericSchema

/** Who may call: anyone, a person with a session, or staff whose role has the area. */
export type Audience = 'open' | 'member' | `staff:${Area}`

export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> {
  /** Stable name: operationId in OpenAPI and first part of the query key. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the API base, with `:name` for parameters. */
  readonly path: string
  readonly audience: Audience
  /** A member who waits for their account's deletion may call it too; everything else is closed to them. */
  readonly whileLeaving?: boolean
  /** A suspended person may call it too, by the link of the decision's email (`contract/moderation/records-token.ts`). */
  readonly whileSuspended?: boolean
  /** The device caches the last response for reading offline. Never for data that must not be on a lost device. */
  readonly cached?: true
  readonly summary: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** How the body travels. Multipart text fields are parsed by `body`; `files` names the file parts. */
  readonly encoding?: 'json' | 'multipart' | 'form'
  readonly files?: readonly string[]
  readonly reply: Reply
  /** Error codes of this call beyond those of every call (`bad_request`, `invalid`, `rate_limited`, `internal`…). */
  readonly errors: readonly ErrorCode[]
}

/** Returns an endpoint, typed by its own schemas and name. */
export function endpoint<
  const Params extends Schema,
  const Query extends Schema,
  const Body extends Schema,
  const Reply extends Schema,
  const Name extends string,
>(
  it: Endpoint<Params, Query, Body, Reply> & { readonly name: Name },
): Endpoint<Params, Query, Body, Reply> & { readonly name: Name } {
  return it
}

export type ParamsOf<E> = E extends Endpoint<infer P, Schema, Schema, Schema> ? v.InferInput<P> : never
export type QueryOf<E> = E extends Endpoint<Schema, infer Q, Schema, Schema> ? v.InferInput<Q> : never
export type BodyOf<E> = E extends Endpoint<Schema, Schema, infer B, Schema> ? v.InferInput<B> : never
export type ReplyOf<E> = E extends Endpoint<Schema, Schema, Schema, infer R> ? v.InferOutput<R> : never

/** Fills `:name` in an endpoint's path; values are percent-encoded. */
export function pathOf(path: string, params: Record<string, string> = {}): string {
  return path.replace(/:([a-z_]+)/gi, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new TypeError(`path ${path} has no value for ${name}`)
    return encodeURIComponent(value)
  })
}
