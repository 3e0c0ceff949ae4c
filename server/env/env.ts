// Environment variables, parsed once.
import path from 'node:path'
import * as v from 'valibot'
import { databaseVariables, databaseWanted, wrongOfDatabase } from './database.ts'
import { exampleValues } from './examples.ts'
import { helpVariables, helpWanted } from './help.ts'
import { mailVariables, mailWanted, missingOfMail } from './mail.ts'
import { mediaVariables, mediaWanted, wrongOfMedia } from './media.ts'
import { pushVariables, pushWanted, wrongOfPush } from './push.ts'
import { realtimeVariables, realtimeWanted, wrongOfRealtime } from './realtime.ts'
import { s3Variables, s3Wanted, wrongOfS3 } from './s3.ts'
import { roleVariables, roleWanted, wrongOfRole } from './role.ts'
import { traceVariables, traceWanted } from './traces.ts'
import { watchVariables, watchWanted, wrongOfWatch } from './watch.ts'
import { missingOfPayments, paymentVariables, paymentWanted, wrongOfPayments } from './payments.ts'
import { payoutVariables, payoutWanted } from './payouts.ts'
import { missingOfOperator, operatorVariables, operatorWanted } from './operator.ts'
import { KEY_FILE } from '#server/adapters/master-keys.ts'
import { clusterOf, sentinelsOf } from '#server/adapters/redis-urls.ts'
import { compileTrust, type TrustProxy } from '#server/http/client-address.ts'

const flag = v.pipe(
  v.picklist(['1', '0', 'true', 'false', 'on', 'off']),
  v.transform((it) => ['1', 'true', 'on'].includes(it)),
)
const origin = v.pipe(
  v.string(),
  v.url(),
  v.transform((it) => new URL(it).origin),
)
const list = v.pipe(
  v.string(),
  v.transform((it) =>
    it
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
)

const trust = v.pipe(
  v.string(),
  v.rawTransform<string, TrustProxy>(({ dataset, addIssue, NEVER }) => {
    try {
      return compileTrust(dataset.value)
    } catch {
      addIssue({ message: 'TRUST_PROXY' })
      return NEVER
    }
  }),
)

const isMasterKey = (it: string) => it === '' || it === KEY_FILE || it.length >= 32
const masterKeys = v.pipe(
  v.string(),
  v.check((it) => it.split(',').every((key) => isMasterKey(key.trim()))),
)

const count = v.pipe(v.string(), v.digits(), v.transform(Number), v.safeInteger(), v.minValue(1))

const countOrNone = v.pipe(v.string(), v.digits(), v.transform(Number), v.safeInteger())

const variables = {
  PORT: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number), v.maxValue(65_535)), '8787'),
  HOST: v.optional(v.pipe(v.string(), v.nonEmpty()), '127.0.0.1'),
  DATA_DIR: v.optional(
    v.pipe(
      v.string(),
      v.nonEmpty(),
      v.transform((it) => path.resolve(it)),
    ),
    './data',
  ),
  NODE_ENV: v.optional(v.picklist(['development', 'production', 'test']), 'development'),
  SEED_DEMO: v.optional(flag),
  API_DOCS: v.optional(flag),
  LOG_LEVEL: v.optional(v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  PUBLIC_URL: v.optional(origin),
  SECRET_KEY: v.optional(v.union([v.literal(''), v.pipe(v.string(), v.minLength(32))]), ''),
  SECRET_KEY_OTHERS: v.optional(masterKeys, ''),
  TRUST_PROXY: v.optional(trust, '0'),
  GEOIP_DB: v.optional(v.string(), ''),
  CORS_ORIGINS: v.optional(v.pipe(list, v.array(origin)), ''),
  ADMIN_EMAILS: v.optional(
    v.pipe(list, v.array(v.pipe(v.string(), v.email(), v.toLowerCase())), v.maxLength(100)),
    '',
  ),
  RATE_LIMITS: v.optional(flag, '1'),
  DRAIN_SECONDS: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number), v.maxValue(600)), '0'),
  REDIS_URL: v.optional(
    v.union([
      v.literal(''),
      v.pipe(v.string(), v.regex(/^rediss?:\/\//), v.url()),
      v.pipe(
        v.string(),
        v.check((it) => sentinelsOf(it) !== undefined || clusterOf(it) !== undefined),
      ),
    ]),
    '',
  ),
  UPLOADS_PER_PERSON: v.optional(count, '50'),
  UPLOAD_BYTES_PER_PERSON: v.optional(count, String(20 * 1024 ** 3)),
  STORED_BYTES_PER_PERSON: v.optional(count, String(100 * 1024 ** 3)),
  NOTICE_BATCH_SIZE: v.optional(v.pipe(count, v.maxValue(5000)), '500'),
  MIN_FREE_DISK_BYTES: v.optional(countOrNone, String(2 * 1024 ** 3)),
  BACKUP_DAYS: v.optional(v.pipe(countOrNone, v.maxValue(3650)), '0'),
  ...databaseVariables,
  ...helpVariables,
  ...mailVariables,
  ...mediaVariables,
  ...operatorVariables,
  ...payoutVariables,
  ...paymentVariables,
  ...pushVariables,
  ...realtimeVariables,
  ...s3Variables,
  ...roleVariables,
  ...traceVariables,
  ...watchVariables,
}

/** Expected value of each variable, for the message about an invalid one. */
const expected: Record<keyof typeof variables, string> = {
  PORT: '0〜65535 の数字にしてください',
  HOST: 'ホスト名か IP アドレスにしてください',
  DATA_DIR: 'フォルダーのパスにしてください',
  NODE_ENV: 'development・production・test のどれかにしてください',
  SEED_DEMO: '1 か 0 にしてください',
  API_DOCS: '1 か 0 にしてください',
  LOG_LEVEL: 'fatal・error・warn・info・debug・trace・silent のどれかにしてください',
  PUBLIC_URL: 'https:// などで始まる URL にしてください',
  SECRET_KEY: '32文字以上のでたらめな文字列にしてください（例 openssl rand -base64 32）',
  SECRET_KEY_OTHERS:
    '以前の、または次の SECRET_KEY（32文字以上）か secret.key を、カンマで区切って並べてください',
  TRUST_PROXY:
    '前に立つプロキシの数（0〜10）か、信頼するアドレスとネットワーク（例 10.0.0.0/8,loopback）をカンマで区切ったものにしてください',
  GEOIP_DB: '.mmdb ファイルのパスにしてください',
  CORS_ORIGINS: 'オリジン（例 https://app.example）をカンマで区切って並べてください',
  ADMIN_EMAILS: 'メールアドレスをカンマで区切って並べてください',
  RATE_LIMITS: '1 か 0 にしてください',
  DRAIN_SECONDS: '0〜600 の数字（秒）にしてください',
  REDIS_URL:
    '空にするか、redis:// か rediss:// で始まる URL、または redis+sentinel://host:26379,host:26379/名前 か redis+cluster://host:6379,host:6379 の形にしてください',
  UPLOADS_PER_PERSON: '1 以上の数字にしてください',
  NOTICE_BATCH_SIZE: '1〜5000 の数字にしてください',
  UPLOAD_BYTES_PER_PERSON: '1 以上の数字（バイト）にしてください',
  STORED_BYTES_PER_PERSON: '1 以上の数字（バイト）にしてください',
  MIN_FREE_DISK_BYTES: '0 以上の数字（バイト）にしてください',
  BACKUP_DAYS: '0〜3650 の数字（日数。0 はバックアップなし）にしてください',
  ...databaseWanted,
  ...helpWanted,
  ...mailWanted,
  ...mediaWanted,
  ...operatorWanted,
  ...payoutWanted,
  ...paymentWanted,
  ...pushWanted,
  ...realtimeWanted,
  ...s3Wanted,
  ...roleWanted,
  ...traceWanted,
  ...watchWanted,
}

const schema = v.object(variables)

/** Names of all variables of the server, which `deploy/todoke.env.example` lists. */
export const variableNames: readonly string[] = Object.keys(variables)

export type Env = Omit<v.InferOutput<typeof schema>, 'SEED_DEMO' | 'API_DOCS'> & {
  readonly SEED_DEMO: boolean
  readonly API_DOCS: boolean
}

/** Invalid variables, with one sentence for each. */
export class EnvError extends Error {
  readonly sentences: readonly string[]

  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'))
    this.name = 'EnvError'
    this.sentences = sentences
  }
}

