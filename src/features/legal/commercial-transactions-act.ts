// The notice required by the law on specified commercial transactions (特定商取引法第11条).
import { MAX_PRICE, MIN_PRICE, PLAN_NOTICE_DAYS } from '#contract/limits.ts'
import { yen } from '#src/lib/format.ts'
import type { Section } from '#src/ui/text/document.tsx'
import type { OperatorWords } from './operator.ts'

export const commerceLead =
  '特定商取引に関する法律第11条に基づき、有料の投稿とプランの提供について次のとおり表示します。'

export const commerceSections = (operator: OperatorWords): readonly Section[] => [
  {
    id: 'seller',
    title: '事業者',
    blocks: [{ is: 'rows', rows: [...operatorRows(operator), ['販売者', sellers]] }],
  },
  ...saleSections,
]

const sellers =
  '有料の投稿とプランの販売者は、それを公開したクリエイターです。販売者の表示は、申込みの最終確認画面、購入履歴、プロフィールのプランの欄からご覧いただけます。'

/** What is the same for the sales of all creators. */
export const saleSections: readonly Section[] = [
  {
    id: 'price-and-payment',
    title: '価格と支払い',
    blocks: [
      {
        is: 'rows',
        rows: [
          [
            '販売価格',
            `有料の投稿：投稿ごとに表示する価格（${yen(MIN_PRICE)}から${yen(MAX_PRICE)}まで、税込）\nプラン：プランごとに表示する月額（税込）`,
          ],
          ['商品代金以外に必要な料金', 'インターネットの接続と通信にかかる費用'],
          [
            '支払いの方法',
            '有料の投稿：クレジットカード（1回払い）\nプラン：クレジットカード（毎月の自動の支払い）',
          ],
          [
            '支払いの時期',
            '有料の投稿：申込みのとき\nプラン：申込みのときに1か月分、以後は解約するまで毎月、申込みの日と同じ日（29日から31日の申込みは28日）。次回の日は申込みの最終確認画面に表示します。',
          ],
        ],
      },
    ],
  },
  {
    id: 'delivery',
    title: '提供と解約',
    blocks: [
      {
        is: 'rows',
        rows: [
          ['提供の時期', '支払いの手続きが終わったあと、直ちに閲覧できます。'],
          ['申込みの期間', '期間の定めがあるものは、その投稿またはプランの画面に表示します。'],
          [
            '返品・キャンセル',
            'デジタルの提供物であるため、支払いのあとの利用者の都合による返品と取り消しはお受けできません。内容を閲覧できないなど提供に問題があるときは、メールで連絡してください。',
          ],
          [
            'プランの解約',
            'プランは、解約の手続きをするまで1か月ごとに自動で更新されます。「プラン」の画面の「加入中のプラン」からいつでも解約でき、次回の支払いの日の前日までに解約すると、次回からの請求はありません。解約したあとも支払い済みの期間の終わりまで閲覧できます。月の途中の解約による日割りの返金はありません。',
          ],
          [
            'プランと月額の変更',
            '同じクリエイターの別のプランへの変更は、次回の支払いから適用します。プランの月額が変更されたときも、加入している人の月額は、その人が同意するまで変わりません。',
          ],
          [
            '支払いができないとき',
            'プランの月額を支払えないときは、決済代行会社が数日の間に再び支払いを試みます。支払いが完了しないときは、加入が終了します。',
          ],
          [
            'プランの終了',
            `販売するクリエイターがプランを終了するときは、${PLAN_NOTICE_DAYS}日以上前に、加入している人にメールで知らせます。`,
          ],
          ['動作環境', 'Chrome、Edge、Safari、Firefoxの新しい版とインターネットの接続'],
        ],
      },
    ],
  },
]

export function operatorRows(operator: OperatorWords): [string, string][] {
  return [
    ['事業者の名称', operator.name],
    ['運営統括責任者', operator.representative],
    ['所在地', operator.address],
    ['電話番号', operator.phone],
    ['メールアドレス', operator.email],
    ...(operator.invoiceNumber === null
      ? []
      : [['適格請求書発行事業者の登録番号', operator.invoiceNumber] as [string, string]]),
  ]
}
