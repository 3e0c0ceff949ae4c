// Emails about the bank account that payouts go to.
import { japaneseTime, type EmailText, line } from './frame.ts'

const foot = ['アカウントを守るため、振込先の口座の登録、変更、削除があるたびにお送りしています。']

interface Stored {
  /** Names of bank and branch. */
  readonly place: string
  /** Masked. */
  readonly number: string
  readonly at: number
  /** When payouts begin again; null for the first account. */
  readonly heldUntil: number | null
}

export function bankAccountStored({ place, number, at, heldUntil }: Stored, publicUrl: string): EmailText {
  const isChange = heldUntil !== null
  return {
    subject: isChange ? '振込先の口座が変更されました' : '振込先の口座が登録されました',
    parts: [
      line(isChange ? '売上の振込先の口座が変更されました。' : '売上の振込先の口座が登録されました。'),
      {
        is: 'facts',
        facts: [
          ['口座', place],
          ['口座番号', number],
          [isChange ? '変更した日時' : '登録した日時', japaneseTime(at)],
          ...(isChange ? ([['振込を停止する期限', japaneseTime(heldUntil)]] as const) : []),
        ],
      },
      ...(isChange
        ? [
            line(
              '安全のため、変更から3日間は振込を停止します。停止している間の売上は、期限のあとに振り込みます。',
            ),
          ]
        : []),
      line('ご自身の操作であれば、何もする必要はありません。'),
      line('お心当たりがないときは、すぐにパスワードを再設定し、運営者にご連絡ください。'),
      { is: 'link', label: 'パスワードを再設定する', url: `${publicUrl}/forgot-password/step-1` },
    ],
    foot,
  }
}

export function bankAccountRemoved(at: number, publicUrl: string): EmailText {
  return {
    subject: '振込先の口座が削除されました',
    parts: [
      line('売上の振込先の口座が削除されました。新しい口座が登録されるまで、売上は振り込まれません。'),
      { is: 'facts', facts: [['削除した日時', japaneseTime(at)]] },
      line('ご自身の操作であれば、何もする必要はありません。'),
      line('お心当たりがないときは、すぐにパスワードを再設定し、運営者にご連絡ください。'),
      { is: 'link', label: 'パスワードを再設定する', url: `${publicUrl}/forgot-password/step-1` },
    ],
    foot,
  }
}
