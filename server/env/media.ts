// Environment variables of media: decoding without a sandbox, and sending by the proxy.
import * as v from 'valibot'

export const mediaVariables = {
  MEDIA_DECODERS_UNCONFINED: v.optional(v.picklist(['', 'accept-risk']), ''),
  X_ACCEL_PREFIX: v.optional(
    v.union([v.literal(''), v.pipe(v.string(), v.regex(/^(?:\/[\w-]{1,50}){1,3}$/))]),
    '',
  ),
}

export const mediaWanted: Record<keyof typeof mediaVariables, string> = {
  MEDIA_DECODERS_UNCONFINED:
    '空にするか、accept-risk にしてください（サンドボックスなしで動画や画像を処理する危険を引き受ける場合）',
  X_ACCEL_PREFIX:
    '空にするか、/ で始まるパスにしてください（例 /stored。末尾の / は付けず、プロキシの internal の場所と同じにします）',
}

/** Whether media are refused where no sandbox works: in production, unless the operator accepts the risk. */
export function refusesUnconfinedOf(env: {
  readonly NODE_ENV: string
  readonly MEDIA_DECODERS_UNCONFINED: string
}): boolean {
  return env.NODE_ENV === 'production' && env.MEDIA_DECODERS_UNCONFINED !== 'accept-risk'
}
