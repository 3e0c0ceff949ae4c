// Emails about acts of the operator on the sign-in of an account.
import type { PersonActReason } from '#contract/administration/person-acts.ts'
import type { StaffActEmail } from '#server/rules/email.ts'
import { type EmailText, japaneseTime, line } from './frame.ts'

const acts: Record<StaffActEmail['act'], { readonly subject: string; readonly what: string }> = {
  end_sessions: {
    subject: 'すべての端末からログアウトしました',
    what: '運営が、お使いのアカウントをすべての端末からログアウトしました。お使いになるときは、もう一度ログインしてください。',
  },
  remove_passkeys: {
    subject: 'パスキーを削除しました',
    what: '運営が、お使いのアカウントのパスキーをすべて削除しました。次からはパスワードでログインしてください。',
  },
  remove_totp: {
    subject: '2段階認証を解除しました',
    what: '運営が、お使いのアカウントの2段階認証を解除しました。次からはパスワードだけでログインできます。必要なときは、もう一度設定してください。',
  },
}

const reasons: Record<PersonActReason, string> = {
  owner_asked: 'ご本人からのご依頼',
  identity_proven: '本人確認書類による確認が済んだため',
  device_lost: '端末の紛失のご連絡',
  account_taken: '第三者による利用のおそれ',
  staff_changed: '運営の担当者の変更',
}

export function staffAct({ act, reason, at }: StaffActEmail, publicUrl: string): EmailText {
  const { subject, what } = acts[act]
  return {
    subject,
    parts: [
      line(what),
      {
        is: 'facts',
        facts: [
          ['理由', reasons[reason]],
          ['日時', japaneseTime(at)],
        ],
      },
      line('お心当たりがないときは、パスワードを再設定し、お問い合わせください。'),
      { is: 'link', label: 'パスワードを再設定する', url: `${publicUrl}/forgot-password/step-1` },
    ],
    foot: ['アカウントを守るため、運営が操作するたびにお送りしています。'],
  }
}
