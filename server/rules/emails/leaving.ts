// Emails about account deletion and data exports.
import type { PlanName } from '#contract/memberships/memberships.ts'
import type { Email } from '#server/rules/email.ts'
import { japaneseDay, japaneseTime, type EmailText, line, oneLine } from './frame.ts'

type Of<Is extends Email['is']> = Extract<Email, { is: Is }>

const named = ({ creator, plan }: PlanName): string =>
  plan === '' ? `${oneLine(creator)}さんのプラン` : `${oneLine(creator)}さんのプラン「${oneLine(plan)}」`

const namesOf = (plans: readonly PlanName[]): string => plans.map(named).join('、')

export function deletionRequested({
  due,
  undoUrl,
  plans = [],
  members = 0,
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

export function deleted(): EmailText {
  return {
    subject: 'アカウントを削除しました',
    parts: [
      line('アカウントと、投稿やファイルなどのデータを削除しました。'),
      line('これまでとどけをお使いいただき、ありがとうございました。'),
    ],
    foot: ['アカウントの削除が終わったため、お送りしています。これが最後のメールです。'],
  }
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
