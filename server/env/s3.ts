// Environment variables of an S3-compatible object store.
import * as v from 'valibot'
import type { S3Settings } from '#server/adapters/s3/client.ts'

const text = v.optional(v.string(), '')
/** A name of a bucket, as AWS allows it. */
const bucket = v.optional(
  v.union([v.literal(''), v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/))]),
  '',
)

export const s3Variables = {
  S3_ENDPOINT: v.optional(
    v.union([v.literal(''), v.pipe(v.string(), v.url(), v.regex(/^https?:\/\/[^/]+\/?$/))]),
    '',
  ),
  S3_REGION: v.optional(v.pipe(v.string(), v.nonEmpty()), 'us-east-1'),
  S3_BUCKET: bucket,
  S3_IDENTITY_BUCKET: bucket,
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  S3_PATH_STYLE: v.optional(
    v.pipe(
      v.picklist(['1', '0']),
      v.transform((it) => it === '1'),
    ),
    '1',
  ),
  OBJECTS_FROM: v.optional(v.picklist(['', 'disk', 's3']), ''),
  S3_PREFIX: v.optional(v.pipe(v.string(), v.regex(/^(?:[\w-]{1,100}\/){0,8}$/)), ''),
}

type Given = v.InferOutput<v.ObjectSchema<typeof s3Variables, undefined>>

export const s3Wanted: Record<keyof typeof s3Variables, string> = {
  S3_ENDPOINT: '空（AWS）にするか、https://storage.example のようにパスのない URL にしてください',
  S3_REGION: 'リージョンの名前（例 ap-northeast-1）にしてください',
  S3_BUCKET: '空にするか、バケットの名前（3〜63文字の半角英小文字・数字・ハイフン・ドット）にしてください',
  S3_IDENTITY_BUCKET: '本人確認書類だけを入れる、別のバケットの名前にしてください',
  S3_ACCESS_KEY_ID: 'アクセスキーの ID にしてください',
  S3_SECRET_ACCESS_KEY: 'アクセスキーの秘密の部分にしてください',
  S3_PATH_STYLE: '1（URL のパスにバケットの名前）か 0（ホスト名にバケットの名前）にしてください',
  OBJECTS_FROM: '空にするか、disk か s3 にしてください（ファイルを移す間だけ、移す前の場所を指定します）',
  S3_PREFIX: '空にするか、半角英数字・_・- の名前に / を付けて並べたもの（例 todoke/）にしてください',
}

/** Sentences about variables that are missing or do not fit each other. */
export function wrongOfS3(env: Given): string[] {
  const needed = ['S3_BUCKET', 'S3_IDENTITY_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const missing = needed.filter((it) => env[it] === '')
  const wanted =
    needed.length > missing.length ||
    [env.S3_ENDPOINT, env.S3_PREFIX, env.OBJECTS_FROM].some((it) => it !== '')
  if (!wanted) return []
  if (missing.length > 0)
    return [`オブジェクトストレージを使うには、環境変数 ${missing.join('・')} も設定してください。`]
  if (env.S3_BUCKET === env.S3_IDENTITY_BUCKET)
    return ['環境変数 S3_IDENTITY_BUCKET には、S3_BUCKET とは別のバケットを設定してください。']
  return []
}

export function s3Of(env: Given): S3Settings | undefined {
  if (env.S3_BUCKET === '') return undefined
  return {
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION,
    accessKeyId: env.S3_ACCESS_KEY_ID,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY,
    pathStyle: env.S3_PATH_STYLE,
    bucket: env.S3_BUCKET,
    identityBucket: env.S3_IDENTITY_BUCKET,
    prefix: env.S3_PREFIX,
  }
}
