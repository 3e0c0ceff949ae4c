// Environment variables of web push: the VAPID keys and the contact.
import * as v from 'valibot'
import { arePair, type VapidKeys } from '#server/adapters/push/vapid.ts'

const key = (form: RegExp) => v.optional(v.pipe(v.string(), v.regex(form)))

export const pushVariables = {
  VAPID_PUBLIC_KEY: key(/^[\w-]{87}$/),
  VAPID_PRIVATE_KEY: key(/^[\w-]{43}$/),
  VAPID_SUBJECT: v.optional(v.pipe(v.string(), v.regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/))),
  PUSH_STAND_IN: v.optional(
    v.pipe(
      v.string(),
      v.url(),
      v.startsWith('https://'),
      v.transform((it) => new URL(it).origin),
    ),
  ),
}

export const pushWanted: Record<keyof typeof pushVariables, string> = {
  VAPID_PUBLIC_KEY: 'コマンド key vapid が作る公開鍵にしてください',
  VAPID_PRIVATE_KEY: 'VAPID_PUBLIC_KEY と組になる秘密鍵にしてください',
  VAPID_SUBJECT: 'mailto:連絡先のメールアドレス か https:// で始まる URL にしてください',
  PUSH_STAND_IN: 'https:// で始まるオリジンにしてください',
}

const schema = v.object(pushVariables)
type PushEnv = v.InferOutput<typeof schema>

/** Sentences about variables that contradict each other. */
export function wrongOfPush(env: PushEnv, production: boolean): string[] {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = env
  const sentences: string[] = []
  if (production && env.PUSH_STAND_IN !== undefined)
    sentences.push(
      '環境変数 PUSH_STAND_IN は本番環境では使えません。この一台の中の宛先へも送れるようになってしまいます。',
    )
  if ((publicKey === undefined) !== (privateKey === undefined))
    sentences.push(
      '環境変数 VAPID_PUBLIC_KEY と VAPID_PRIVATE_KEY は、両方を設定するか、両方とも空にしてください。',
    )
  else if (publicKey && privateKey && !arePair({ publicKey, privateKey }))
    sentences.push('環境変数 VAPID_PRIVATE_KEY は VAPID_PUBLIC_KEY と組になっていません。')
  return sentences
}

export function vapidOf(env: PushEnv): VapidKeys | undefined {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = env
  return publicKey && privateKey ? { publicKey, privateKey } : undefined
}

/** The contact for push services: VAPID_SUBJECT, else the operator or the app's own URL. */
export function pushSubjectOf(
  env: PushEnv & { readonly OPERATOR_EMAIL?: string | undefined },
  publicUrl: string,
): string {
  if (env.VAPID_SUBJECT) return env.VAPID_SUBJECT
  if (env.OPERATOR_EMAIL) return `mailto:${env.OPERATOR_EMAIL}`
  return publicUrl.startsWith('https:') ? publicUrl : 'mailto:operator@todoke.example'
}
