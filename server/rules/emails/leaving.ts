// Emails about account deletion and data exports.
import type { PlanName } from '#contract/memberships/memberships.ts'
import type { Email, LeavingMoney } from '#server/rules/email.ts'
import { japaneseDay, japaneseTime, type EmailText, line, oneLine, yen } from './frame.ts'

type Of<Is extends Email['is']> = Extract<Email, { is: Is }>

const named = ({ creator, plan }: PlanName): string =>
  plan === '' ? `${oneLine(creator)}さんのプラン` : `${oneLine(creator)}さんのプラン「${oneLine(plan)}」`

const namesOf = (plans: readonly PlanName[]): string => plans.map(named).join('、')

export function deletionRequested({
  due,
  undoUrl,
  plans = [],
  members = 0,
  money,
}: Of<'deletion_asked'>): EmailText {
  return {
    subject: 'アカウントの削除を受け付けました',
    parts: [
      line('アカウントの削除を受け付けました。投稿とプロフィールは、すでにほかの人から見えません。'),
      { is: 'facts', facts: [['削除する日時', japaneseTime(due)]] },
      line('それまでは取り消せます。取り消すと、投稿とプロフィールは元どおり表示されます。'),
      ...(plans.length === 0
        ? []
        : [
            line(
              `${namesOf(plans)}の自動更新を止めました。削除を取り消しても、自動では再開しません。続けるときは、取り消したあとに「加入中のプラン」で「加入を続ける」を押してください。お支払い済みの月額の返金はありません。`,
            ),
          ]),
      ...(members === 0
        ? []
        : [
            line(
              `あなたのプランのメンバー${members}人への請求を止めます。削除を取り消しても、メンバーが自分で加入を続けるまで、請求は再開しません。`,
            ),
          ]),
      ...(money ? [line(requestedMoney(money))] : []),
      { is: 'link', label: '削除を取り消す', url: undoUrl },
    ],
    foot: [
      'アカウントの削除の申し込みがあったため、お送りしています。',
      'お心当たりがないときは、上のリンクから取り消し、パスワードを変更してください。',
    ],
  }
}

export function deletionUndone(
  { plans = [], members = 0 }: Of<'deletion_undone'>,
  publicUrl: string,
): EmailText {
  return {
    subject: 'アカウントの削除を取り消しました',
    parts: [
      line('アカウントの削除を取り消しました。投稿とプロフィールは、元どおり表示されます。'),
      ...(members === 0
        ? []
        : [
            line(
              `あなたのプランのメンバー${members}人への請求は、止まったままです。メンバーが自分で加入を続けるまで、再開しません。`,
            ),
          ]),
      ...(plans.length === 0
        ? [{ is: 'link', label: 'とどけを開く', url: `${publicUrl}/` } as const]
        : [
            line(
              `${namesOf(plans)}の自動更新は、止まったままです。続けるときは「加入中のプラン」で「加入を続ける」を押してください。`,
            ),
            { is: 'link', label: '加入中のプラン', url: `${publicUrl}/plan?tab=joined` } as const,
          ]),
    ],
    foot: ['アカウントの削除が取り消されたため、お送りしています。'],
  }
}

export function deleted({ money }: Of<'deleted'>): EmailText {
  return {
    subject: 'アカウントを削除しました',
    parts: [
      line('アカウントと、投稿やファイルなどのデータを削除しました。'),
      ...(money
        ? [
            line(deletedMoney(money)),
            line('メールアドレス、氏名、振込先の口座は、残高の精算が終わるまで暗号化して保存します。'),
          ]
        : []),
      line('これまでとどけをお使いいただき、ありがとうございました。'),
    ],
    foot: [
      money
        ? 'アカウントの削除が終わったため、お送りしています。'
        : 'アカウントの削除が終わったため、お送りしています。これが最後のメールです。',
    ],
  }
}

const owed = (balance: number) => `残高が${yen(-balance)}不足しています。`

function requestedMoney({ balance, isPaid }: LeavingMoney): string {
  if (balance < 0) return `${owed(balance)}不足分は、アカウントを削除してもなくなりません。`
  return isPaid
    ? `残高は${yen(balance)}です。アカウントの削除のあとに残っている全額を、登録の口座に手数料なしで振り込みます。`
    : `残高は${yen(balance)}です。振込先の口座が登録されていないため、このままでは自動で振り込まれません。削除を取り消すと、口座を登録できます。`
}

function deletedMoney({ balance, isPaid }: LeavingMoney): string {
  if (balance < 0) return `${owed(balance)}お支払いについて、運営からこのメールアドレスにご連絡します。`
  return isPaid
    ? `残高${yen(balance)}の全額を、登録の口座に手数料なしで振り込みます。確定していない月の売上があるときは、翌月に確定してから振り込みます。`
    : `残高${yen(balance)}の振込について、運営からこのメールアドレスにご連絡します。`
}

export function exportReady(url: string, expires: number): EmailText {
  return {
    subject: 'データをダウンロードできます',
    parts: [
      line('ご自身のデータのダウンロード用ファイルを作成しました。'),
      { is: 'link', label: 'データをダウンロードする', url },
      line(`${japaneseDay(expires)}までダウンロードできます。リンクをほかの人に教えないでください。`),
    ],
    foot: [
      'データのダウンロードの申し込みがあったため、お送りしています。',
      'お心当たりがないときは、パスワードを変更してください。',
    ],
  }
}
