// Emails about decisions of staff: measures, and answers to appeals.
import { measureNames, ruleNames } from '#contract/moderation/names.ts'
import type { MeasureEmail } from '#server/rules/moderation/measure-email.ts'
import { type EmailText, japaneseTime, line } from './frame.ts'

const foot = ['利用規約にもとづく大切なお知らせのため、通知の設定にかかわらずお送りしています。']

export function measure(it: MeasureEmail): EmailText {
  switch (it.is) {
    case 'measure':
      return taken(it)
    case 'suspension_link':
      return suspended(it)
    case 'measure_undone':
      return undone(it)
    case 'appeal_answered':
      return answered(it)
    default:
      return it satisfies never
  }
}

function taken(it: Extract<MeasureEmail, { is: 'measure' }>): EmailText {
  return {
    subject: '運営からの重要なお知らせ',
    parts: [
      line('運営で内容を確認し、次の対応をとりました。'),
      {
        is: 'facts',
        facts: [
          ...it.measures.map(
            ({ kind, until }) =>
              [
                '対応',
                until === null ? measureNames[kind] : `${measureNames[kind]}（${japaneseTime(until)}まで）`,
              ] as const,
          ),
          ...(it.excerpt === '' ? [] : [['対象', it.excerpt] as const]),
          ['理由', ruleNames[it.rule]],
        ],
      },
      line(it.text),
      line(
        `内容に納得できないときは、${japaneseTime(it.appealUntil)}まで、1回に限り異議を申し立てられます。ログインは不要です。`,
      ),
      ...(it.measures.some(({ kind }) => kind === 'suspend')
        ? [line('利用停止の間も、購入履歴と領収書は、次のリンクから確認できます。')]
        : []),
      { is: 'link', label: '内容の確認と異議申し立て', url: it.url },
    ],
    foot,
  }
}

function suspended({ url }: Extract<MeasureEmail, { is: 'suspension_link' }>): EmailText {
  return {
    subject: '利用停止中のアカウントについて',
    parts: [
      line(
        'ログインの操作がありましたが、このアカウントは利用を停止されています。停止の理由、購入履歴、領収書は、次のリンクから確認できます。',
      ),
      { is: 'link', label: '停止の理由と購入履歴を見る', url },
      line('このリンクは、ほかの人に渡さないでください。'),
    ],
    foot,
  }
}

function undone({ measures, url }: Extract<MeasureEmail, { is: 'measure_undone' }>): EmailText {
  return {
    subject: '運営による対応の取り消し',
    parts: [
      line('内容をあらためて確認し、次の対応を取り消しました。ご迷惑をおかけしました。'),
      { is: 'facts', facts: measures.map((kind) => ['対応', measureNames[kind]] as const) },
      ...(measures.includes('suspend')
        ? [
            line('ほかに利用停止がなければ、これまでと同じメールアドレスでログインできます。'),
            line(
              '利用停止の間に止まったプランの自動更新は、自動では再開しません。「加入中のプラン」をご確認ください。',
            ),
          ]
        : []),
      { is: 'link', label: '処分の履歴を見る', url },
    ],
    foot,
  }
}

function answered(it: Extract<MeasureEmail, { is: 'appeal_answered' }>): EmailText {
  return {
    subject: '異議申し立てへの回答',
    parts: [
      line(
        it.granted
          ? 'いただいた異議申し立てを確認し、対応を取り消しました。ご迷惑をおかけしました。'
          : 'いただいた異議申し立てを確認しましたが、対応は変わりません。',
      ),
      line(it.text),
      { is: 'link', label: '処分の履歴を見る', url: it.url },
    ],
    foot,
  }
}
