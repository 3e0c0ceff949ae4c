// Environment variable of media: whether uploads may be decoded without a sandbox.
import * as v from 'valibot'

export const mediaVariables = {
  MEDIA_DECODERS_UNCONFINED: v.optional(v.picklist(['', 'accept-risk']), ''),
}

export const mediaWanted: Record<keyof typeof mediaVariables, string> = {
  MEDIA_DECODERS_UNCONFINED:
    '空にするか、accept-risk にしてください（サンドボックスなしで動画や画像を処理する危険を引き受ける場合）',
}

/** Whether media are refused where no sandbox works: in production, unless the operator accepts the risk. */
export function refusesUnconfinedOf(env: {
  readonly NODE_ENV: string
  readonly MEDIA_DECODERS_UNCONFINED: string
}): boolean {
  return env.NODE_ENV === 'production' && env.MEDIA_DECODERS_UNCONFINED !== 'accept-risk'
}
