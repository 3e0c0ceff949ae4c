// Environment variables of live connections: the app's key and secret, and an external service.
import * as v from 'valibot'
import { REALTIME_PATH } from '#contract/paths.ts'
import type { Realtime } from '#server/adapters/realtime/realtime.ts'
import { openOwnRealtime } from '#server/adapters/realtime/server.ts'
import { type Service, openServiceRealtime } from '#server/adapters/realtime/service.ts'
import type { App } from '#server/adapters/realtime/signature.ts'
import type { RedisCommands } from '#server/adapters/redis.ts'
import type { Topics } from '#server/adapters/topics/topics.ts'
import type { Every } from '#server/adapters/intervals.ts'
import type { Secrets } from '#server/adapters/secrets.ts'

const text = v.optional(v.pipe(v.string(), v.maxLength(200), v.regex(/^[\w.-]*$/)), '')
const host = v.optional(v.pipe(v.string(), v.maxLength(253), v.regex(/^[\w.-]*$/)), '')
const port = v.optional(
  v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(1), v.maxValue(65_535)),
)
const scheme = v.optional(v.picklist(['http', 'https']), 'https')

export const realtimeVariables = {
  REVERB_APP_ID: text,
  REVERB_APP_KEY: text,
  REVERB_APP_SECRET: text,
  REVERB_HOST: host,
  REVERB_PORT: port,
  REVERB_SCHEME: scheme,
  REVERB_PATH: v.optional(v.pipe(v.string(), v.maxLength(100), v.regex(/^\/[\w/-]*$/)), REALTIME_PATH),
  PUSHER_APP_ID: text,
  PUSHER_APP_KEY: text,
  PUSHER_APP_SECRET: text,
  PUSHER_APP_CLUSTER: text,
  PUSHER_HOST: host,
  PUSHER_PORT: port,
  PUSHER_SCHEME: scheme,
}

const word = '半角英数字と . _ - で書いてください'
const hostName = '空にするか、ホスト名か IP アドレスにしてください'
const number = '1〜65535 の数字にしてください'
const schemes = 'http か https にしてください'

export const realtimeWanted: Record<keyof typeof realtimeVariables, string> = {
  REVERB_APP_ID: word,
  REVERB_APP_KEY: word,
  REVERB_APP_SECRET: word,
  REVERB_HOST: hostName,
  REVERB_PORT: number,
  REVERB_SCHEME: schemes,
  REVERB_PATH: '/ で始まるパスにしてください',
  PUSHER_APP_ID: word,
  PUSHER_APP_KEY: word,
  PUSHER_APP_SECRET: word,
  PUSHER_APP_CLUSTER: word,
  PUSHER_HOST: hostName,
  PUSHER_PORT: number,
  PUSHER_SCHEME: schemes,
}

type Given = v.InferOutput<v.ObjectSchema<typeof realtimeVariables, undefined>>
type Prefix = 'REVERB' | 'PUSHER'

const appOf = (env: Given, prefix: Prefix): App => ({
  id: env[`${prefix}_APP_ID`],
  key: env[`${prefix}_APP_KEY`],
  secret: env[`${prefix}_APP_SECRET`],
})

/** Sentences about incomplete variables: id, key and secret belong shared, and a service needs them. */
export function wrongOfRealtime(env: Given): string[] {
  return (['REVERB', 'PUSHER'] as const).flatMap((prefix) => {
    const given = Object.values(appOf(env, prefix)).filter((it) => it !== '').length
    const elsewhere = env[`${prefix}_HOST`] !== '' || (prefix === 'PUSHER' && given > 0)
    const placed = prefix === 'REVERB' || env.PUSHER_HOST !== '' || env.PUSHER_APP_CLUSTER !== ''
    if (given === 3 ? !elsewhere || placed : given === 0 && !elsewhere) return []
    const names = ['APP_ID', 'APP_KEY', 'APP_SECRET'].map((it) => `${prefix}_${it}`)
    const place = prefix === 'PUSHER' ? '、PUSHER_HOST か PUSHER_APP_CLUSTER' : ''
    return [`環境変数 ${names.join('・')}${place} はそろえて指定してください。`]
  })
}

/** The external service of live connections; undefined where this server accepts them. */
export function serviceOf(env: Given): Service | undefined {
  const prefix: Prefix | undefined =
    env.REVERB_HOST !== '' ? 'REVERB' : env.PUSHER_APP_KEY !== '' ? 'PUSHER' : undefined
  if (prefix === undefined) return undefined
  const app = appOf(env, prefix)
  const at = env[`${prefix}_SCHEME`]
  const cluster = env.PUSHER_HOST === '' && prefix === 'PUSHER' ? env.PUSHER_APP_CLUSTER : undefined
  const name = env[`${prefix}_HOST`]
  const given = env[`${prefix}_PORT`]
  const path = prefix === 'REVERB' ? env.REVERB_PATH : '/'
  return {
    app,
    host: cluster === undefined ? name : `api-${cluster}.pusher.com`,
    port: given ?? (at === 'https' ? 443 : 80),
    https: at === 'https',
    browsers: {
      key: app.key,
      host: cluster === undefined ? name : `ws-${cluster}.pusher.com`,
      port: given ?? null,
      scheme: at,
      path: path === '/' ? '' : path,
    },
  }
}

/** The app of this server: as configured, else derived from the server's key, so that all servers have the same. */
export function ownApp(env: Partial<Given>, secrets: Secrets): App {
  const { REVERB_APP_ID: id = '', REVERB_APP_KEY: key = '', REVERB_APP_SECRET: secret = '' } = env
  if (key !== '') return { id, key, secret }
  const made = (what: string) => secrets.mac('realtime', what)
  return {
    id: 'todoke',
    key: made('key')
      .replace(/[^a-z\d]/gi, '')
      .slice(0, 20),
    secret: made('secret'),
  }
}

interface OwnParts {
  readonly secrets: Secrets
  readonly clock: () => number
  readonly every: Every
}

/** The given live messages; by default those of this process alone. */
export function givenRealtime(
  given: Realtime | ((secrets: Secrets) => Realtime) | undefined,
  { secrets, clock, every }: OwnParts,
): Realtime {
  if (given === undefined) return openOwnRealtime({ app: ownApp({}, secrets), clock, every })
  return typeof given === 'function' ? given(secrets) : given
}

/**
 * Opens live messages as configured: by a service, or by this server, alone or with others on one Redis.
 * @param connectionChanged called once when the service or Redis is lost, with the error, and once when it is back
 */
export function openRealtime(
  env: Given,
  secrets: Secrets,
  shared: { readonly redis: RedisCommands; readonly topics: Topics } | undefined,
  connectionChanged: (isConnected: boolean, why?: unknown) => void,
): Realtime {
  const service = serviceOf(env)
  if (service) return openServiceRealtime(service, connectionChanged)
  shared?.topics.onChange(connectionChanged)
  return openOwnRealtime({ app: ownApp(env, secrets), clock: Date.now, ...(shared && { shared }) })
}