/**
 * Parses the environment variables of the server.
 * @throws EnvError with a sentence for each invalid variable
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(
    Object.keys(variables).flatMap((name) => {
      const value = source[name]?.trim()
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
  const parsed = v.safeParse(schema, given)
  if (!parsed.success) {
    const names = new Set(parsed.issues.map((it) => String(it.path?.[0]?.key) as keyof typeof variables))
    throw new EnvError(
      [...names].map((name) => `環境変数 ${name} の値が正しくありません。${expected[name]}。`),
    )
  }
  const incomplete = wrongOfRealtime(parsed.output)
  if (incomplete.length > 0) throw new EnvError(incomplete)
  const production = parsed.output.NODE_ENV === 'production'
  const seed = parsed.output.SEED_DEMO ?? !production
  if (production && seed) {
    throw new EnvError([
      '環境変数 SEED_DEMO は本番環境では使えません。だれでも知っているパスワードの見本アカウントができてしまいます。',
    ])
  }
  const missing = production
    ? [...missingOfOperator(parsed.output), ...missingOfMail(parsed.output), ...exampleValues(parsed.output)]
    : []
  const wrong = [
    ...missing,
    ...missingOfPayments(parsed.output, production),
    ...wrongOfPayments(parsed.output, production),
    ...wrongOfPush(parsed.output, production),
    ...wrongOfS3(parsed.output),
    ...wrongOfMedia(parsed.output),
    ...wrongOfWatch(parsed.output),
    ...wrongOfDatabase(parsed.output),
    ...wrongOfRole(parsed.output),
  ]
  if (wrong.length > 0) throw new EnvError(wrong)
  return { ...parsed.output, SEED_DEMO: seed, API_DOCS: parsed.output.API_DOCS ?? !production }
}
