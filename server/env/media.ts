// Environment variables of media: decoding without a sandbox, and sending by the proxy.
import * as v from 'valibot'

export const mediaVariables = {
  MEDIA_DECODERS_UNCONFINED: v.optional(v.picklist(['', 'accept-risk']), ''),
  X_ACCEL_PREFIX: v.optional(
    v.union([v.literal(''), v.pipe(v.string(), v.regex(/^(?:\/[\w-]{1,50}){1,3}$/))]),
    '',
  ),
  X_ACCEL_STORE: v.optional(
    v.pipe(
      v.picklist(['1', '0']),
      v.transform((it) => it === '1'),
    ),
    '0',
  ),
}

export const mediaWanted: Record<keyof typeof mediaVariables, string> = {
  MEDIA_DECODERS_UNCONFINED:
    '空にするか、accept-risk にしてください（サンドボックスなしで動画や画像を処理する危険を引き受ける場合）',
  X_ACCEL_PREFIX:
    '空にするか、/ で始まるパスにしてください（例 /stored。末尾の / は付けず、プロキシの internal の場所と同じにします）',
  X_ACCEL_STORE: '1（プロキシがオブジェクトストレージから読む）か 0 にしてください',
}

/** Sentences about variables that do not fit each other. */
export function wrongOfMedia(env: {
  readonly X_ACCEL_PREFIX: string
  readonly X_ACCEL_STORE: boolean
  readonly S3_BUCKET: string
}): string[] {
  const missing = (['X_ACCEL_PREFIX', 'S3_BUCKET'] as const).filter((it) => env[it] === '')
  if (!env.X_ACCEL_STORE || missing.length === 0) return []
  return [`環境変数 X_ACCEL_STORE を 1 にするには、${missing.join('・')} も設定してください。`]
}

/** Whether media are refused where no sandbox works: in production, unless the operator accepts the risk. */
export function refusesUnconfinedOf(env: {
  readonly NODE_ENV: string
  readonly MEDIA_DECODERS_UNCONFINED: string
}): boolean {
  return env.NODE_ENV === 'production' && env.MEDIA_DECODERS_UNCONFINED !== 'accept-risk'
}
